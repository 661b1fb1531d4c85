package wrap

// anyOf is for topics whose producers wrap their lines each in its own way, each
// value by itself: any wrapper but the journal's export, or none. It is not tried
// by detection, for it fits everything.
//
// A line that is JSON itself is left as it is unless it has one of the shippers'
// keys; where that can be, the format is better named with its wrapper.
var anyOf = Wrapper{
	Name:        "any",
	Description: "any of the others but journal, or none, line by line (topics of several producers); only if named",
	Example:     "<190>1 2006-01-02T15:04:05Z www nginx 12 - - " + exampleLine,
	unwrap:      (*Unwrapper).any,
	untold:      true,
}

// shippers has every key under which shippers put a line, those of the later
// ones first: what a shipper wraps may have been wrapped before.
var shippers = envelope{keys: []string{"event.original", "message", messageField, "log"}, cut: docker16K}

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
