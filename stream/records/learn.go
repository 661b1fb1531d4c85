package records

import (
	"cmp"

	"dustbuster/operators/read/wrap"
)

// look tries to detect the format of the newest lines of a sample. The format must fit
// half of the lines, or an eighth of the lines in a wrapper. If the format was named,
// no other format is accepted.
func (r *Reader) look(b *Batch, s *sample, newest int) {
	share := 2
	if s == &r.file.others {
		share = 8
	}
	if !r.named {
		lines := s.newest(newest)
		d := wrap.Detect(r.wrapper, lines)
		if d.Parser != nil && d.Covered()*share >= len(lines) && !r.columned(d.Parser) {
			r.learn(d.Parser)
			r.again(b)
			return
		}
	}
	s.later()
}

// columned reports whether both the parser and the file have columns named by lines.
// Lines that do not fit the file's columns are torn and do not have other columns.
func (r *Reader) columned(p *wrap.Parser) bool { return p.Stateful() && r.file.stateful() }

// learn adds a parser to the present file and reports the format.
func (r *Reader) learn(p *wrap.Parser) {
	r.file.add(p)
	r.file.learned = true
	r.file.health.seen, r.file.health.missed = 0, 0
	if r.o.Detected != nil {
		r.o.Detected(r.file.path, p.Name())
	}
}

// again reads the lines of the samples with the parser added last, and empties the
// samples. The lines were already counted as unread.
func (r *Reader) again(b *Batch) {
	f := r.file
	f.learned = false
	failed := &b.Counts.Reread.Malformed
	if len(f.parsers) == 1 {
		failed = &b.Counts.Reread.Unknown
	}
	for _, line := range f.failed.inOrder() {
		*failed += r.readAgain(b, line)
	}
	for _, line := range f.others.inOrder() {
		b.Counts.Reread.Other += r.readAgain(b, line)
	}
	f.failed, f.others = failedSample, otherSample
	f.last = lineRead
}

// readAgain reads a line with the last parser, and returns 1 if the parser accepts the
// line, otherwise 0.
func (r *Reader) readAgain(b *Batch, line []byte) int {
	kind, _ := r.file.parsers[len(r.file.parsers)-1].Parse(&r.hit, line)
	switch kind {
	case wrap.Hit:
		r.admit(b)
	case wrap.Directive:
		b.Counts.Directive++
	case wrap.Wrapping:
		b.Counts.Wrapping++
	default:
		return 0
	}
	return 1
}

// judge counts how many of a batch's lines could be read, and reports when the present
// file becomes unreadable or readable.
func (r *Reader) judge(b *Batch) {
	c, f := &b.Counts, r.file
	read, missed := 0, c.Malformed+c.Unknown-c.Reread.Malformed-c.Reread.Unknown
	for _, n := range c.Reasons {
		read += n
	}
	if f.read += read; f.read > calm {
		f.read = 0
		f.failed.begin(failedSample)
		f.others.begin(otherSample)
	}
	changed := f.health.add(read, max(0, missed), cmp.Or(r.why, errUnknown))
	format := ""
	if f != r.blank {
		format = f.name
		r.ward.set(b.Path, f.health)
	}
	r.ward.note(b, format, r.why)
	if !changed || r.o.Unreadable == nil {
		return
	}
	if f.health.bad == nil {
		r.o.Unreadable(b.Path, nil)
		return
	}
	r.o.Unreadable(b.Path, &UnreadableError{b.Path, r.named, f.health.bad})
}
