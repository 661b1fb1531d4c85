package text

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// Verdicts writes n verdicts as a table, with the verdicts of one site under its name.
func Verdicts(w io.Writer, n int, at func(i int) (site string, e *book.Entry)) error {
	out := bufio.NewWriter(w)
	last := ""
	for i := range n {
		site, e := at(i)
		if i == 0 || site != last {
			writeHead(out, site, i > 0)
			last = site
		}
		v := &e.Verdict
		fmt.Fprintf(out, "%-10s %5d %5d %5d  %5.1f %%  %s%s\n", e.State, v.Positives, v.Negatives, v.Skipped, 100*v.Bound, e.Rule.Words(), why(e))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write verdicts: %w", err)
	}
	return nil
}

// why returns the reason of a verdict, unless the numbers before explain it.
func why(e *book.Entry) string {
	if e.IsProvisional() {
		return " (provisional)"
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
	fmt.Fprintf(w, "%s\n%-10s %5s %5s %5s  %7s  %s\n", cmp.Or(site, "unnamed site"), "state", "same", "other", "none", "at most", "rule")
}

// reasons are the reasons of verdicts and of the outcomes of pairs, in words.
var reasons = map[string]string{
	// of a verdict
	"trial":          "the outcomes decide",
	"unsafe":         "with the rule, some URL has no canonical form",
	"set":            "together with the other rules, the rule made a wrong URL",
	"report":         "a reported pair was confirmed to be wrong",
	"veto":           "an operator vetoed the rule",
	"canonical":      "the pages name the URLs of the other direction as canonical",
	"redirects":      "the URLs that the rule makes redirect",
	"clients":        "more clients ask for the URLs of the other direction",
	"preference":     "an operator prefers the other direction",
	"pin":            "the outcomes do not decide, and an operator pinned the rule",
	"tested_again":   "a recheck decided",
	"near_threshold": "the pages are about as alike as the threshold: chance would decide",
	"exception":      "the trial goes on with an exception",
	"stand_ins":      "the server refuses invented URLs, or enough were asked for today: the trial goes on later",

	// of a pair, and of a verdict that such pairs led to
	"similar":             "same page",
	"different":           "other page",
	"missing":             "no page",
	"leads_back":          "the server leads back",
	"source_failed":       "the first URL cannot be fetched",
	"refused":             "the server refuses the URL",
	"server_error":        "the server fails",
	"odd_status":          "the answer is no page",
	"same_redirect":       "both URLs lead to a third",
	"not_allowed":         "the URL may not be fetched",
	"no_answer":           "no answer",
	"everywhere":          "the server shows one text at pages of all kinds",
	"noindex":             "the second page asks not to be indexed",
	"other_page":          "the page is not the one that clients got, by its size",
	"other_canonical":     "the pages name different canonical pages",
	"control":             "pages that the rule does not join are as alike",
	"other_length":        "the page does not have the size in the log",
	"few_words":           "the page has too few words to prove anything",
	"static":              "the same bytes everywhere prove nothing",
	"other_media":         "the pages embed different media",
	"unsteady":            "the pages differ from themselves",
	"own_name":            "the pages differ in the names that their URLs give them",
	"stand_in_refused":    "the server refuses an invented session",
	"stand_in_redirected": "the server redirects an invented session",
	"own_content":         "the pages differ in words of their own",
}

// Reason returns the reason of a verdict, or of the outcome of a pair, in words.
func Reason(name string) string {
	if words := reasons[name]; words != "" {
		return words
	}
	return strings.ReplaceAll(name, "_", " ")
}
