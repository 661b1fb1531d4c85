package export

import "strings"

// render writes a replacement: groups by number with a mark before, texts as
// quoted.
func render(to []part, mark string, quoted func(string) string) string {
	var b strings.Builder
	for _, p := range to {
		if p.group > 0 {
			b.WriteString(mark)
			b.WriteByte('0' + byte(p.group))
		} else {
			b.WriteString(quoted(p.text))
		}
	}
	return b.String()
}

// backslashed puts a backslash before each of some bytes.
func backslashed(s string, needs func(c byte) bool) string {
	var b strings.Builder
	for i := range len(s) {
		if needs(s[i]) {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
