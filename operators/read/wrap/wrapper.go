package wrap

import "slices"

// MaxLine is the maximum length of an inner line that arrives in pieces, in bytes.
const MaxLine = 64 << 10

// Wrapper is a way of wrapping lines.
type Wrapper struct {
	Name        string
	Description string // one line
	Example     string // around a line of the format combined

	unwrap    func(u *Unwrapper, line []byte) ([]byte, Got)
	untold    bool // detection does not try the wrapper
	joins     bool // a line may stand in several pieces
	maybeBare bool // if the inner line is in no format, Unwrapper.bare is tried
}

// table lists the wrappers. If several fit equally well, detection takes the first.
var table = []Wrapper{
	cri,
	syslog,
	compose,
	docker,
	journalJSON,
	filebeat,
	vector,
	fluentBit,
	rsyslog,
	journal,
	documents,
	anyOf,
}

// Wrappers returns all wrappers, in the order in which detection tries them.
func Wrappers() []Wrapper { return slices.Clone(table) }

func byName(name string) *Wrapper {
	for i := range table {
		if table[i].Name == name {
			return &table[i]
		}
	}
	return nil
}

// Got is the result of unwrapping a line.
type Got uint8

// The results of unwrapping.
const (
	Inner   Got = iota // a whole inner line
	Nothing            // a line of the wrapper itself, or a piece of an inner line
	Foreign            // not in this wrapper, or torn
)

// Unwrapper unwraps the lines of one file. An Unwrapper belongs to one goroutine.
type Unwrapper struct {
	wrapper *Wrapper
	buf     []byte // an unescaped string; reused
	site    []byte // the host that the wrapper names beside the inner line; nil: none
	bare    []byte // what is tried if the inner line is in no format (maybeBare)
	pieces  [2]pieces
	field   binaryField
}

// Unwrap returns the inner line, which aliases line or u's buffers and is valid until the next
// Unwrap. It does not allocate once the buffers have grown to the longest line.
func (u *Unwrapper) Unwrap(line []byte) (inner []byte, got Got) {
	u.site, u.bare = nil, line
	return u.wrapper.unwrap(u, line)
}

// Open reports whether the Unwrapper holds the beginning of an inner line.
func (u *Unwrapper) Open() bool {
	return u.pieces[0].open() || u.pieces[1].open() || u.field.open
}

// pieces joins the pieces of a line.
type pieces struct {
	held []byte
	over bool // the line is longer than MaxLine; its pieces are dropped
}

func (p *pieces) open() bool { return len(p.held) > 0 || p.over }

// add adds a piece of a line. After the last it returns the whole line.
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
