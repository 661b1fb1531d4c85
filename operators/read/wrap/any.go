package wrap

import "bytes"

// anyOf is for topics whose producers wrap lines in different ways. Each value may be in any
// wrapper except the journal's export, or in none. anyOf fits every line, so detection does not
// try it.
//
// The text under a shipper's key may be no log line: Caddy's own JSON has a key msg, and
// Vector's parsed Apache lines have message. So if the inner line fits no format, the line
// itself is read.
var anyOf = Wrapper{
	Name:        "any",
	Description: "any of the others but journal, or none, line by line (topics of several producers); only if named",
	Example:     "<190>1 2006-01-02T15:04:05Z www nginx 12 - - " + exampleLine,
	unwrap:      (*Unwrapper).any,
	untold:      true,
	joins:       true,
	maybeBare:   true,
}

// documents is for lines that an Unfolder has taken out of documents. They may stand in a shipper's
// wrapper, too.
var documents = Wrapper{
	Name:        "documents",
	Description: "documents that hold lines: OTLP JSON, Loki's push API, Kafka Connect, CloudWatch Logs, Data Firehose, Azure Monitor",
	Example:     `{"streams":[{"stream":{"job":"nginx"},"values":[["1136239445000000000","` + exampleJSON + `"]]}]}`,
	unwrap:      (*Unwrapper).document,
	joins:       true,
	maybeBare:   true,
}

func (u *Unwrapper) document(line []byte) ([]byte, Got) {
	rest, ok := bytes.CutPrefix(line, []byte(documentMark))
	site, rest, named := bytes.Cut(rest, []byte(" "))
	if !ok || !named {
		return nil, Foreign
	}
	if string(site) != "-" {
		u.site = site
	}
	u.bare = rest
	return u.any(rest)
}

// shippers lists every key under which a shipper puts a line. The keys of later shippers
// come first, since a shipper may wrap an already wrapped line.
var shippers = envelope{keys: []string{"event.original", "message", messageField, msgField, "log"}, cut: docker16K}

func (u *Unwrapper) any(line []byte) ([]byte, Got) {
	if len(line) == 0 {
		return line, Inner
	}
	var inner []byte
	got := Foreign
	switch line[0] {
	case '{', '[':
		inner, got = shippers.unwrap(u, line)
	case documentMark[0]:
		if inner, got = u.document(line); got != Foreign {
			return inner, got
		}
	default:
		if inner, got = u.cri(line); got == Foreign {
			inner, got = u.syslog(line)
		}
		if got == Foreign {
			inner, got = u.compose(line)
		}
	}
	if got == Foreign {
		return line, Inner
	}
	return inner, got
}
