// Package plan writes the requests that a run would send to sites, for people and for
// programs. The form for programs is one JSON object a line, with the schema
// docs/schema/plan.schema.json.
package plan

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule"
)

// Site is the planned requests for one site, in order: robots.txt of each host, then the
// pairs of each rule.
type Site struct {
	Schema int      `json:"schema"`
	Kind   string   `json:"kind"`
	Site   string   `json:"site"`
	Origin string   `json:"origin,omitempty"` // where connections go; "": the site's own hosts
	Robots []string `json:"robots"`           // URLs of robots.txt
	Rules  []Rule   `json:"-"`
}

// Rule is one rule, or the set of valid rules.
type Rule struct {
	Schema   int        `json:"schema"`
	Kind     string     `json:"kind"`
	Site     string     `json:"site"`
	Order    int        `json:"order"` // from 1
	Purpose  string     `json:"purpose"`
	ID       string     `json:"id,omitempty"`
	Rule     *rule.Rule `json:"rule,omitempty"`
	Support  int        `json:"support"`
	Gain     int        `json:"gain"`
	Pairs    int        `json:"pairs"`
	Barred   int        `json:"barred"`
	Expected float64    `json:"expected"`
	First    []Pair     `json:"first"`
}

// Pair is two URLs.
type Pair struct {
	U URL `json:"u"`
	V URL `json:"v"`
}

// URL is one side of a pair.
type URL struct {
	URL     string `json:"url"`
	Refused string `json:"refused,omitempty"` // reason never to request the URL; "": none
}

// Schema is the version of the records.
const Schema = 1

// JSON writes one object for each site, and one for each of its rules.
func JSON(w io.Writer, sites []Site) error {
	b := bufio.NewWriter(w)
	out := json.NewEncoder(b)
	out.SetEscapeHTML(false)
	var err error
	for i := range sites {
		err = cmp.Or(err, out.Encode(&sites[i]))
		for k := range sites[i].Rules {
			err = cmp.Or(err, out.Encode(&sites[i].Rules[k]))
		}
	}
	if err = cmp.Or(err, b.Flush()); err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	return nil
}

// mostShown is how many rules of a site are shown to people.
const mostShown = 20

// Text writes the sites for people, each with its first rules. more says how to see the
// other rules.
func Text(w io.Writer, sites []Site, more string) error {
	b := bufio.NewWriter(w)
	for i := range sites {
		if i > 0 {
			fmt.Fprintln(b)
		}
		sites[i].text(b, more)
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write plan: %w", err)
	}
	return nil
}

func (s *Site) text(w io.Writer, how string) {
	name := cmp.Or(s.Site, "unnamed site")
	if s.Origin != "" {
		name += ", from " + s.Origin
	}
	fmt.Fprintf(w, "%s\nFirst %s, then pairs of pages for each rule, such as these:\n", name, strings.Join(s.Robots, " "))
	for i := range s.Rules[:min(len(s.Rules), mostShown)] {
		s.Rules[i].text(w)
	}
	if more := len(s.Rules) - mostShown; more > 0 {
		fmt.Fprintf(w, "And %d more rules: %s.\n", more, how)
	}
}

func (r *Rule) text(w io.Writer) {
	switch {
	case r.Rule == nil:
		fmt.Fprintf(w, "%4d  all rules together: they rewrite %d URLs\n", r.Order, r.Pairs)
	case r.Purpose == lifecycle.Trial.String():
		fmt.Fprintf(w, "%4d  %s: merges %d URLs; about %.0f of %d pairs are tested\n", r.Order, r.Rule.Words(), r.Gain, r.Expected, r.Pairs)
	case r.Purpose == lifecycle.Proof.String():
		fmt.Fprintf(w, "%4d  %s: confirmed by 20 pages; about %.0f more of %d pairs are tested\n", r.Order, r.Rule.Words(), r.Expected, r.Pairs)
	default:
		fmt.Fprintf(w, "%4d  %s: tested again; %d pairs\n", r.Order, r.Rule.Words(), r.Pairs)
	}
	switch {
	case r.Barred == 1:
		fmt.Fprintln(w, "        1 more pair has a URL that is never fetched")
	case r.Barred > 1:
		fmt.Fprintf(w, "        %d more pairs have URLs that are never fetched\n", r.Barred)
	}
	for _, p := range r.First {
		fmt.Fprintf(w, "        %s  %s\n", &p.U, &p.V)
	}
}

// String returns the URL, and the reason never to request the URL.
func (u *URL) String() string {
	if u.Refused != "" {
		return u.URL + " (never fetched: " + u.Refused + ")"
	}
	return u.URL
}
