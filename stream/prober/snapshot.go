package prober

import (
	"context"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule/report"
)

// snapshot is what others see of a site without asking it. The owner has one that changes. Others have a copy that
// never does, and that is replaced whenever the owner leaves.
type snapshot struct {
	given    time.Time // of the last window or candidates
	decided  bool      // an operator decided something, which the site does not obey yet
	named    bool      // a reported pair waits for the next window
	owes     bool      // the site has valid rules not yet published, and a turn
	rested   bool      // the site stopped in favor of other sites
	approved bool      // an operator has said that the site is ours
	wait     Wait      // the last
	origin   origin    // what the origin showed when it was asked
	heard    Reports   // since the start

	held      *lifecycle.PendingUpdate // nil: nothing is held
	status    *lifecycle.Status        // as of the last request for a pair; nil: there was none
	published *book.Publication        // nil: there was none
}

// seen returns what others see of the site.
func (s *site) seen() *snapshot {
	if shown := s.shown.Load(); shown != nil {
		return shown
	}
	return &snapshot{}
}

// show shows others what the owner has done: the acts to the next checkpoint, and the rest to everybody.
func (s *site) show() {
	s.collect()
	if p := s.machine.Published(); p.Sequence > 0 && (s.now.published == nil || s.now.published.Sequence != p.Sequence) {
		s.now.published = &p
	}
	if s.now != *s.seen() {
		now := s.now
		s.shown.Store(&now)
	}
}

// answerWait is the longest wait for a site that computes. It computes for a second at most on most sites.
const answerWait = 2 * time.Second

// ask asks a site that may be computing. The error is report.ErrBusy: do was not called, and will not be.
func (s *site) ask(ctx context.Context, do func()) error {
	if s.inbox.Ask(ctx, answerWait, do) {
		return nil
	}
	return report.ErrBusy
}
