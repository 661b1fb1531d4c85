package loop

import (
	"context"
	"sync/atomic"
	"time"

	"dustbuster/operators/window/waste"
	"dustbuster/stream/job"
	"dustbuster/stream/site"
)

// endLooks gives up the look under way: the next begins at once.
func (l *Loop) endLooks(ctx context.Context) {
	k := &l.looks
	k.on = false
	l.jobs.Cancel(job.Look)
	if k.giveUp != nil {
		k.giveUp.Store(true)
	}
	l.jobs.Wait(ctx, job.Look)
	l.looks = looks{}
}

// takeFound takes the result of a look. The next refinement lists the rules.
func (l *Loop) takeFound(found *site.Found) {
	k := &l.looks
	s := k.at
	k.at, k.giveUp = nil, nil
	switch {
	case s == nil:
	case !found.OK:
		s.ForgetLook()
	default:
		s.TakeLook(found)
		l.measure(s, found.Days)
	}
	l.nextLook()
}

// beginLooks begins to look at the windows of the sites that are due.
func (l *Loop) beginLooks() {
	k := &l.looks
	if !k.on || !l.in.live {
		return
	}
	if k.due.len() == 0 {
		now := time.Now()
		for m := range l.sites.All() {
			if s := l.of(m); s.NeedsLook(now, l.o.Learn) {
				k.due.add(s)
			}
		}
	}
	l.nextLook()
}

// nextLook waits for the turn to look, unless the loop has it.
func (l *Loop) nextLook() {
	if l.looks.on && l.looks.due.len() > 0 && !l.jobs.Busy(job.Look) {
		l.jobs.Go(job.Look, l.lookAt)
	}
}

// lookAt begins to look at the next window that is due.
func (l *Loop) lookAt() job.Run {
	k := &l.looks
	if k.due.len() == 0 {
		return nil
	}
	s, giveUp := k.due.first(), new(atomic.Bool)
	if !s.Settle(slice) {
		l.lagging.add(s) // the next refinement begins the look
		return nil
	}
	k.due.remove(s)
	k.at, k.giveUp = s, giveUp
	look := s.Look(time.Now(), l.publishedOf(s.Site()))
	return func() job.Take {
		found := look.Run(giveUp.Load)
		return func(context.Context) { l.takeFound(found) }
	}
}

// Look looks at the windows of all sites at once and lists the rules, when Run has ended.
func (l *Loop) Look() {
	for m := range l.sites.All() {
		s := l.of(m)
		found := s.LookHere(time.Now(), l.publishedOf(m.Site())).Run(func() bool { return false })
		s.TakeLook(found)
		l.measure(s, found.Days)
		s.Take(s.View(true).Refine())
	}
	l.tellFigures()
}

// measure takes the days that a look at a site has measured.
func (l *Loop) measure(s *site.Site, days []waste.Day) {
	next, changed := l.curves.of[s.Site()].Measured(days)
	l.curves.set(s.Site(), next, changed)
	l.save.due = l.save.due || len(changed) > 0
}
