package dust

// AppendCuts appends the byte offsets between the tokens of a URL: token k is
// url[cuts[k]:cuts[k+1]]. The tokens include ^ and $, which are empty. So the first two
// cuts are 0, the last two len(url), and a URL of n tokens has n+1 cuts. The empty URL
// has n = 2. O(len(url)).
func AppendCuts(cuts []int32, url []byte) []int32 {
	cuts = append(cuts, 0)
	for at := 0; at < len(url); {
		cuts = append(cuts, int32(at))
		end := at
		for end < len(url) && alnum[url[end]] {
			end++
		}
		if end < len(url) && url[end] == '%' {
			end = endThroughEscapes(url, at, end)
		}
		at = max(end, at+1)
	}
	return append(cuts, int32(len(url)), int32(len(url)))
}

// CountTokens returns the number of tokens of a URL without ^ and $. O(len(url)).
func CountTokens(url []byte) int {
	n := 0
	for at := 0; at < len(url); at = TokenEnd(url, at) {
		n++
	}
	return n
}

// TokenEnd returns the end of the token that begins at an offset of s. The offset is a
// boundary and less than len(s). O(bytes of the token).
func TokenEnd[S ~string | ~[]byte](s S, at int) int {
	end := at
	for end < len(s) && alnum[s[end]] {
		end++
	}
	if end < len(s) && s[end] == '%' {
		return endThroughEscapes(s, at, end)
	}
	return max(end, at+1)
}

// endThroughEscapes returns the end of the token that begins at offset at. The bytes from
// at to end are plain letters and digits, maybe none, and a '%' follows.
func endThroughEscapes[S ~string | ~[]byte](s S, at, end int) int {
	for end < len(s) && s[end] == '%' {
		c, ok := Escape(s, end)
		if ok && !isWord(c) && end == at {
			return end + EscapeBytes
		}
		if !ok || !isWord(c) {
			break
		}
		for end += EscapeBytes; end < len(s) && alnum[s[end]]; {
			end++
		}
	}
	return max(end, at+1)
}

// TokenStart returns the start of the token that ends at an offset of s. The offset is a
// boundary and greater than 0. O(bytes of the token).
func TokenStart[S ~string | ~[]byte](s S, end int) int {
	start := end
	for start > 0 && alnum[s[start-1]] {
		start--
	}
	if start > 0 && s[start-1] == '%' {
		return startThroughEscapes(s, start, end)
	}
	return min(start, end-1)
}

// startThroughEscapes returns the start of the token that ends at offset end. The bytes
// from start to end are plain letters and digits, two of which may belong to an escape,
// and a '%' precedes.
func startThroughEscapes[S ~string | ~[]byte](s S, start, end int) int {
	for start > 0 && s[start-1] == '%' && start-1+EscapeBytes <= end {
		c, ok := Escape(s, start-1)
		if !ok {
			break
		}
		if !isWord(c) && start-1+EscapeBytes == end {
			return start - 1
		}
		if !isWord(c) {
			return start - 1 + EscapeBytes
		}
		for start--; start > 0 && alnum[s[start-1]]; {
			start--
		}
	}
	return min(start, end-1)
}

// Boundary reports whether no token of s reaches across an offset. The result depends
// only on three bytes before and three after the offset. O(1).
func Boundary[S ~string | ~[]byte](s S, at int) bool {
	return at == 0 || at == len(s) || !alnum[s[at]] && s[at] != '%' || !crosses(s, at)
}

// crosses reports whether a token reaches across an offset. The byte after the offset is
// a letter, a digit or a '%'.
func crosses[S ~string | ~[]byte](s S, at int) bool {
	if s[at] == '%' {
		c, ok := Escape(s, at)
		return ok && isWord(c) && endsWord(s, at)
	}
	return insideEscape(s, at) || endsWord(s, at)
}

// insideEscape reports whether an offset lies between the '%' and the last digit of an
// escape.
func insideEscape[S ~string | ~[]byte](s S, at int) bool {
	if s[at-1] == '%' {
		_, ok := Escape(s, at-1)
		return ok
	}
	if at >= 2 && s[at-2] == '%' {
		_, ok := Escape(s, at-2)
		return ok
	}
	return false
}

// endsWord reports whether the character before an offset belongs to a word. The offset
// is not inside an escape.
func endsWord[S ~string | ~[]byte](s S, at int) bool {
	if !IsAlnum(s[at-1]) {
		return false
	}
	if at >= EscapeBytes && s[at-EscapeBytes] == '%' {
		if c, ok := Escape(s, at-EscapeBytes); ok {
			return isWord(c)
		}
	}
	return true
}

// IsWord reports whether a token consists of letters and digits. Other tokens are single
// characters. The token is not empty. O(1).
func IsWord[S ~string | ~[]byte](token S) bool {
	if token[0] != '%' {
		return alnum[token[0]]
	}
	c, ok := Escape(token, 0)
	return ok && isWord(c)
}

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
