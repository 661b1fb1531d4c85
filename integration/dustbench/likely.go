package main

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
)

// Task A: an entry sees the log alone, and prints the rules that it thinks likely, best first, each by what it
// does: lines of the number of the rule, URL, and the form that the rule alone gives the URL, with tabs between.

// precision is what a list of likely rules is worth: the share of right rules among the first.
type precision struct {
	Site  string  `json:"site"`
	Entry string  `json:"entry"`
	Rules int     `json:"rules"` // that change a URL of the truth
	At10  float64 `json:"at_10"`
	At20  float64 `json:"at_20"`
	Right []bool  `json:"right"` // the first 20
}

// likely lets an entry look at the log of a site.
func likely(name string, entry []string) (*precision, error) {
	if len(entry) == 0 {
		return nil, fmt.Errorf("no entry: name a command, such as sh entries/likely.sh")
	}
	s, err := openSite(name)
	if err != nil {
		return nil, err
	}
	defer s.stop()
	printed, err := s.call(entry)
	if err != nil {
		return nil, err
	}
	right, err := judgeRules(bytes.NewReader(printed), s.known, func(u, text string) bool {
		got := get(s, u)
		return got.status == http.StatusOK && matches(text, got.shown(u))
	})
	if err != nil {
		return nil, err
	}
	return &precision{name, strings.Join(entry, " "), len(right), share(right, 10), share(right, 20), right[:min(20, len(right))]}, nil
}

// Task C: a crawl with labels, for dustbuster compare: lines of URL, status, size and digest of the text.
func writeCrawl(name string, out io.Writer) error {
	s, err := openSite(name)
	if err != nil {
		return err
	}
	defer s.stop()
	w := bufio.NewWriter(out)
	for _, u := range strings.Fields(string(s.list)) {
		fmt.Fprintf(w, "http://%s.example%s\t200\t%d\t%x\n", name, u, len(s.known[u]), sha256.Sum256([]byte(s.known[u])))
	}
	return w.Flush()
}

// namesAsRules are the names of the list by hand that a log has, those of most URLs first.
func namesAsRules(urls []string, out io.Writer) error {
	of := map[string][]string{}
	for _, u := range urls {
		_, query, _ := strings.Cut(u, "?")
		for piece := range strings.SplitSeq(query, "&") {
			if name, _, _ := strings.Cut(piece, "="); listed.MatchString(strings.ToLower(name)) {
				of[name] = append(of[name], u)
			}
		}
	}
	order := make([]string, 0, len(of))
	for name := range of {
		order = append(order, name)
	}
	slices.SortFunc(order, func(a, b string) int { return cmp.Or(len(of[b])-len(of[a]), strings.Compare(a, b)) })
	w := bufio.NewWriter(out)
	for i, name := range order {
		for _, u := range of[name] {
			fmt.Fprintf(w, "%d\t%s\t%s\n", i+1, u, without(u, func(n string) bool { return n == name }))
		}
	}
	return w.Flush()
}
