package weblog

import (
	"slices"

	"dustbuster/operators/read/octets"
)

// step is how nearly all values of one op, or of several, are read.
type step struct {
	kind   stepKind
	stores bool    // the value is stored by the op's field
	op     *op     // the last of several
	found  bool    // the separator stands where the value ends
	past   int     // the length of the op's separator; 0 if keep is set
	after  literal // the op's separator
	sep    []byte  // the same
	dash   literal // a dash for a missing value and the separator, perhaps of more steps; empty: none
	dashes int     // the steps that dash stands for; of stepCommon, the steps that follow for each
	words  int     // stepSkip: their number
}

type stepKind uint8

const (
	stepOp     stepKind = iota // as the op reads it
	stepWord                   // up to the first byte of the separator
	stepList                   // the same, see inList
	stepQuoted                 // up to the first quote
	stepTime                   // width bytes, or up to the first byte of the separator
	stepNumber                 // unused digits
	stepStatus                 // three digits
	stepSize                   // digits
	stepClient                 // up to a blank; usually an IPv4 address
	stepSkip                   // several unused words with the same byte after each
	stepCommon                 // client, two dashes and a record at once, if they are so; the steps for each follow
	stepRecord                 // time, request, status and size, as in common
	stepAgents                 // referer and agent, as in combined
)

// kinds are the usual ways of shapes.
var kinds = [shapeFixed + 1]stepKind{shapeText: stepWord, shapeProtocol: stepWord, shapeList: stepList, shapeQuoted: stepQuoted,
	shapeTime: stepTime, shapeNumber: stepNumber}

// stepKind chooses how an op is read. A separator that may be part of a value has no usual way, since only the op finds
// where such a value ends. Nor has a field before one that hardly occurs by chance, unless the way of that one looks
// whether it can begin there.
func (o *op) stepKind() stepKind {
	unsure := o.next != nil && o.next.picky() && o.next.kind < stepTime
	switch {
	case unsure || o.sep == "" && o.shape != shapeNumber || o.sep != "" && (o.sep[0] == '-' || digit(o.sep[0])):
		return stepOp
	case o.field == fieldStatus:
		return stepStatus
	case o.field == fieldSize:
		return stepSize
	}
	return kinds[o.shape]
}

// is reports whether an op is of a field, read in a way, and has this text after it.
func (o *op) is(f field, kind stepKind, sep string) bool {
	return o.field == f && o.kind == kind && o.sep == sep
}

// plan makes the steps of a line.
func (l *lineScanner) plan() {
	whole := true
	for i := len(l.ops) - 1; i >= 0; i-- {
		o := &l.ops[i]
		o.kind = o.stepKind()
		whole = whole && (slotOf[o.field] != fieldRequest || o.kind == stepQuoted)
	}
	for ops := l.ops; whole && len(ops) > 0; {
		s, n := l.joined(ops)
		s.op = &ops[n-1]
		s.found = len(s.op.sep) == 1 && (s.kind == stepWord || s.kind == stepSkip)
		s.after, s.sep, s.past = newLiteral(s.op.sep), []byte(s.op.sep), len(s.op.sep)
		if s.op.keep {
			s.past = 0
		}
		l.steps, ops = append(l.steps, s), ops[n:]
	}
	for i := len(l.steps) - 1; i >= 0; i-- {
		l.steps[i].lack(l.steps[i+1:])
	}
	for i := range l.steps {
		at := l.steps[i:]
		if len(at) < 3 || at[0].kind != stepClient || at[0].op.sep+at[1].dash.text != commonDashes {
			continue
		}
		if n := 1 + at[1].dashes; n < len(at) && at[n].kind == stepRecord {
			s := at[n]
			s.kind, s.dashes = stepCommon, n+1
			l.steps = slices.Insert(l.steps, i, s)
			return
		}
	}
}

const commonDashes = " - - ["

// joined returns the step of the first ops, and their number.
func (l *lineScanner) joined(ops []op) (s step, n int) {
	for n < len(ops) && ops[n].is(fieldSkip, stepWord, ops[0].sep) && len(ops[0].sep) == 1 && !ops[n].keep {
		n++
	}
	switch {
	case n > 1:
		return step{kind: stepSkip, words: n}, n
	case len(ops) > 3 && ops[0].is(fieldTime, stepTime, `] "`) && ops[1].is(fieldRequest, stepQuoted, `" `) &&
		ops[2].is(fieldStatus, stepStatus, " ") && ops[3].kind == stepSize && !l.stores(fieldMethod):
		return step{kind: stepRecord}, 4
	case len(ops) > 1 && ops[0].is(fieldSkip, stepQuoted, `" "`) && ops[1].is(fieldAgent, stepQuoted, ops[1].sep):
		return step{kind: stepAgents}, 2
	}
	o := &ops[0]
	s = step{kind: o.kind, stores: o.field != fieldSkip && o.kind != stepStatus && o.kind != stepSize}
	if o.field == fieldClient && o.sep[:min(len(o.sep), 1)] == " " && (o.kind == stepWord || o.kind == stepList) {
		s.kind, s.stores = stepClient, false
	}
	return s, 1
}

// lack sets the dash of a step of a number, and of several words, such as those of common: "- - [".
func (s *step) lack(rest []step) {
	if s.kind == stepOp || s.kind == stepList || s.kind >= stepSkip || s.op.keep || !mayLack[s.op.field] {
		return
	}
	text, n := "-"+s.op.sep, 1
	for s.kind == stepWord && n <= len(rest) && rest[n-1].kind == stepWord && !rest[n-1].op.keep && mayLack[rest[n-1].op.field] &&
		len(text)+1+len(rest[n-1].op.sep) <= 8 {
		text += "-" + rest[n-1].op.sep
		n++
	}
	s.dash, s.dashes = newLiteral(text), n
}

// mayLack are the fields of a hit that a dash leaves empty.
var mayLack = [fields]bool{fieldSkip: true, fieldUser: true, fieldClient: true, fieldHost: true, fieldAgent: true,
	fieldSize: true, fieldStatus: true, fieldTime: true}

// literal is the text after a field.
type literal struct {
	text string
	n    int
	word uint64 // the text, if it has at most eight bytes
	mask uint64 // its bytes
}

func newLiteral(text string) literal {
	var b [8]byte
	n := copy(b[:], text)
	return literal{text, len(text), octets.Load(b[:]), ^uint64(0) >> (64 - 8*n)}
}

// begins reports whether b begins with the text.
func (l *literal) begins(b []byte) bool {
	if len(b) >= 8 && l.n <= 8 {
		return octets.Load(b)&l.mask == l.word
	}
	return len(b) >= l.n && string(b[:l.n]) == l.text
}
