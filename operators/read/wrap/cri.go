package wrap

import "bytes"

// cri is the log format of Kubernetes' container runtimes: a time, the stream, a tag, and the
// line. The tag is P if more of the line follows, else F. Further tags may follow after colons.
// (kubernetes, "CRI logging")
var cri = Wrapper{
	Name:        "cri",
	Description: "Kubernetes' container runtimes (containerd, CRI-O): time, stream, F or P, line",
	Example:     `2006-01-02T15:04:05.678901234Z stdout F ` + exampleLine,
	unwrap:      (*Unwrapper).cri,
	joins:       true,
}

const exampleLine = `192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0"`

func (u *Unwrapper) cri(line []byte) ([]byte, Got) {
	rest, ok := cutISOTime(line)
	if !ok {
		return nil, Foreign
	}
	p, rest := u.stream(rest)
	if p == nil || len(rest) < 1 || rest[0] != 'F' && rest[0] != 'P' {
		return nil, Foreign
	}
	last := rest[0] == 'F'
	n := bytes.IndexByte(rest, ' ')
	switch {
	case n < 0:
		n = len(rest) - 1 // an empty line, with the blank trimmed
	case n > 1 && rest[1] != ':':
		return nil, Foreign
	}
	return p.add(rest[n+1:], last)
}

// stream removes "stdout " or "stderr ".
func (u *Unwrapper) stream(b []byte) (*pieces, []byte) {
	const name = "stdout "
	if len(b) < len(name) {
		return nil, nil
	}
	switch string(b[:len(name)]) {
	case "stdout ":
		return &u.pieces[0], b[len(name):]
	case "stderr ":
		return &u.pieces[1], b[len(name):]
	}
	return nil, nil
}

// cutISOTime removes a time such as "2006-01-02T15:04:05", and all up to and with the next
// space, such as a fraction and a zone. Only the shape is checked.
func cutISOTime(b []byte) ([]byte, bool) {
	const shape = "dddd-dd-ddTdd:dd:dd"
	if len(b) < len(shape) {
		return nil, false
	}
	for i := range len(shape) {
		if c := shape[i]; c == 'd' && b[i]-'0' > 9 || c != 'd' && b[i] != c {
			return nil, false
		}
	}
	n := bytes.IndexByte(b[len(shape):min(len(b), 64)], ' ')
	if n < 0 {
		return nil, false
	}
	return b[len(shape)+n+1:], true
}
