package urlnorm

import "strings"

// The kinds of bytes in a URL.
const (
	plain    uint8 = iota
	encode         // cannot stand in a URL; is percent-encoded
	control        // makes the URL invalid
	fragment       // begins the fragment
)

var kinds = func() (k [256]uint8) {
	for c := range k {
		switch {
		case c < ' ' || c == 0x7f:
			k[c] = control
		case c == ' ' || c == '"' || c == '<' || c == '>' || c >= 0x80:
			k[c] = encode
		case c == '#':
			k[c] = fragment
		}
	}
	return k
}()

// IsPlain reports whether a mined string may hold a byte.
func IsPlain(c byte) bool { return kinds[c] == plain }

// Measure returns the end of the path and query of a URL, before the fragment, and the
// size of the mined string in bytes. size equals end if no byte changes. ok is false if a
// control byte stands before the fragment. O(bytes), no allocation.
func Measure[T string | []byte](path T) (end, size int, ok bool) {
	if len(path) == 0 || path[0] != '/' {
		size = 1
	}
	for end+4 <= len(path) && kinds[path[end]]|kinds[path[end+1]]|kinds[path[end+2]]|kinds[path[end+3]] == plain {
		end += 4 // nearly always to the end
	}
	for ; end < len(path); end++ {
		k := kinds[path[end]]
		if k == plain {
			continue
		}
		if k != encode {
			return end, size + end, k == fragment
		}
		size += len("20")
	}
	return end, size + end, true
}

// Append appends the mined string of a path and query without fragment or control bytes.
// The mined string begins with "/" even if the path does not.
func Append[T string | []byte](dst []byte, path T) []byte {
	if len(path) == 0 || path[0] != '/' {
		dst = append(dst, '/')
	}
	for i := 0; i < len(path); i++ {
		if c := path[i]; kinds[c] == encode {
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		} else {
			dst = append(dst, c)
		}
	}
	return dst
}

const digits = "0123456789ABCDEF"

// Escape appends a text, and percent-encodes all bytes that no mined string holds but those
// of keep.
func Escape(dst []byte, text, keep string) []byte {
	for i := range len(text) {
		if c := text[i]; IsPlain(c) || strings.IndexByte(keep, c) >= 0 {
			dst = append(dst, c)
		} else {
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		}
	}
	return dst
}
