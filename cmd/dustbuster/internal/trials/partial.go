package trials

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
)

// interrupt stops the trials of single rules. For a while, validate tries the valid rules
// together. The channel delivers when validate must end.
func (t *trying) interrupt(say func(string)) <-chan time.Time {
	if !t.worker.Finish() {
		return time.After(0)
	}
	say(fmt.Sprintf("dustbuster: interrupted; rules that hold are tried together before they are printed, with at most %d requests; a second interrupt ends at once", setRequests))
	return time.After(setRequests * max(t.config.Validate.Delay, 100*time.Millisecond) * 2) // an answer takes time, too
}

// setRequests is how many requests the trial of a site's set takes at most when few are
// left.
const setRequests = 100

// end ends all trials. If trials are unfinished, sets that were tried and never refuted are
// published.
func (t *trying) end(ctx context.Context) {
	t.worker.Close()
	if ctx.Err() != nil || t.spent || len(t.hours)+len(t.rests) > 0 {
		t.worker.Conclude()
	}
	t.worker.Drain() // reported, and not saved
}

// left prints the rules left out, and returns the reason, if leaving them out was not
// intended.
func (t *trying) left(ctx context.Context, printed int, stderr io.Writer) error {
	if t.spent {
		fmt.Fprintf(stderr, "dustbuster: the %d requests of --fetch-total are made; rules that were not tried with them are left out\n", t.config.Validate.Total)
	}
	if n := t.count(rule.Valid) - printed; n > 0 {
		fmt.Fprintf(stderr, "dustbuster: %d more rules hold each, and were not tried together with the others: --output json leaves them out\n", n)
	}
	found := "the rules are those that were found to hold so far"
	if t.silent() {
		found += ": " + noneCompared
	}
	switch {
	case ctx.Err() != nil:
		return cli.NewPartialError(errors.New("interrupted; " + found))
	case len(t.hours) > 0:
		return cli.NewPartialError(fmt.Errorf("site %q: the hour's %d requests are used up (--fetch-budget); %s", t.hours[0], t.config.Validate.Budget, found))
	}
	if len(t.rests) > 0 {
		return cli.NewPartialError(fmt.Errorf("site %q rests for an hour, since it answered 429 or 503 again and again: try it later, with a longer --fetch-delay; %s", t.rests[0], found))
	}
	switch {
	case len(t.sites) > 0 && t.strange.cover(t.sites):
		return errors.New("nothing says that a site of the log is yours, so no rule was tried")
	case t.silent():
		return errors.New(noneCompared)
	}
	return nil
}

const noneCompared = "no two pages could be compared, so the files of --output stay as they are"

// silent reports whether the sites were asked and gave no two pages to compare, as do servers that are down. A
// list of rules that was made before is then not replaced.
func (t *trying) silent() bool {
	for _, v := range t.verdicts {
		if v.Verdict.Samples > 0 {
			return false
		}
	}
	return !t.spent && t.fetcher.Stats().Requests > 0
}

// sayOnce returns a function that prints the first of several errors.
func sayOnce(w io.Writer) func(error) {
	var once sync.Once
	return func(err error) { once.Do(func() { fmt.Fprintln(w, "dustbuster:", err) }) }
}

// published returns the valid rules, without rules sent back to trial since.
func (t *trying) published() (list jsonl.List) {
	all := t.worker.Published()
	for _, site := range t.sites {
		if p := all[site]; p != nil {
			list = append(list, jsonl.Valid(&book.Publication{Records: t.holding(site, p)})...)
		}
	}
	return list
}

// holding returns the records of a site's publication, without rules sent back to trial since.
func (t *trying) holding(site string, p *book.Publication) []rule.Record {
	return slices.DeleteFunc(slices.Clone(p.Records), func(r rule.Record) bool {
		return t.verdicts[site+" "+r.ID].State != rule.Valid
	})
}
