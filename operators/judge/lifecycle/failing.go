package lifecycle

import (
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/judge/lifecycle/trials"
	"dustbuster/operators/judge/trial"
)

// mostFailed is the number of looks in a row at which a server failed that end a visit.
const mostFailed = 10

// failing counts the looks in a row at which the server failed: it gave no answer, or said that it could not give one.
// After the tenth an unrelated page is asked for. If the server fails there as well, the site is left alone: for an hour,
// then for twice as long each time, up to a day. After each rest the unrelated page comes first. If the server
// answers at once, it fails at the pages of the rule on trial alone, which is left undecided. It begins anew with each
// start of the program.
type failing struct {
	row       int
	probe     book.Key // of the unrelated page
	asked     int      // decoys that were asked for it since the last rest: one may tell nothing, as when robots.txt forbids it
	elsewhere bool     // the server answers there
	until     int64    // the site is left alone until then; 0: it is not
	pause     int64    // how long it was left alone last
}

// Answered notes whether the server failed at a look: a document that it was asked for now did not come, or came with the
// status 408, 429 or 5xx. Callers need not say it of looks at documents that were known. It is to be said before the outcome.
func (di *Dialogue) Answered(t Look, failed bool, now int64) {
	f := di.failing
	probed := f != nil && f.row >= mostFailed && t.key == f.probe
	switch {
	case !failed && probed && f.until == 0:
		di.failing = &failing{elsewhere: true}
	case !failed:
		di.failing = nil
	case probed:
		f.rest(now)
	case f == nil:
		di.failing = &failing{row: 1}
	default:
		f.row++
	}
}

// rest leaves the site alone.
func (f *failing) rest(now int64) {
	f.pause = min(max(2*f.pause, book.Hour), book.Day)
	f.until, f.asked = now+f.pause, 0
}

// rests reports whether the site is left alone since its server fails.
func (f *failing) rests(now int64) bool { return f != nil && now < f.until }

// outage is the state in which a server fails.
func (tr *trier) outage(now int64) (Look, step) {
	f := tr.dialogue.failing
	switch {
	case tr.closing, f == nil:
		return Look{}, nothing
	case f.rests(now):
		return Look{}, waiting
	case f.elsewhere:
		return Look{}, tr.giveUp(now)
	case f.row < mostFailed:
		return Look{}, nothing
	}
	probe := f.unrelated(tr.view, tr.ongoing.rule)
	if probe == nil {
		f.rest(now)
		f.row-- // the next look tells
		return Look{}, waiting
	}
	f.probe = probe.Key
	look, s := tr.dialogue.ask(Control, "", &trials.Pair{Pair: *probe})
	look.Fresh = true
	return look, s
}

// giveUp leaves the rule on trial undecided, at whose pages alone the server fails.
func (tr *trier) giveUp(now int64) step {
	tr.dialogue.failing = nil
	a := tr.ongoing.rule
	if a == nil {
		return changed
	}
	a.Fails = true
	tr.verdicts.decide(a, trial.Undecided, now)
	return changed
}

// unrelated returns the next decoy of another kind than the pages of the rule on trial; nil: there is none.
func (f *failing) unrelated(view *forms.View, a *trials.Trial) *forms.Pair {
	kinds := map[string]bool{}
	if a != nil {
		for p := range a.Tried {
			kinds[forms.KindOf(p.U)] = true
		}
	}
	for decoys := view.Decoys(); f.asked < len(decoys); {
		d := &decoys[f.asked]
		if f.asked++; !kinds[d.Kind] {
			return d.Pair()
		}
	}
	return nil
}
