package canon

// What a byte of a URL is to a mined string.
const (
	plain   uint8 = iota
	encode        // cannot stand in a URL, and is percent-encoded
	control       // makes it no URL
	hash          // begins the fragment
)

var kinds = func() (k [256]uint8) {
	for c := range k {
		switch {
		case c < ' ' || c == 0x7f:
			k[c] = control
		case c == ' ' || c == '"' || c == '<' || c == '>' || c >= 0x80:
			k[c] = encode
		case c == '#':
			k[c] = hash
		}
	}
	return k
}()

// appendMined appends a path and query as they are mined: up to the fragment,
// beginning with '/', with bytes that cannot stand in a URL percent-encoded.
// False if there are control bytes or dst grows longer than a mined string.
func appendMined(dst []byte, path string) ([]byte, bool) {
	const digits = "0123456789ABCDEF"
	if path == "" || path[0] != '/' {
		dst = append(dst, '/')
	}
	for i := 0; i < len(path) && kinds[path[i]] != hash; i++ {
		switch c := path[i]; kinds[c] {
		case control:
			return dst, false
		case encode:
			dst = append(dst, '%', digits[c>>4], digits[c&15])
		default:
			dst = append(dst, c)
		}
		if len(dst) > MaxBytes {
			return dst, false
		}
	}
	return dst, true
}
