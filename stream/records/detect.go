package records

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"slices"

	"dustbuster/operators/read/wrap"
	"dustbuster/stream/lines"
)

// choose sets the present file to the file of a batch. The format of the file is named
// or detected from the first lines. For a file of no known format, detection is tried
// again now and then.
func (r *Reader) choose(in *lines.Batch) error {
	before := r.files[in.Path]
	if before != nil && !in.First {
		r.file = before
		if len(before.parsers) == 0 {
			r.retry(in)
		}
		return nil
	}
	first := firstLines(in)
	if len(first) == 0 && !r.named { // nothing to detect from yet, and any format will do
		r.file = cmp.Or(before, r.blank)
		return nil
	}
	parser, err := r.detect(in.Path, first)
	if err != nil && before != nil && len(before.parsers) > 0 { // a few odd lines at the start of a new generation
		r.file = before
		r.file.last = lineRead
		return nil
	}
	if len(r.files) >= manyPaths {
		r.forget()
	}
	r.file = newFile(in.Path)
	if host := r.o.Hosts[in.Path]; host != "" {
		r.file.host = []byte(host)
	}
	if err == nil {
		r.file.add(parser)
	}
	if before != nil {
		r.file.health.was = before.health.was
	}
	if err == nil && r.o.Found != nil && (before == nil || before.name != r.file.name) {
		r.o.Found(in.Path, r.file.name)
	}
	r.files[in.Path] = r.file
	return err
}

// retry tries to detect the format of a file of no known format: with each batch at
// first, and less often with each failure.
func (r *Reader) retry(in *lines.Batch) {
	f := r.file
	if f.wait--; f.wait >= 0 {
		return
	}
	first := append(slices.Clone(f.failed.inOrder()), firstLines(in)...)
	parser, err := r.detect(in.Path, first[max(0, len(first)-DetectLines):])
	if err != nil {
		f.waited = min(2*f.waited+1, mostWait)
		f.wait = f.waited
		return
	}
	r.learn(parser)
}

// mostWait is the greatest number of batches skipped between two attempts.
const mostWait = 63

// firstLines returns lines of a batch for detecting a format: at most DetectLines, none
// blank.
func firstLines(in *lines.Batch) (first [][]byte) {
	for line := range bytes.Lines(in.Head) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			first = append(first, line)
		}
	}
	for line := range in.Lines() {
		if len(bytes.TrimSpace(line)) > 0 {
			first = append(first, line)
		}
		if len(first) == DetectLines {
			break
		}
	}
	return first
}

// forget drops readable files whose formats can be detected again in the middle of the
// file. From mostPaths on, forget drops all files.
func (r *Reader) forget() {
	all := len(r.files) >= mostPaths
	maps.DeleteFunc(r.files, func(path string, f *file) bool {
		drop := all || !f.stateful() && f.health.bad == nil
		if drop {
			r.ward.drop(path)
		}
		return drop
	})
}

func (r *Reader) detect(path string, first [][]byte) (*wrap.Parser, error) {
	if r.named {
		p, err := wrap.New(r.o.Format)
		if err == nil {
			p.Learn(&r.o.Proxies, first)
		}
		return p, err
	}
	d := wrap.Detect(r.wrapper, first)
	switch best, _ := d.Best(); {
	case d.Parser != nil:
		d.Parser.Learn(&r.o.Proxies, first)
		return d.Parser, nil
	case d.Trouble != "":
		return nil, &FormatError{Path: path, Err: errors.New(d.Trouble)}
	default:
		return nil, &FormatError{Path: path, Lines: true, Best: best.Format.Name, Err: errors.New(best.Misfit)}
	}
}

// look tries to detect the format of the newest lines of a sample. It must fit half of them, or
// an eighth of lines in a wrapper. If the format was named, no other format is accepted.
func (r *Reader) look(b *Batch, s *sample, newest int) {
	share := 2
	if s == &r.file.others {
		share = 8
	}
	if !r.named {
		lines := s.newest(newest)
		d := wrap.Detect(r.wrapper, lines)
		if d.Parser != nil && d.Covered()*share >= len(lines) && !r.columned(d.Parser) {
			d.Parser.Learn(&r.o.Proxies, lines)
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
	r.detected = append(r.detected, p.Name())
	if r.o.Detected != nil {
		r.o.Detected(r.file.path, p.Name())
	}
}

// again reads the lines of the samples with the parser added last, and empties both. The lines
// were already counted as unread.
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

// readAgain reads a line with the last parser, and returns 1 if it is accepted, otherwise 0.
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
