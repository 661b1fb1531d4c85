// Package jsonl writes rules as JSON, one object a line: the contract with
// whatever reads them.
//
//	{"site":"","kind":"substring","alpha":".html?commentlimit=0","beta":".html","at_start":false,"at_end":true,"support":15,"support_high":15}
//	{"site":"","kind":"parameter","op":"drop","param":"h","scope":{"path":"/gitweb/","param":"a","value":"history"},"support":321,"comparable":340}
//
// The sides of a substring rule hold no ^ and $: the booleans say where it is
// anchored. The scope of a parameter rule names what a page must have; {} is
// the whole site, and a param without a value means that it is present.
package jsonl

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"dustbuster/operators/miner"
	"dustbuster/operators/params"
	"dustbuster/operators/validator"
)

// Substring is the form of a substring rule.
type Substring struct {
	Site        string `json:"site"`
	Kind        string `json:"kind"`
	Alpha       string `json:"alpha"`
	Beta        string `json:"beta"`
	AtStart     bool   `json:"at_start"`
	AtEnd       bool   `json:"at_end"`
	Support     int    `json:"support"`
	SupportHigh int    `json:"support_high"`
}

// Parameter is the form of a parameter rule.
type Parameter struct {
	Site       string `json:"site"`
	Kind       string `json:"kind"`
	Op         string `json:"op"`
	Param      string `json:"param"`
	Scope      Scope  `json:"scope"`
	Support    int    `json:"support"`
	Comparable int    `json:"comparable"`
}

// Scope is the form of a parameter rule's scope: nil members are not named.
type Scope struct {
	Path  *string `json:"path,omitempty"`
	Param *string `json:"param,omitempty"`
	Value *string `json:"value,omitempty"`
}

// List is a list of rules, each of which encoding/json makes one object of.
type List []any

// Likely is a list of likely rules.
func Likely(rules []miner.Rule) List {
	l := make(List, len(rules))
	for i := range rules {
		l[i] = Object(&rules[i])
	}
	return l
}

// Valid is a list of what a site has published. Evidence is left out: it has
// URLs, which are nobody else's business.
func Valid(p *validator.Publication) List {
	l := make(List, len(p.Records))
	for i, r := range p.Records {
		r.Verdict.Evidence = nil
		l[i] = r
	}
	return l
}

// Write writes the rules in their order.
func (l List) Write(w io.Writer) error {
	b := bufio.NewWriter(w)
	out := json.NewEncoder(b)
	out.SetEscapeHTML(false)
	for _, rule := range l {
		if err := out.Encode(rule); err != nil {
			return fmt.Errorf("write rules: %w", err)
		}
	}
	if err := b.Flush(); err != nil {
		return fmt.Errorf("write rules: %w", err)
	}
	return nil
}

// Write writes likely rules in their order.
func Write(w io.Writer, rules []miner.Rule) error { return Likely(rules).Write(w) }

// Object returns what a rule's JSON is made from, a [Substring] or a [Parameter].
func Object(r *miner.Rule) any {
	if r.Kind == miner.Substring {
		p := &r.Pair
		return Substring{r.Site, "substring", p.Alpha, p.Beta, p.AtStart, p.AtEnd, p.Support, p.SupportHigh}
	}
	d := &r.Drop
	return Parameter{r.Site, "parameter", "drop", d.Param, scopeOf(&d.Scope), d.Support, d.Comparable}
}

func scopeOf(s *params.Scope) Scope {
	var out Scope
	if s.HasPath {
		out.Path = &s.Path
	}
	if s.Param != "" {
		out.Param = &s.Param
	}
	if s.HasValue {
		out.Value = &s.Value
	}
	return out
}
