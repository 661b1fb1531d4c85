package notes

// Why says why a note matters, in one sentence.
func (n Note) Why() string {
	switch n.Kind {
	case OneSize:
		return "Two such URLs seem alike whether or not their pages are: a login page, an error page with status 200, or one application for all URLs."
	case SizesApart:
		return "A wide range of sizes overlaps with the sizes of many other pages, which then seem alike."
	case OneClient:
		return "All lines have the proxy's address, or a crawler or scanner made most URLs."
	case Headers:
		return "The headers vary with cookies and dates, so equal pages seldom have equal sizes."
	case MaybeHeaders:
		return "Answers sent in chunks are logged with headers, others without."
	case Encodings:
		return "If one form of a page was seen compressed and another plain, the pair does not count."
	}
	return ""
}

// Advice says what the owner of the log can do.
func (n Note) Advice() string {
	switch n.Kind {
	case OneSize:
		return "Let the server answer errors with a status of 400 or more. Try the rules on the site before use."
	case SizesApart:
		return "Mine one of two logs, or the lines of one server. Log the encoding. Mine a shorter window."
	case OneClient:
		return "Behind a proxy, log the visitor's address (X-Forwarded-For). Leave out scanners by their addresses or user agents. The log of your own crawl is fine."
	case Headers:
		return "Log the size of the body: %B or %b in Apache, $body_bytes_sent in nginx."
	case MaybeHeaders:
		return "Raise the tolerance of sizes, or mine the log of the server behind."
	case Encodings:
		return "Mine a longer log, or leave out clients that accept no compression."
	}
	return ""
}
