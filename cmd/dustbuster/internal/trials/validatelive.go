package trials

import (
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"dustbuster/cmd/dustbuster/internal/cli"
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
	state := string(v.State)
	if v.IsProvisional() {
		state = "valid, not yet proved"
	}
	line := fmt.Sprintf("dustbuster: %s%s: %s", state, of, v.Rule.Words())
	if v.State == rule.Valid {
		return fmt.Sprintf("%s (%s alike, %d not; %s so far)", line, text.Count(v.Verdict.Positives, "pair"), v.Verdict.Negatives,
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
			outcomes, words = fmt.Sprintf("%d alike, %d not: ", on.Positives, on.Negatives), on.Words()
		}
	}
	requests := text.Count(int(t.fetcher.Stats().Requests), "request")
	if total := t.config.Validate.Total; total > 0 {
		requests = fmt.Sprintf("%d of %s", t.fetcher.Stats().Requests, text.Count(total, "request"))
	}
	rest := fmt.Sprintf("%s, %.0f %% merged, %d left", requests, 100*float64(urls-forms)/float64(max(1, urls)), left)
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
