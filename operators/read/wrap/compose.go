package wrap

import "bytes"

// compose is what docker compose logs prints: the container, a bar, and the line, perhaps in colors
// and with a time in front of the line.
var compose = Wrapper{
	Name:        "compose",
	Description: "docker compose logs: container, bar, line, with a time or without",
	Example:     `web-1  | ` + exampleLine,
	unwrap:      (*Unwrapper).compose,
}

func (u *Unwrapper) compose(line []byte) ([]byte, Got) {
	b := cutColors(line)
	n := 0
	for n < len(b) && (b[n]-'0' <= 9 || b[n]|0x20 >= 'a' && b[n]|0x20 <= 'z' || n > 0 && bytes.IndexByte([]byte("-_."), b[n]) >= 0) {
		n++
	}
	b, ok := bytes.CutPrefix(bytes.TrimLeft(b[n:], " "), []byte("|"))
	if n == 0 || !ok {
		return nil, Foreign
	}
	b = cutColors(bytes.TrimPrefix(cutColors(b), []byte(" ")))
	if rest, ok := cutISOTime(b); ok {
		return rest, Inner
	}
	return b, Inner
}

// cutColors removes the sequences for colors of a terminal at the start.
func cutColors(b []byte) []byte {
	for bytes.HasPrefix(b, []byte("\x1b[")) {
		end := bytes.IndexByte(b, 'm')
		if end < 0 {
			return b
		}
		b = b[end+1:]
	}
	return b
}
