package records

import (
	"bytes"
	"cmp"
	"context"

	"dustbuster/operators/read/weblog"
	"dustbuster/operators/read/wrap"
	"dustbuster/operators/window/admit"
	"dustbuster/stream/lines"
)

// parse turns a batch of lines into one of records. The error is that of ctx, which may end
// while the consumer holds all batches.
func (r *Reader) parse(ctx context.Context, in *lines.Batch) error {
	defer in.Release()
	if err := r.begin(ctx, in); err != nil {
		return err
	}
	return r.read(ctx, in, nil)
}

// begin chooses the file of a batch.
func (r *Reader) begin(ctx context.Context, in *lines.Batch) error {
	if in.First {
		if err := r.last(ctx); err != nil {
			return err
		}
	}
	if err := r.choose(in); err != nil {
		r.ward.fail(in.Path, err)
		r.out <- Pumped{Err: err}
	}
	return nil
}

// read reads the lines of a batch of the present file: all, or those that a worker left.
func (r *Reader) read(ctx context.Context, in *lines.Batch, by *task) error {
	b, err := r.pool.Get(ctx)
	if err != nil {
		return err
	}
	for line := range bytes.Lines(in.Head) {
		for _, p := range r.file.parsers {
			_, _ = p.Parse(&r.hit, bytes.TrimRight(line, "\r\n")) // parsed for its effect on later lines
		}
	}
	b.Path, b.File, b.End, b.Passed, b.Bytes = in.Path, in.File, in.End, in.End, int64(len(in.Data))
	b.Counts.Lines, b.Counts.Oversized = in.Oversized, in.Oversized
	r.why = nil
	if r.file.learned {
		r.again(b)
	}
	if by != nil {
		r.leftOf(b, by)
	} else {
		for line := range in.Lines() {
			r.line(b, line)
		}
	}
	b.Format = r.file.name
	missed := r.file.last == lineMissed && !r.o.DeadLetters
	if r.file.open() || missed {
		b.End = 0 // the last line must be read again, from its beginning or with another parser
	}
	r.judge(b)
	if r.file.open() || missed && (len(r.file.parsers) == 0 || r.file.health.bad != nil) {
		b.Passed = 0 // the lines are read by a reader that knows their format
	}
	r.noteAgents(b)
	r.send(b)
	return nil
}

// last tries to read the unread lines of a finished file, because no further lines
// follow.
func (r *Reader) last(ctx context.Context) error {
	if r.file == nil || r.o.Live || r.file.failed.fresh < 2 {
		return nil
	}
	b, err := r.pool.Get(ctx)
	if err != nil {
		return err
	}
	b.Path, b.Format = r.file.path, r.file.name
	r.look(b, &r.file.failed, r.file.failed.fresh)
	r.send(b)
	return nil
}

// send hands over a batch.
func (r *Reader) send(b *Batch) {
	b.Further, r.detected = r.detected, nil
	r.out <- Pumped{Batch: b}
}

// line counts a line and adds its record to the batch.
func (r *Reader) line(b *Batch, line []byte) {
	b.Counts.Lines++
	if len(r.file.parsers) == 0 {
		b.Counts.Unknown++
		r.missed(b, line, errUnknown)
		return
	}
	kind, err := r.file.parsers[0].Parse(&r.hit, line)
	if (kind == wrap.Malformed || kind == wrap.Other) && len(r.file.parsers) > 1 {
		kind, err = r.further(line, kind, err)
	}
	if kind != wrap.Hit {
		r.left(b, line, kind, err)
		return
	}
	r.file.last = lineRead
	r.admit(b)
}

// further tries the parsers after the first. If one of them knows the line as another
// program's, it counts as such.
func (r *Reader) further(line []byte, kind wrap.Kind, err error) (wrap.Kind, error) {
	for _, p := range r.file.parsers[1:] {
		next, why := p.Parse(&r.hit, line)
		switch {
		case next != wrap.Malformed && next != wrap.Other:
			return next, why
		case next == wrap.Other && kind == wrap.Malformed:
			kind, err = next, why
		}
	}
	return kind, err
}

// admit adds the record of the hit to the batch, if it is admitted.
func (r *Reader) admit(b *Batch) {
	b.Records = append(b.Records, Record{})
	record := &b.Records[len(b.Records)-1]
	hosted := setHost(&r.hit, r.file.host)
	site, why := r.gate.Admit(&record.Observation, &r.hit)
	b.Counts.Reasons[why]++
	if why != admit.Admitted {
		b.Records = b.Records[:len(b.Records)-1]
		return
	}
	if hosted {
		b.Counts.Hosted++
	}
	record.Site, record.URL = site, b.keep(record.URL)
}

// left counts a line without a record.
func (r *Reader) left(b *Batch, line []byte, kind wrap.Kind, err error) {
	switch {
	case kind == wrap.Directive:
		b.Counts.Directive++
		r.file.last = lineRead
	case kind == wrap.Wrapping:
		b.Counts.Wrapping++
	case len(bytes.TrimSpace(line)) == 0:
		b.Counts.Blank++
	case kind == wrap.Other:
		b.Counts.Other++
		r.keepLine(b, &r.file.others, line, lineOther)
	default:
		b.Counts.Malformed++
		r.missed(b, line, err)
	}
}

// keepLine keeps a line until its format is detected, which may happen now.
func (r *Reader) keepLine(b *Batch, s *sample, line []byte, as lastLine) {
	inRow := r.file.last == as
	r.file.last = as
	if n := s.add(line, inRow); n > 0 {
		r.look(b, s, n)
	}
}

// missed reports a line that no parser could read, and keeps it.
func (r *Reader) missed(b *Batch, line []byte, err error) {
	if r.o.Malformed != nil {
		r.o.Malformed(b.Path, line, err)
	}
	r.why = err
	r.keepLine(b, &r.file.failed, line, lineMissed)
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
	if f == r.blank {
		r.ward.note(b, nil, r.why)
	} else {
		r.ward.note(b, f, r.why)
	}
	if !changed || r.o.Unreadable == nil {
		return
	}
	var report *UnreadableError
	if f.health.bad != nil {
		report = &UnreadableError{b.Path, r.named, f.health.bad}
	}
	r.o.Unreadable(b.Path, report)
}

// noteAgents calls Options.Agentless for a format whose records name clients but no
// user agents, once per format.
func (r *Reader) noteAgents(b *Batch) {
	if r.o.Agentless == nil || b.Counts.Reasons[admit.Admitted] == 0 || r.agentless[b.Format] {
		return
	}
	for _, p := range r.file.parsers {
		if has := p.Fields(); has&weblog.HasAgent == 0 && has&weblog.HasClient != 0 {
			r.agentless[b.Format] = true
			r.o.Agentless(b.Path, b.Format)
			return
		}
	}
}
