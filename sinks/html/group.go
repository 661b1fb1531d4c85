package html

import (
	"cmp"
	"slices"
	"strings"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
)

// kind is what a rule does, for people.
type kind int

const (
	leftOut  kind = iota // parameters
	valued               // parameters
	hosts                // of several hosts
	removed              // pieces of the URL
	replaced             // pieces of the URL
	spelled              // syntax
	shaped               // templates
	other                // of a kind that the report has no words for
)

// kinds describes each kind.
var kinds = [...]struct{ title, about string }{
	leftOut:  {"Parameters left out", "The page seems to be the same with and without the parameter."},
	valued:   {"Parameters set to one value", "The page seems to be the same whatever the value is, and seems to need the parameter."},
	hosts:    {"Hosts joined", "Several hosts seem to serve the same pages."},
	removed:  {"Pieces left out", "The page seems to be the same with and without a piece of the URL, such as the name of a default page."},
	replaced: {"Pieces replaced", "Two pieces of URLs seem to mean the same, such as two folders with one content."},
	spelled:  {"Spelling made regular", "The server seems to accept several spellings of one URL."},
	shaped:   {"URLs of one shape rewritten", "URLs of one shape seem to show the pages of URLs of another shape."},
	other:    {"Other edits", "The page seems to be the same before and after the edit."},
}

// kindOf returns what a rule does. Mined strings begin with their host if byDomain is set.
func kindOf(r *rule.Rule, byDomain bool) kind {
	switch r.Kind {
	case rule.Drop:
		return leftOut
	case rule.Set:
		return valued
	case rule.Order, rule.Syntax:
		return spelled
	case rule.Rewrite:
		return shaped
	case rule.Substring:
		return kindOfPair(r, byDomain)
	}
	return other
}

// kindOfPair is kindOf for a substring rule.
func kindOfPair(r *rule.Rule, byDomain bool) kind {
	switch {
	case byDomain && r.AtStart && hostOf(r.From) != hostOf(r.To):
		return hosts
	case strings.HasPrefix(r.From, r.To) || strings.HasSuffix(r.From, r.To):
		return removed
	}
	return replaced
}

// hostOf returns the text before the path.
func hostOf(side string) string {
	host, _, _ := strings.Cut(side, "/")
	return host
}

// group is the rules of a site that do alike.
type group struct {
	Kind  kind
	URLs  int // that the rules merge; of rules that were tried, the valid rules
	Cards []*card
	Steps []step

	joined *miner.Joined
	shown  []rule.Rule // that may be shown as they are, in the order of the cards
}

// Title returns the group's name.
func (g *group) Title() string { return kinds[g.Kind].title }

// About returns what the rules of the group do.
func (g *group) About() string { return kinds[g.Kind].about }

// group returns the group of a kind.
func (b *builder) group(k kind) *group {
	for _, g := range b.groups {
		if g.Kind == k {
			return g
		}
	}
	g := &group{Kind: k, joined: b.reach.Join()}
	b.groups = append(b.groups, g)
	return g
}

// finish counts the merged URLs of the groups, sorts the groups and their cards, and adds the
// advice.
func (b *builder) finish() []*group {
	for _, g := range b.groups {
		g.URLs = int(g.joined.Dust().URLs)
		g.joined = nil
		slices.SortStableFunc(g.Cards, func(a, b *card) int { return cmp.Or(cmp.Compare(a.order, b.order), cmp.Compare(b.urls, a.urls)) })
		b.advise(g)
	}
	slices.SortStableFunc(b.groups, func(a, b *group) int { return cmp.Or(cmp.Compare(b.URLs, a.URLs), cmp.Compare(a.Kind, b.Kind)) })
	return b.groups
}
