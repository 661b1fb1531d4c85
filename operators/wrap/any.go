package wrap

// anyOf is for topics whose producers wrap their lines each in its own way, each
// value by itself: any wrapper but the journal's export, or none. It is not tried
// by detection, for it fits everything.
//
// What stands under a shipper's key may be no line: Caddy's own JSON has msg, that
// which Vector makes of Apache's lines has message. So a line whose inner one is in
// no format is read as it stands.
var anyOf = Wrapper{
	Name:        "any",
	Description: "any of the others but journal, or none, line by line (topics of several producers); only if named",
	Example:     "<190>1 2006-01-02T15:04:05Z www nginx 12 - - " + exampleLine,
	unwrap:      (*Unwrapper).any,
	untold:      true,
	maybeBare:   true,
}

// shippers has every key under which shippers put a line, those of the later
// ones first: what a shipper wraps may have been wrapped before.
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
