package weblog

import "bytes"

// Hit is one record of an access log.
//
// The slices alias the line, or the Parser's buffer if the log's escaping had to be
// undone. They are valid until the next Parse. A field logged as "-" is empty, except the
// request, whose target is then "-".
type Hit struct {
	Host   []byte // virtual host as logged, may carry a port; empty if the format has none
	Method []byte // capitals as logged; GET if the request has none and starts with '/'
	Target []byte // request target, the log's escaping undone, spaces included; not percent-encoded
	Agent  []byte // user agent
	Client []byte // address of the client, see package client: of the peer, or the one that a proxy has forwarded; a name as logged
	Status int    // 0 if "-" or absent
	Size   int64  // bytes; the counted bytes depend on the format; 0 if "-" or absent
	Class  uint8  // content encoding, one of the Class constants; to compare sizes of several formats, add SizeCount.Class
	Digest uint64 // 64-bit digest of the content; 0 if none
	Time   int64  // unix seconds of the record; 0 if none
}

// The content encodings of a Hit. Sizes are compared within one class only, so an
// encoding without a class of its own must not count as identity.
const (
	ClassUnknown  uint8 = iota // not in the log
	ClassIdentity              // logged: none
	ClassGzip
	ClassBrotli
	ClassZstd
	ClassDeflate
	ClassOther // logged: another encoding, or several
)

// classOf returns the class of a Content-Encoding header, in any case.
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

func isFold(b []byte, word string) bool {
	return len(b) == len(word) && bytes.EqualFold(b, []byte(word))
}

// absent reports whether a field was logged as empty or "-".
func absent(b []byte) bool {
	return len(b) == 0 || len(b) == 1 && b[0] == '-'
}

func present(b []byte) []byte {
	if absent(b) {
		return nil
	}
	return b
}
