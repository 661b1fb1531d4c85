package secret

import "strings"

// hasAddress reports whether a text holds an e-mail address: name@domain.tld. Pictures for
// fine screens have names such as icon@2x.png, which are not addresses.
func hasAddress(text string) bool {
	for i := strings.IndexByte(text, '@'); i >= 0; {
		end := i + 1
		for end < len(text) && (kind(text[end]) != other || text[end] == '-' || text[end] == '.') {
			end++
		}
		if i > 0 && isNameEnd(text[i-1]) && isDomain(strings.TrimRight(text[i+1:end], ".-")) {
			return true
		}
		next := strings.IndexByte(text[end:], '@')
		if next < 0 {
			return false
		}
		i = end + next
	}
	return false
}

// isNameEnd reports whether the name of an address may end in a byte.
func isNameEnd(c byte) bool {
	return kind(c) != other || c >= 0x80 || strings.IndexByte("._+-", c) >= 0
}

// isDomain reports whether a text is a host's name below a top-level domain.
func isDomain(text string) bool {
	dot := strings.LastIndexByte(text, '.')
	if dot <= 0 || len(text)-dot <= 2 || isScale(text[:dot]) {
		return false
	}
	for _, c := range []byte(text[dot+1:]) {
		if kind(c) != letter {
			return strings.HasPrefix(text[dot+1:], "xn--")
		}
	}
	return text[0] != '.' && text[0] != '-'
}

// isScale reports whether a text is the scale of a picture, such as 2x.
func isScale(text string) bool { return len(text) == 2 && kind(text[0]) == digit && text[1] == 'x' }
