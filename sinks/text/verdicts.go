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
		fmt.Fprintf(out, "%-10s %6d %6d %7d  %6.1f %%  %s%s\n", e.State, v.Positives, v.Negatives, v.Skipped, 100*v.Bound, e.Rule.Words(), why(e))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write verdicts: %w", err)
	}
	return nil
}

// why returns the reason of a verdict, unless the numbers before explain it.
func why(e *book.Entry) string {
	if e.IsProvisional() {
		return " (first test only)"
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
	fmt.Fprintf(w, "%s\n%-10s %6s %6s %7s  %8s  %s\n", cmp.Or(site, "unnamed site"), "verdict", "same", "differ", "unclear", "error <=", "rule")
}

// reasons are the reasons of verdicts and of the outcomes of pairs, in words.
var reasons = map[string]string{
	// of a verdict
	"trial":          "the test decided",
	"unsafe":         "the rule and others undo each other",
	"set":            "together with other rules it led to a wrong page",
	"report":         "a reported pair was confirmed to be wrong",
	"veto":           "an operator vetoed the rule",
	"canonical":      "the pages name the other URL as canonical",
	"redirects":      "the rule leads to URLs that redirect",
	"clients":        "more visitors use the other URL",
	"preference":     "an operator prefers the other URL",
	"pin":            "the test is undecided, and an operator pinned the rule",
	"tested_again":   "a retest decided",
	"near_threshold": "the pages are neither similar nor different enough",
	"elsewhere":      "the rule holds, but would edit where no pair can be tested",
	"names":          "the rule holds, but no pair can be tested of some of the names that it drops",
	"exception":      "the test goes on with an exception",
	"stand_ins":      "the server refuses invented URLs, or the limit of the day is reached: the test goes on later",

	// of a pair, and of a verdict that such pairs led to
	"similar":             "same page",
	"different":           "different pages",
	"missing":             "page missing",
	"leads_back":          "the server redirects back",
	"source_failed":       "the first URL cannot be fetched",
	"refused":             "the server refuses the URL",
	"server_error":        "the server fails",
	"odd_status":          "the server answers without a page",
	"same_redirect":       "both URLs lead to a third",
	"not_allowed":         "the URL may not be fetched",
	"no_answer":           "no answer",
	"everywhere":          "unrelated pages show the same text",
	"noindex":             "the second page asks not to be indexed",
	"other_page":          "the page has another size than in the log",
	"other_canonical":     "the pages name different canonical URLs",
	"control":             "unrelated pages look equally similar",
	"other_length":        "the page does not have the size in the log",
	"few_words":           "the page has too few words to compare",
	"static":              "the bytes are equal, as when a script loads the content",
	"other_media":         "the pages embed different media",
	"unsteady":            "the pages change between two fetches",
	"own_name":            "each page shows the name in its URL",
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
