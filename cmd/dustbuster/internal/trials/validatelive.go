package trials

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/labelled"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/rule"
	"dustbuster/sinks/text"
)

// take keeps a verdict, and notes it for tell if the state of the rule or its step is new.
func (t *trying) take(v tried) {
	id := v.site + " " + v.ID
	if was := t.verdicts[id]; was.State != v.State || was.Verdict.Step != v.Verdict.Step {
		t.news = append(t.news, v)
	}
	t.verdicts[id] = v
}

// tell prints the new verdicts: the rules that were found valid and, on a terminal, the rules
// that were refuted, with a pair that refuted each.
func (t *trying) tell(show *cli.Progress) {
	for _, v := range t.news {
		if line := t.verdictLine(&v); v.State == rule.Valid || v.State == rule.Refuted && show.Live {
			show.Say(line)
		}
	}
	t.news = nil
}

func (t *trying) verdictLine(v *tried) string {
	of := "" // there is one site
	if len(t.sites) > 1 {
		of = fmt.Sprintf(" on %q", v.site)
	}
	state := map[rule.State]string{rule.Valid: "confirmed", rule.Refuted: "not confirmed"}[v.State]
	if v.IsProvisional() {
		state = "confirmed by a first test"
	}
	line := fmt.Sprintf("dustbuster: %s%s: %s", state, of, v.Rule.Words())
	if v.State == rule.Valid {
		return fmt.Sprintf("%s (%s match, %d differ; %s so far)", line, text.Count(v.Verdict.Positives, "page"), v.Verdict.Negatives,
			text.Count(int(t.fetcher.Stats().Requests), "request"))
	}
	if len(v.Verdict.Examples) > 0 {
		e := &v.Verdict.Examples[0] // a pair that does not hold
		line = fmt.Sprintf("%s (%s: %s and %s)", line, text.Reason(e.Outcome), t.refused.veil.Mask(e.U), t.refused.veil.Mask(e.V))
	}
	return line
}

// leastWords is the least number of columns left for the rule under test.
const leastWords = 24

// now describes the trials in a line of about the given number of columns: the rule under test
// of the first site that has one, with its outcomes, the requests, the share of the URLs that
// valid rules merge, and the candidates left.
func (t *trying) now(columns int) string {
	sites := t.worker.Status()
	urls, forms, left, outcomes, words := 0, 0, 0, "", ""
	for _, name := range t.sites {
		s, ok := sites[name]
		if !ok {
			continue
		}
		left += s.Open
		if s.Forms > 0 {
			urls, forms = urls+s.URLs, forms+s.Forms
		}
		if on := s.Trial; on != nil && words == "" {
			outcomes, words = fmt.Sprintf("%d match, %d differ: ", on.Positives, on.Negatives), on.Words()
		}
	}
	requests := text.Count(int(t.fetcher.Stats().Requests), "request")
	if total := t.config.Validate.Total; total > 0 {
		requests = fmt.Sprintf("%d of %s", t.fetcher.Stats().Requests, text.Count(total, "request"))
	}
	rest := fmt.Sprintf("%s, %.0f %% merged, %d rules left", requests, 100*float64(urls-forms)/float64(max(1, urls)), left)
	if words == "" {
		return rest
	}
	const semicolon = "; "
	used := utf8.RuneCountInString(outcomes + semicolon + rest)
	return outcomes + cli.Shorten(words, max(leastWords, columns-used)) + semicolon + rest
}

// beforeTrials returns the notes less that of a log without clients: what follows from it is told behind
// the trials (FewClients).
func beforeTrials(all []notes.Note) []notes.Note {
	return slices.DeleteFunc(slices.Clone(all), func(n notes.Note) bool { return n.Kind == notes.NoClient })
}

// mostNoted is the number of sites whose notes are said before rules are tried.
const mostNoted = 10

// sayNotes says what the log cannot tell about the first sites whose rules are tried.
func (t *trying) sayNotes(w io.Writer, sites *miner.Sites, asJSON bool) error {
	noted := t.sites[:min(mostNoted, len(t.sites))]
	for m := range sites.All() {
		if !slices.Contains(noted, m.Site()) {
			continue
		}
		if asJSON {
			if err := jsonl.WriteNotes(w, m.Site(), m.Notes().Notes); err != nil {
				return err
			}
			continue
		}
		of := "" // the log names no host
		if m.Site() != "" {
			of = fmt.Sprintf(" on %q", m.Site())
		}
		for _, n := range beforeTrials(m.Notes().Notes) {
			fmt.Fprintf(w, "dustbuster: note%s: %s\n", of, n)
		}
	}
	return nil
}

// sayListed says what became of the parameters that --lists names.
func (t *trying) sayListed(sites *miner.Sites, stderr io.Writer) {
	if len(t.config.Rule.Lists) == 0 {
		return
	}
	var told text.Listed
	for m := range sites.All() {
		var entries []*book.Entry
		for _, v := range t.verdicts {
			if v.site == m.Site() {
				entries = append(entries, &v.Entry)
			}
		}
		told.Tested(miner.Listed(m.Reach()), entries)
	}
	fmt.Fprintln(stderr, "dustbuster: "+told.Outcome(t.config.Veil().Mask))
}

// rulesOf returns the confirmed rules of a site, in their order.
func (t *trying) rulesOf(site string) (rules []rule.Rule) {
	p := t.worker.Published()[site]
	if p == nil {
		return nil
	}
	for _, record := range t.holding(site, p) {
		if r, err := record.Rule(); err == nil { // a published record has a rule
			rules = append(rules, r)
		}
	}
	return rules
}

// sayCanonicals says how many pages name another canonical URL than the confirmed rules make.
func (t *trying) sayCanonicals(stderr io.Writer) error {
	var told text.Canonicals
	for _, site := range t.sites {
		if err := told.Site(site, t.named.of(site), t.rulesOf(site)); err != nil {
			return err
		}
	}
	if said := told.Outcome(t.config.Veil().Mask); said != "" {
		fmt.Fprintln(stderr, "dustbuster: "+said)
	}
	return nil
}

// sayLabelled says what the confirmed rules explain of the duplicates that --labels names.
func (t *trying) sayLabelled(sites *miner.Sites, labels *labelled.Labels, stderr io.Writer) error {
	if labels == nil {
		return nil
	}
	var told text.Labelled
	for m := range sites.All() {
		if err := told.Site(labels, m.Site(), t.rulesOf(m.Site()), m.Reach().Pages()); err != nil {
			return err
		}
	}
	fmt.Fprintln(stderr, "dustbuster: "+told.Outcome("the confirmed rules", t.config.Veil().Mask))
	return nil
}

// interrupt stops the trials of single rules. For a while, validate tries the valid rules
// together. The channel delivers when validate must end.
func (t *trying) interrupt(say func(string)) <-chan time.Time {
	if !t.worker.Finish() {
		return time.After(0)
	}
	say(fmt.Sprintf("dustbuster: interrupted. The confirmed rules are tested together first, with at most %d requests. Interrupt again to end now", setRequests))
	return time.After(setRequests * max(t.config.Validate.Delay, 100*time.Millisecond) * 2) // an answer takes time, too
}

// setRequests is how many requests the trial of a site's set takes at most when few are
// left.
const setRequests = 100

// end ends all trials. If trials are unfinished, sets that were tried and never refuted are
// published.
func (t *trying) end(ctx context.Context) {
	t.last = t.worker.Status() // a worker that is closed says only that
	t.worker.Close()
	if ctx.Err() != nil || t.endsEarly() {
		t.worker.Conclude()
	}
	t.worker.Drain() // reported, and not saved
}

// endsEarly reports whether the trials end before all rules are tried, since no more requests may be made.
func (t *trying) endsEarly() bool {
	return t.spent || len(t.hours)+len(t.rests)+len(failing(t.last)) > 0
}

// left prints the rules left out, and returns the reason, if leaving them out was not
// intended.
func (t *trying) left(ctx context.Context, printed int, stderr io.Writer) error {
	if t.spent {
		fmt.Fprintf(stderr, "dustbuster: all %d requests of --fetch-total are used; rules that were not tested are left out\n", t.config.Validate.Total)
	}
	if n := t.count(rule.Valid) - printed; n > 0 {
		fmt.Fprintf(stderr, "dustbuster: %d more rules passed alone, but were not tested with the others; --output json leaves them out\n", n)
	}
	found := "the rules are those confirmed so far"
	if t.silent() {
		found += ": " + noneCompared
	}
	switch {
	case ctx.Err() != nil:
		return cli.NewPartialError(errors.New("interrupted; " + found))
	case len(t.hours) > 0:
		return cli.NewPartialError(fmt.Errorf("site %q: this hour's %d requests are used up (--fetch-budget); %s", t.hours[0], t.config.Validate.Budget, found))
	}
	if names := failing(t.last); len(names) > 0 {
		now := t.last[names[0]].Now
		return cli.NewPartialError(fmt.Errorf("site %q: %s: try again once the server works; %s", names[0], now.Words(), found))
	}
	if len(t.rests) > 0 {
		return cli.NewPartialError(fmt.Errorf("site %q answered 429 or 503 too often, so it rests for an hour: try later with a longer --fetch-delay; %s", t.rests[0], found))
	}
	switch {
	case len(t.sites) > 0 && t.strange.cover(t.sites):
		return errors.New("no rule was tested: name your hosts with --hosts")
	case t.silent():
		return errors.New(noneCompared)
	}
	return nil
}

const noneCompared = "no pages could be compared, so the output files were not changed"

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
