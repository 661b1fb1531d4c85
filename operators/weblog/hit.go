package weblog

// Hit is one record of an access log.
//
// Its slices alias the line, or the Parser's own buffer where the log's
// escaping had to be undone; they are valid until the next Parse. A field that
// was logged as "-" is empty, but for the request: there "-" is the target.
type Hit struct {
	Host   []byte // virtual host as logged, may carry a port; empty if the format has none
	Method []byte // capitals as logged; GET if the request has none and starts with '/'
	Target []byte // request target, the log's escaping undone, spaces included; not percent-encoded
	Agent  []byte // user agent
	Client []byte // client address as logged, may be a list where only X-Forwarded-For is logged
	Status int    // 0 if "-" or absent
	Size   int64  // bytes; what they count differs by format; 0 if "-" or absent
	Class  uint8  // content encoding, one of the Class constants; who compares sizes of several formats adds SizeCount.Class
	Digest uint64 // 64-bit digest of the content; 0 if none
	Time   int64  // unix seconds of the record; 0 if none
}

// The content encodings that a Hit can tell. Sizes compare within one class
// only, so an encoding without a name of its own must not pass for identity.
const (
	ClassUnknown  uint8 = iota // the log does not tell
	ClassIdentity              // told: none
	ClassGzip
	ClassBrotli
	ClassZstd
	ClassDeflate
	ClassOther // told, but none of the above, or several
)

// classOf maps the value of a Content-Encoding header, in any case.
func classOf(b []byte) uint8 {
	switch {
	case absent(b), isFold(b, "identity"):
		return ClassIdentity
	case isFold(b, "gzip"), isFold(b, "x-gzip"):
		return ClassGzip
	case isFold(b, "br"):
		return ClassBrotli
	case isFold(b, "zstd"):
		return ClassZstd
	case isFold(b, "deflate"):
		return ClassDeflate
	}
	return ClassOther
}

// isFold reports whether b is the lower-case word, whatever b's case.
func isFold(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i := range b {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != word[i] {
			return false
		}
	}
	return true
}

// absent reports whether a field was logged as nothing.
func absent(b []byte) bool {
	return len(b) == 0 || len(b) == 1 && b[0] == '-'
}

// present returns b, or nil if the field was logged as nothing.
func present(b []byte) []byte {
	if absent(b) {
		return nil
	}
	return b
}
