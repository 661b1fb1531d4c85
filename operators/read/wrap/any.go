package wrap

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
	default:
		if inner, got = u.cri(line); got == Foreign {
			inner, got = u.syslog(line)
		}
	}
	if got == Foreign {
		return line, Inner
	}
	return inner, got
}
