package text

import (
	"bufio"
	"fmt"
	"io"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule"
)

// Verdicts writes n verdicts as a table, with the verdicts of one site under its name.
func Verdicts(w io.Writer, n int, at func(i int) (site string, e *lifecycle.Entry)) error {
	out := bufio.NewWriter(w)
	last := ""
	for i := range n {
		site, e := at(i)
		if i == 0 || site != last {
			writeHead(out, site, i > 0)
			last = site
		}
		v := &e.Verdict
		fmt.Fprintf(out, "%-10s %5d %5d %5d  %5.1f %%  %s%s\n", e.State, v.Positives, v.Negatives, v.Skipped, 100*v.Bound, Edit(&e.Rule), why(e))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write verdicts: %w", err)
	}
	return nil
}

// why returns the reason of a verdict, unless the preceding numbers explain the
// verdict, and the number of rules that share the verdict.
func why(e *lifecycle.Entry) string {
	switch {
	case len(e.Same) == 1:
		return " (and another rule of the same pairs)"
	case len(e.Same) > 1:
		return fmt.Sprintf(" (and %d other rules of the same pairs)", len(e.Same))
	}
	if e.State != rule.Undecided || e.Verdict.Reason == "trial" {
		return ""
	}
	return " (" + e.Verdict.Reason + ")"
}

func writeHead(w io.Writer, site string, apart bool) {
	if apart {
		fmt.Fprintln(w)
	}
	if site == "" {
		site = "unnamed site"
	}
	fmt.Fprintf(w, "%s\n%-10s %5s %5s %5s  %7s  %s\n", site, "state", "same", "other", "none", "at most", "rule")
}
