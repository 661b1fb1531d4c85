package weblog

import (
	"bytes"
	"math/bits"
	"strings"
)

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

// encodings are the names of the classes.
var encodings = [ClassOther]string{ClassIdentity: "identity", ClassGzip: "gzip", ClassBrotli: "br", ClassZstd: "zstd", ClassDeflate: "deflate"}

// classOf returns the class of a Content-Encoding header, in any case.
func classOf(b []byte) uint8 {
	if absent(b) {
		return ClassIdentity
	}
	for class := ClassIdentity; class < ClassOther; class++ {
		if isFold(b, encodings[class]) {
			return class
		}
	}
	if isFold(b, "x-gzip") {
		return ClassGzip
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

// Fields is a set of fields of a Hit.
type Fields uint16

// The fields, in the order of String.
const (
	HasHost Fields = 1 << iota
	HasRequest
	HasStatus
	HasSize
	HasAgent
	HasClient
	HasTime
	HasEncoding
	HasDigest
)

var fieldNames = [...]string{
	"host", "request", "status", "size", "agent", "client", "time", "encoding", "digest",
}

// Names returns the names of the fields in the set.
func (f Fields) Names() []string {
	names := []string{}
	for i, name := range fieldNames {
		if f&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

func (f Fields) count() int { return bits.OnesCount16(uint16(f)) }

// String returns the names, separated by commas.
func (f Fields) String() string { return strings.Join(f.Names(), ", ") }

// hasOf has the set of each place, see slotOf.
var hasOf = [fields]Fields{
	fieldHost: HasHost, fieldRequest: HasRequest, fieldTarget: HasRequest, fieldPath: HasRequest,
	fieldStatus: HasStatus, fieldSize: HasSize, fieldAgent: HasAgent, fieldClient: HasClient, fieldForwarded: HasClient,
	fieldEncoding: HasEncoding, fieldTime: HasTime, fieldDigest: HasDigest,
}

func filled(h *Hit) Fields {
	f := Fields(0)
	for i, has := range [...]bool{len(h.Host) > 0, len(h.Target) > 0, h.Status > 0, h.Size > 0, len(h.Agent) > 0,
		len(h.Client) > 0, h.Time != 0, h.Class != ClassUnknown, h.Digest != 0} {
		if has {
			f |= 1 << i
		}
	}
	return f
}
