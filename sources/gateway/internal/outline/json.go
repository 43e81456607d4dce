package outline

// ofJSON collects the keys of the outermost object, or of the objects in the outermost list. It follows brackets and
// texts and nothing else, so a broken file yields what stands before the break.
func ofJSON(text []byte) Outline {
	o := Outline{JSON: true}
	depth, level := 0, 1
	key := -1 // index of the key whose value comes next
	for i := 0; i < len(text) && len(o.Keys) < maxKeys; i++ {
		switch text[i] {
		case '{', '[':
			if depth++; depth == 1 {
				if o.Kind = Map; text[i] == '[' {
					o.Kind, level = List, 2
				}
			}
			key = -1
		case '}', ']':
			depth--
			key = -1
		case ',':
			key = -1
		case '/':
			i = comment(text, i)
		case '"':
			end := closing(text, i)
			if depth == level {
				word := string(text[i+1 : min(end, i+257)])
				if key >= 0 {
					o.Keys[key].Value = word
					key = -1
				} else if colonAfter(text, end+1) {
					o.Keys = append(o.Keys, Key{Name: word})
					key = len(o.Keys) - 1
				}
			}
			i = end
		}
	}
	return o
}

// closing returns the index of the quote that ends the text starting at i, or the end.
func closing(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(text)
}

func colonAfter(text []byte, i int) bool {
	for ; i < len(text); i++ {
		switch text[i] {
		case ' ', '\t', '\r', '\n':
		case ':':
			return true
		default:
			return false
		}
	}
	return false
}

// comment returns the index of the last byte of a comment that starts at i, or i where none does.
func comment(text []byte, i int) int {
	if i+1 >= len(text) {
		return i
	}
	switch text[i+1] {
	case '/':
		for ; i < len(text) && text[i] != '\n'; i++ {
		}
	case '*':
		for i += 2; i < len(text) && !(text[i] == '/' && text[i-1] == '*'); i++ {
		}
	}
	return i
}
