package wrap

import "fmt"

// MaxLine bounds in bytes an inner line that comes in pieces.
const MaxLine = 64 << 10

// Wrapper is one way to put something around a line.
type Wrapper struct {
	Name        string
	Description string // one line
	Example     string // around a line of the format combined

	unwrap    func(u *Unwrapper, line []byte) ([]byte, Got)
	untold    bool // detection does not try it
	maybeBare bool // a line whose inner one is in no format may itself be one
}

// table holds the wrappers. Where several fit equally well, detection takes the
// earlier one.
var table = []Wrapper{
	cri,
	syslog,
	docker,
	journalJSON,
	filebeat,
	vector,
	fluentBit,
	rsyslog,
	journal,
	anyOf,
}

// Wrappers gives all wrappers, in the order in which they are tried.
func Wrappers() []Wrapper { return append([]Wrapper(nil), table...) }

// byName finds a wrapper; nil if there is none of that name.
func byName(name string) *Wrapper {
	for i := range table {
		if table[i].Name == name {
			return &table[i]
		}
	}
	return nil
}

// Got says what a line turned out to be.
type Got uint8

// What an Unwrapper makes of a line.
const (
	Inner   Got = iota // an inner line, whole
	Nothing            // the wrapper's own, or the beginning of an inner line
	Foreign            // not in this wrapper, or torn
)

// Unwrapper takes the inner lines out of the lines of one file. One goroutine
// uses it.
type Unwrapper struct {
	wrapper *Wrapper
	buf     []byte // a string without its escapes; reused
	pieces  [2]pieces
	field   binaryField
}

// NewUnwrapper returns an Unwrapper of the wrapper of that name. The lines may be
// values of a topic; of "any", each may be in another wrapper.
func NewUnwrapper(name string) (*Unwrapper, error) {
	w := byName(name)
	if w == nil {
		return nil, fmt.Errorf("unknown wrapper %q", name)
	}
	return &Unwrapper{wrapper: w}, nil
}

// Unwrap gives the line within, which lies in line or in u's own buffers and is
// valid until the next Unwrap. It does not allocate, once the buffers have grown
// to the longest line.
func (u *Unwrapper) Unwrap(line []byte) (inner []byte, got Got) { return u.wrapper.unwrap(u, line) }

// Open reports whether the beginning of an inner line is held.
func (u *Unwrapper) Open() bool {
	return u.pieces[0].open() || u.pieces[1].open() || u.field.open
}

// pieces joins what comes of one line.
type pieces struct {
	held []byte
	over bool // the line is longer than MaxLine; its pieces are dropped
}

func (p *pieces) open() bool { return len(p.held) > 0 || p.over }

// add takes the next piece of a line.
func (p *pieces) add(b []byte, last bool) ([]byte, Got) {
	switch {
	case last && !p.open():
		return b, Inner
	case p.over || len(p.held)+len(b) > MaxLine:
		p.held, p.over = p.held[:0], !last
		if last {
			return nil, Foreign
		}
		return nil, Nothing
	}
	whole := append(p.held, b...)
	p.held = whole
	if !last {
		return nil, Nothing
	}
	p.held = whole[:0] // overwritten by the next piece, not before
	return whole, Inner
}
