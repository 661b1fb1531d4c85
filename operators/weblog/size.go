package weblog

// SizeCount says what the number in a log's size field counts.
type SizeCount uint8

// What servers count. Nothing in a line tells them apart; the format does.
const (
	SizeNone          SizeCount = iota // no size in the log
	SizeUnknown                        // whatever the server's configuration says
	SizeBody                           // Apache %b, %B
	SizeBodyFramed                     // nginx $body_bytes_sent
	SizeBodyOrTotal                    // a format whose name two servers use for two things
	SizeTotal                          // Apache %O, nginx $bytes_sent
	SizeLengthOrTotal                  // CloudFront: Content-Length if there was one, else body and headers
	SizeGiven                          // a URL list: what its maker measured
	SizeDigest                         // no size, but a digest of the content
)

var sizeCounts = [...]struct{ text, note string }{
	SizeNone: {"none",
		"The log holds no size, so no two URLs can be told to be alike by size: add one to the log, or mine with --no-size-match."},
	SizeUnknown: {"unknown",
		"The field names do not tell what is counted. Size matching is good if it is the body ($body_bytes_sent, %B) and poor if headers are in it."},
	SizeBody: {"body as sent, compressed if it was",
		"Equal pages have equal sizes as long as they are encoded alike."},
	SizeBodyFramed: {"body as sent, compressed if it was, with HTTP/1.1 chunk framing",
		"Equal static pages have equal sizes; a page sent in chunks or compressed may have several."},
	SizeBodyOrTotal: {"body as sent, compressed if it was (nginx, Apache %b), or body and headers (Debian's Apache writes %O under this name)",
		"A line does not tell which. With the body, equal pages have equal sizes; with headers they differ by tens of bytes and match only within --size-tolerance, so have Apache log %b or %B."},
	SizeTotal: {"body and headers",
		"Headers vary with cookies, dates and keep-alive, so equal pages differ by tens of bytes and match only within --size-tolerance: log the body's size instead where the server can (%B, $body_bytes_sent)."},
	SizeLengthOrTotal: {"body as sent, compressed if it was; of answers sent in chunks body and headers",
		"Equal pages with a Content-Length have equal sizes as long as they are encoded alike; of others the headers are in the size, and they match only within --size-tolerance."},
	SizeGiven: {"what the maker of the list measured",
		"If sizes are of bodies without compression, equal pages have equal sizes. A sketch in the fourth column is compared in the place of sizes."},
	SizeDigest: {"none; a digest of the content stands in its place",
		"Two URLs are alike if their contents were the same to the byte. A page that names its own URL, the time or its visitor is like no other: for such pages mine an access log."},
}

// Class is what is added to the class of a Hit's size, so that sizes which count
// something else are not compared: with headers, or perhaps with headers, or of the
// body alone, which is also what is assumed of formats that do not tell.
func (s SizeCount) Class() uint8 {
	switch s {
	case SizeTotal:
		return 8
	case SizeLengthOrTotal:
		return 16
	}
	return 0
}

// String says what is counted.
func (s SizeCount) String() string { return sizeCounts[s].text }

// Note says what that means for size matching, to an operator.
func (s SizeCount) Note() string { return sizeCounts[s].note }
