package text

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
)

// Outcome is what became of the tested rules of a site.
type Outcome struct {
	Site    string
	Entries []*book.Entry                      // valid rules first
	Saving  func(*rule.Rule) miner.Saving      // of each valid rule, in their order
	Left    func(e *book.Entry) (requests int) // about how many complete the test of a provisional rule
	More    string                             // what shows all rules
}

// mostTold is the number of rules of one outcome that are shown.
const mostTold = 10

// Write says which rules are confirmed, and by how many pages, and which are not.
func (o *Outcome) Write(w io.Writer, named bool) error {
	out := bufio.NewWriter(w)
	if named {
		fmt.Fprintf(out, "%s\n", cmp.Or(o.Site, "unnamed site"))
	}
	var proved, first, refuted, open []*book.Entry
	for _, e := range o.Entries {
		switch {
		case e.IsProvisional():
			first = append(first, e)
		case e.State == rule.Valid:
			proved = append(proved, e)
		case e.State == rule.Refuted:
			refuted = append(refuted, e)
		default:
			open = append(open, e)
		}
	}
	o.part(out, "Confirmed: "+numbered(len(proved), "rule"), proved, o.merged)
	o.part(out, fmt.Sprintf("Confirmed by a first test: %s (about %s would complete it)", numbered(len(first), "rule"), numbered(o.left(first), "more request")), first, o.merged)
	o.part(out, fmt.Sprintf("Not confirmed: %s that would merge different pages", numbered(len(refuted), "rule")), refuted, different)
	o.part(out, "No clear result: "+numbered(len(open), "rule"), open, func(e *book.Entry) string { return Reason(e.Verdict.Reason) })
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write verdicts: %w", err)
	}
	return nil
}

func (o *Outcome) left(first []*book.Entry) (requests int) {
	for _, e := range first {
		requests += o.Left(e)
	}
	return requests
}

// part writes the rules of one outcome.
func (o *Outcome) part(out io.Writer, head string, all []*book.Entry, told func(*book.Entry) string) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(out, "%s\n", head)
	shown, width := all[:min(mostTold, len(all))], leastWidth
	for _, e := range shown {
		if n := utf8.RuneCountInString(e.Rule.Words()); n <= mostWidth {
			width = max(width, n)
		}
	}
	for i, e := range shown {
		pad := "\n     "
		if n := width - utf8.RuneCountInString(e.Rule.Words()); n >= 0 {
			pad = strings.Repeat(" ", n+2)
		}
		fmt.Fprintf(out, "%3d  %s%s%s\n", i+1, e.Rule.Words(), pad, told(e))
	}
	if n := len(all) - len(shown); n > 0 {
		fmt.Fprintf(out, "     and %d more: %s\n", n, o.More)
	}
}

// merged says what a valid rule merges, and by how many pages it is confirmed.
func (o *Outcome) merged(e *book.Entry) string {
	s := o.Saving(&e.Rule)
	return fmt.Sprintf("%s; confirmed by %s", effect(&miner.Effect{URLs: s.URLs, Bytes: s.Bytes}), numbered(e.Verdict.Positives, "page"))
}

// different says how many pages of a rule differed.
func different(e *book.Entry) string {
	return fmt.Sprintf("%s of %d differ", numbered(e.Verdict.Negatives, "page"), e.Verdict.Samples)
}
