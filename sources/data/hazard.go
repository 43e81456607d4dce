package data

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/poolproof/poolproof/schema"
)

// Hazard reports a plain scalar that YAML readers type differently, which is an error wherever the value feeds the
// model. The readers that it knows are those of YAML 1.1 (PyYAML, Ruby, most of the C and Java world), of YAML 1.2
// (core schema), and yaml.v3 of Go, which is something of both:
//
//   - whole numbers with a leading zero: 010 is 8 to YAML 1.1 and 10 to YAML 1.2, 08 is a text or 8;
//   - underscores in numbers: 1_000 is a number to YAML 1.1, a text to YAML 1.2;
//   - digits with colons: 22:22 and 1:30:00 are base-60 numbers to YAML 1.1 where every part after the first is below
//     60, texts to YAML 1.2; addresses, ports after names, and 8080:80 are texts to all;
//   - yes, no, on, off, y, n in any case: booleans to YAML 1.1, texts to YAML 1.2;
//   - exponents without a point or without a sign: 5e3 is a number to YAML 1.2, a text to YAML 1.1;
//   - 0x1F, 0o17 and 0b11: numbers to some readers of each kind, texts to the others and to readers of JSON numbers.
//
// true and false, decimal numbers, and dates, which no value of the model is taken for, are safe. Quoted scalars,
// scalars with a tag, and those of JSON, TOML and .properties never are a hazard: their types do not depend on the reader.
func Hazard(n *Node) (schema.Problem, bool) {
	if n == nil || n.Style != Plain || n.settled || n.Kind == Null || n.Kind > String || n.Text == "" {
		return schema.Problem{}, false
	}
	text, hint, bad := hazard(n.Text)
	if !bad {
		return schema.Problem{}, false
	}
	return schema.Problem{Rule: "source/scalar-hazard", Severity: schema.Error, At: n.Place(), Text: text, Hint: hint, Got: n.Text}, true
}

func hazard(s string) (text, hint schema.Text, bad bool) {
	switch c := s[0]; {
	case c >= '0' && c <= '9', c == '-', c == '+', c == '.':
		return numberHazard(s)
	case len(s) <= 3 && strings.IndexByte("yYnNoO", c) >= 0:
		return wordHazard(s)
	}
	return text, hint, false
}

func wordHazard(s string) (text, hint schema.Text, bad bool) {
	value := ""
	switch strings.ToLower(s) {
	case "yes", "on", "y":
		value = "true"
	case "no", "off", "n":
		value = "false"
	default:
		return text, hint, false
	}
	return schema.Textf("%s is the boolean %s to YAML 1.1 readers and the text %q to YAML 1.2 readers", "%s 在 YAML 1.1 中是布尔值 %s，在 YAML 1.2 中是文本 %q", s, value, s),
		schema.Textf("write %s for the boolean, \"%s\" for the text", "布尔值请写 %s，文本请写 \"%s\"", value, s), true
}

func numberHazard(s string) (text, hint schema.Text, bad bool) {
	body := strings.TrimLeft(s, "+-")
	if len(s)-len(body) > 1 || body == "" {
		return text, hint, false
	}
	sign := s[:len(s)-len(body)]
	if n, base := basedNumber(body); n != "" {
		return schema.Text{
			En: fmt.Sprintf("%s is the %s number %s%s to some YAML readers and a text to others", s, base.En, sign, n),
			Zh: fmt.Sprintf("%s 在部分 YAML 读取程序中是%s数 %s%s，在其他程序中是文本", s, base.Zh, sign, n),
		}, writeNumber(sign + n), true
	}
	if n, ok := sexagesimal(body); ok {
		return schema.Textf("%s is the base-60 number %s to YAML 1.1 readers and a text to YAML 1.2 readers", "%s 在 YAML 1.1 中是六十进制数 %s，在 YAML 1.2 中是文本", s, n),
			schema.Textf("quote it: \"%s\"", "请加引号：\"%s\"", s), true
	}
	if strings.IndexByte(body, '_') >= 0 && strings.Trim(body, "0123456789_.") == "" && body[0] != '_' {
		n := strings.ReplaceAll(s, "_", "")
		return schema.Textf("%s is the number %s to YAML 1.1 readers and a text to YAML 1.2 readers", "%s 在 YAML 1.1 中是数字 %s，在 YAML 1.2 中是文本", s, n), writeNumber(n), true
	}
	if len(body) > 1 && body[0] == '0' && digits(body) == len(body) {
		return leadingZeroHazard(s, sign, body)
	}
	return exponentHazard(s, body)
}

func writeNumber(n string) schema.Text {
	return schema.Textf("write %s, or quote the text", "请写成 %s，若是文本请加引号", n)
}

func leadingZeroHazard(s, sign, body string) (text, hint schema.Text, bad bool) {
	decimal := strings.TrimLeft(body, "0")
	if decimal == "" {
		decimal = "0"
	}
	hint = writeNumber(sign + decimal)
	if octal, ok := octalNumber(body); ok && octal != decimal {
		return schema.Textf("%s is octal, %s, to some YAML readers and %s to others", "%s 在部分 YAML 读取程序中是八进制的 %s，在其他程序中是 %s", s, sign+octal, sign+decimal), hint, true
	}
	return schema.Textf("%s, with its leading zero, is a number to some YAML readers and a text to others", "%s 带前导零，在部分 YAML 读取程序中是数字，在其他程序中是文本", s), hint, true
}

// exponentHazard reports 5e3 and 5.0e3, which YAML 1.1 reads as texts for want of a point or a sign.
func exponentHazard(s, body string) (text, hint schema.Text, bad bool) {
	i := strings.IndexAny(body, "eE")
	if i < 0 || numberKind(body) != Float || i+1 >= len(body) {
		return text, hint, false
	}
	if strings.IndexByte(body[:i], '.') >= 0 && (body[i+1] == '+' || body[i+1] == '-') {
		return text, hint, false
	}
	plain := ""
	if f, err := strconv.ParseFloat(body, 64); err == nil && f < 1e15 && f > 1e-6 {
		plain = strconv.FormatFloat(f, 'f', -1, 64)
	}
	hint = schema.Textf("write the number out, or quote the text", "请写出完整数字，若是文本请加引号")
	if plain != "" {
		hint = writeNumber(s[:len(s)-len(body)] + plain)
	}
	return schema.Textf("%s is a number to YAML 1.2 readers and a text to YAML 1.1 readers", "%s 在 YAML 1.2 中是数字，在 YAML 1.1 中是文本", s), hint, true
}

// maxNumber bounds the digits that are worth converting for a message.
const maxNumber = 40

func octalNumber(s string) (string, bool) {
	if len(s) > maxNumber {
		return "", false
	}
	n, ok := new(big.Int).SetString(s, 8)
	if !ok {
		return "", false
	}
	return n.String(), true
}

// basedNumber reads 0x1F, 0o17 and 0b11, with underscores.
func basedNumber(s string) (value string, name schema.Text) {
	if len(s) < 3 || s[0] != '0' || len(s) > maxNumber || s[2] == '+' || s[2] == '-' {
		return "", name
	}
	base := 0
	switch s[1] {
	case 'x':
		base, name = 16, schema.Text{En: "hexadecimal", Zh: "十六进制"}
	case 'o':
		base, name = 8, schema.Text{En: "octal", Zh: "八进制"}
	case 'b':
		base, name = 2, schema.Text{En: "binary", Zh: "二进制"}
	default:
		return "", name
	}
	n, ok := new(big.Int).SetString(strings.ReplaceAll(s[2:], "_", ""), base)
	if !ok {
		return "", name
	}
	return n.String(), name
}

// sexagesimal reads digits with colons the way YAML 1.1 does. Eight parts are an IPv6 address.
func sexagesimal(s string) (value string, ok bool) {
	parts := strings.Split(s, ":")
	if len(parts) < 2 || len(parts) > 7 || len(s) > maxNumber {
		return "", false
	}
	total := new(big.Int)
	for i, p := range parts {
		fraction := ""
		if i == len(parts)-1 {
			p, fraction, _ = strings.Cut(p, ".")
		}
		p = strings.ReplaceAll(p, "_", "")
		if p == "" || digits(p) != len(p) || digits(fraction) != len(fraction) || i > 0 && (len(p) > 2 || len(p) == 2 && p[0] > '5') {
			return "", false
		}
		n, _ := new(big.Int).SetString(p, 10)
		total.Mul(total, big.NewInt(60)).Add(total, n)
	}
	return total.String(), true
}
