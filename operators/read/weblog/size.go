package weblog

// SizeCount identifies the bytes that a log's size field counts.
type SizeCount uint8

// The kinds of size. Only the format identifies the kind, not a line.
const (
	SizeNone          SizeCount = iota // no size in the log
	SizeUnknown                        // depends on the server's configuration
	SizeBody                           // Apache %b, %B
	SizeBodyFramed                     // nginx $body_bytes_sent
	SizeBodyOrTotal                    // two servers log different sizes under the same format name
	SizeTotal                          // Apache %O, nginx $bytes_sent
	SizeLengthOrTotal                  // CloudFront: Content-Length if there was one, else body and headers
	SizeGiven                          // a URL list: measured by its author
	SizeDigest                         // no size, but a digest of the content
)

var sizeCounts = [...]struct{ text, note string }{
	SizeNone: {"none",
		"The log holds no size, so URLs cannot be compared by size: log a size, or mine without comparing sizes."},
	SizeUnknown: {"unknown",
		"The field names do not say which bytes are counted. Size matching works well for the size of the body ($body_bytes_sent, %B) and poorly for a size with headers."},
	SizeBody: {"body as sent, compressed if it was",
		"Equal pages have equal sizes as long as they are encoded alike."},
	SizeBodyFramed: {"body as sent, compressed if it was, with HTTP/1.1 chunk framing",
		"Equal static pages have equal sizes; a page sent in chunks or compressed may have several."},
	SizeBodyOrTotal: {"body as sent, compressed if it was (nginx, Apache %b), or body and headers (Debian's Apache writes %O under this name)",
		"A line does not show which. With the body, equal pages have equal sizes. With headers, the sizes of equal pages differ by tens of bytes and match only within the size tolerance, so have Apache log %b or %B."},
	SizeTotal: {"body and headers",
		"Headers vary with cookies, dates and keep-alive, so equal pages differ by tens of bytes and match only within the size tolerance: log the body's size instead where the server can (%B, $body_bytes_sent)."},
	SizeLengthOrTotal: {"body as sent, compressed if it was; of answers sent in chunks body and headers",
		"Equal pages with a Content-Length have equal sizes as long as they are encoded alike. The size of other pages includes the headers and matches only within the size tolerance."},
	SizeGiven: {"as measured by the author of the list",
		"If sizes are of bodies without compression, equal pages have equal sizes. A sketch in the fourth column is compared instead of sizes."},
	SizeDigest: {"none; a digest of the content instead",
		"Two URLs are alike if their contents were byte for byte equal. A page that contains its own URL, the time or its visitor is never equal to another page: mine an access log for such pages."},
}

// Class is added to the class of a Hit's size, so that sizes of different kinds are not
// compared: with headers, perhaps with headers, or the body alone. Formats that do not
// identify the kind count as the body alone.
func (s SizeCount) Class() uint8 {
	switch s {
	case SizeTotal:
		return 8
	case SizeLengthOrTotal:
		return 16
	}
	return 0
}

// String returns a description of the counted bytes.
func (s SizeCount) String() string { return sizeCounts[s].text }

// Note returns the consequences for size matching, for an operator.
func (s SizeCount) Note() string { return sizeCounts[s].note }
