package section

import (
	"strings"
	"unicode/utf8"

	"github.com/poolproof/poolproof/schema"
)

// numerals are the digits of section numbers, Chinese ones included.
const numerals = "0123456789一二三四五六七八九十百"

// unnumbered returns a heading without the number of its section: "3.2 Orders", "3) Orders", "三、订单", "（2）订单". The
// text comes back as it is where no number stands before it.
func unnumbered(title Cell) Cell {
	text, _ := schema.Fold(title.Text)
	rest := strings.TrimLeft(text, "§ ")
	open := strings.HasPrefix(rest, "(")
	rest = strings.TrimPrefix(rest, "(")
	number := len(rest) - len(strings.TrimLeft(rest, numerals+"."))
	if number == 0 || rest[0] == '.' {
		return title
	}
	mark, size := utf8.DecodeRuneInString(rest[number:])
	switch {
	case open && mark != ')':
		return title
	case mark == ')', mark == '、', mark == ':':
		number += size
	case mark == ' ', rest[number-1] == '.':
	default: // a name that starts with digits
		return title
	}
	name := strings.TrimSpace(rest[number:])
	if name == "" {
		return title
	}
	return Cell{Text: name, At: title.At}
}
