package lifecycle

// owes reports whether rules wait for the trial of the set: see Machine.Owes.
func (pl *planner) owes() bool {
	return pl.view != nil && pl.publisher.owes(pl.view.list)
}

// conclude publishes what may be published without more fetches: see Machine.Close.
func (pl *planner) conclude(now int64) {
	pl.rest, pl.closing = FullRest, true
	if test, ok := pl.next(now); ok {
		pl.trials.release(test)
	}
	pl.closing = false
}
