package data

import ("testing";"os";"fmt")

func TestScratch(t *testing.T) {
	b, _ := os.ReadFile("/tmp/s.toml")
	fmt.Println(dump(TOML(b), string(b)))
	b, _ = os.ReadFile("/tmp/s.properties")
	fmt.Println(dump(Properties(b), string(b)))
	b = []byte("// c\n{\"a\": 1, \"b\": [\"x\\u00e9\", null,], /* */ \"a\": 5e3}")
	fmt.Println(dump(JSON(b), string(b)))
	b = []byte("{\"a\": 1,\n \"b\" 2}")
	fmt.Println(dump(JSON(b), string(b)))
}
