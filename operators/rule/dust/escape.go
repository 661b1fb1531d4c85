package dust

// IsAlnum reports whether a byte is a letter or digit of ASCII.
func IsAlnum(c byte) bool { return alnum[c] }

var alnum = func() (is [256]bool) {
	for c := range is {
		is[c] = '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	}
	return is
}()

// EscapeBytes is the length of an escape. What a token is depends on so many bytes behind its end at most.
const EscapeBytes = 3

// Escape returns the byte of the escape that begins at an offset of s, if there is one.
// The offset holds a '%'. No escape begins inside another escape, as '%' is not a digit.
// So three bytes are an escape or not, whatever stands around them.
func Escape[S ~string | ~[]byte](s S, at int) (c byte, ok bool) {
	if len(s)-at < EscapeBytes {
		return 0, false
	}
	high, low := digits[s[at+1]], digits[s[at+2]]
	return high<<4 | low&0x0f, high|low < 0x10
}

// isWord reports whether an escape of a byte belongs to a word: the byte is an ASCII
// letter or digit, or part of a letter of some script.
func isWord(c byte) bool { return c >= 0x80 || alnum[c] }

// digits holds the values of the hexadecimal digits. Other bytes have the value notDigit.
var digits = func() (value [256]uint8) {
	for c := range value {
		switch {
		case '0' <= c && c <= '9':
			value[c] = uint8(c - '0')
		case 'A' <= c && c <= 'F':
			value[c] = uint8(c - 'A' + 10)
		case 'a' <= c && c <= 'f':
			value[c] = uint8(c - 'a' + 10)
		default:
			value[c] = notDigit
		}
	}
	return value
}()

const notDigit = 0x10
