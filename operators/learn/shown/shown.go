// Package shown chooses which likely rules people see, in which order, and which of them share a
// row. The list of a site, what programs read and what is tried are not changed.
//
// Hidden are rules that chance may explain (package weight), rules for which only a list of others speaks, rules
// whose pages differ on the same day, and substring rules whose evidence is one content. Rules of which nine in ten pairs are
// alike come first, then those of greatest own weight. With a substring rule of the first sort comes
// one with the same texts that has more own weight, and three in four pairs alike: it is the wider rule.
//
// A row is folded under an earlier one if both are substring rules among the same texts, or if
// the rows above already join nearly all of its pairs. Of rules that join the same pairs the
// plainest stands: a form of syntax, then a parameter, then a pair of texts.
package shown

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"dustbuster/operators/learn/listed"
	"dustbuster/operators/learn/weight"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// Row is a rule with the rules that are folded under it.
type Row struct {
	Rule   rule.Likely
	Texts  int           // rules among the same texts, which replace one of them by another
	Joined []rule.Likely // rules whose pages this row, with the rows above, joins as well
	Values int           // rules that replace other values of one name: see Window.Values
	Of     string        // that name

	Unasked Unasked // why its pages may not be requested: see Window.Last
}

// Folded returns the number of rules that are folded under the row.
func (r *Row) Folded() int { return r.Texts + len(r.Joined) + r.Values }

// Hidden counts the rules that are not shown, by the reason.
type Hidden struct {
	Light        int // of a weight below weight.Shown, or the word of a list alone
	Contradicted int // their pages differ on the same day
	OneContent   int // fewer than two contents speak for them
	Files        int // they join files such as images, of other sizes: see Window.Files
}

// Total returns the number of rules that are not shown.
func (h Hidden) Total() int { return h.Light + h.Contradicted + h.OneContent + h.Files }

// Choose returns the rules that people see, in their order. Rules without a weight are shown, in
// the order of the list. If all are wanted, none are hidden.
func Choose(rules []rule.Likely, all bool) (shown []rule.Likely, h Hidden) {
	var chosen []placed
	for i := range rules {
		switch r := &rules[i]; {
		case all || !r.Weighed:
			chosen = append(chosen, placed{rule: r})
		case r.Weight < weight.Shown || r.Learner == listed.Name: // what the log supports, other learners find as well
			h.Light++
		case weight.Contradicted(r.Meetings, r.Met):
			h.Contradicted++
		case r.OneContent:
			h.OneContent++
		default:
			chosen = append(chosen, placed{rule: r})
		}
	}
	place(chosen)
	slices.SortStableFunc(chosen, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(b.rule.Own, a.rule.Own))
	})
	shown = make([]rule.Likely, len(chosen))
	for i, p := range chosen {
		shown[i] = *p.rule
	}
	return shown, h
}

// placed is a rule with its place: 0 for those that come first, and 1 for the others.
type placed struct {
	rule  *rule.Likely
	place int
}

// place sets the places of rules.
func place(chosen []placed) {
	least := map[string]float64{} // own weight, by texts, of rules of which nearly all pairs are alike
	for i := range chosen {
		p := &chosen[i]
		if !alike(p.rule, 9, 10) {
			p.place = 1
		} else if texts := textsOf(&p.rule.Rule); texts != "" {
			if own, known := least[texts]; !known || p.rule.Own < own {
				least[texts] = p.rule.Own
			}
		}
	}
	for i := range chosen {
		p := &chosen[i]
		if p.place == 0 || !alike(p.rule, 3, 4) {
			continue
		}
		if own, known := least[textsOf(&p.rule.Rule)]; known && own < p.rule.Own {
			p.place = 0
		}
	}
}

// alike reports whether at least n in m pairs of a rule are alike.
func alike(r *rule.Likely, n, m int) bool { return r.Pairs > 0 && m*r.Alike >= n*r.Pairs }

// textsOf returns the sides of a substring rule in byte order, and "" for other rules.
func textsOf(r *rule.Rule) string {
	sides := sidesOf(r)
	slices.Sort(sides)
	return strings.Join(sides, "\x00")
}

// nearlyAll is the share of a rule's pairs that the rows above must join.
const nearlyAll = 0.9

// Fold returns the rows of rules in their order. pairs returns the pairs of pages that a rule
// joins, each page by a number. O(pairs), and a call of pairs for each rule.
func Fold(rules []rule.Likely, pairs func(*rule.Rule) [][2]uint32) (rows []Row) {
	texts := map[string]int{} // the row of a text
	j := joined{}
	for i := range rules {
		r := &rules[i]
		sides := sidesOf(&r.Rule)
		if at, ok := rowOf(texts, sides); ok {
			rows[at].Texts++
			enter(texts, sides, at)
			continue
		}
		all := pairs(&r.Rule)
		if at, ok := j.first(all); ok {
			rows[at].fold(*r, slices.Clone(all), pairs)
			continue
		}
		enter(texts, sides, len(rows))
		j.join(all, len(rows))
		rows = append(rows, Row{Rule: *r})
	}
	return rows
}

// fold folds a rule with some pairs under the row, unless it is the plainer of two rules that join the same pairs.
// Then it stands, and the rule of the row is folded.
func (r *Row) fold(other rule.Likely, of [][2]uint32, pairs func(*rule.Rule) [][2]uint32) {
	if preference(&other) < preference(&r.Rule) {
		j := joined{}
		j.join(of, 0)
		if _, same := j.first(pairs(&r.Rule.Rule)); same {
			r.Rule, other = other, r.Rule
		}
	}
	r.Joined = append(r.Joined, other)
}

// rowOf returns the first row of some sides.
func rowOf(texts map[string]int, sides []string) (at int, ok bool) {
	at = math.MaxInt
	for _, side := range sides {
		if row, known := texts[side]; known {
			at, ok = min(at, row), true
		}
	}
	return at, ok
}

func enter(texts map[string]int, sides []string, row int) {
	for _, side := range sides {
		if _, known := texts[side]; !known {
			texts[side] = row
		}
	}
}

// sidesOf returns the sides of a substring rule that are not empty, without the tokens that begin
// or end both.
func sidesOf(r *rule.Rule) (sides []string) {
	if r.Kind() != rule.KindSubstring {
		return nil
	}
	a, b := r.Sides().From, r.Sides().To
	for a != "" && b != "" {
		n := dust.TokenEnd(a, 0)
		if n != dust.TokenEnd(b, 0) || a[:n] != b[:n] {
			break
		}
		a, b = a[n:], b[n:]
	}
	for a != "" && b != "" {
		n, m := dust.TokenStart(a, len(a)), dust.TokenStart(b, len(b))
		if a[n:] != b[m:] {
			break
		}
		a, b = a[:n], b[:m]
	}
	return slices.DeleteFunc([]string{a, b}, func(side string) bool { return side == "" })
}

// joined is the pages that rows join, as a union-find forest: a page hangs below another since a
// row.
type joined map[uint32]link

type link struct {
	up   uint32
	row  int // that made the link
	size int // of the tree below a root
}

func (j joined) link(page uint32) link {
	if l, ok := j[page]; ok {
		return l
	}
	return link{up: page, size: 1}
}

func (j joined) root(page uint32) uint32 {
	for {
		l := j.link(page)
		if l.up == page {
			return page
		}
		page = l.up
	}
}

// join joins pairs by a row, after all earlier rows. The smaller tree goes below the larger, so
// paths are short, and the rows on a path to the root do not fall.
func (j joined) join(pairs [][2]uint32, row int) {
	for _, p := range pairs {
		u, v := j.root(p[0]), j.root(p[1])
		if u == v {
			continue
		}
		a, b := j.link(u), j.link(v)
		if a.size > b.size {
			u, v, a, b = v, u, b, a
		}
		j[u] = link{up: v, row: row, size: a.size}
		j[v] = link{up: v, size: a.size + b.size}
	}
}

// since returns the first row with which two pages are joined.
func (j joined) since(u, v uint32) (row int, ok bool) {
	for u != v {
		a, b := j.link(u), j.link(v)
		rootA, rootB := a.up == u, b.up == v
		switch {
		case rootA && rootB:
			return 0, false
		case rootB || !rootA && a.row <= b.row:
			u, row = a.up, max(row, a.row)
		default:
			v, row = b.up, max(row, b.row)
		}
	}
	return row, true
}

// first returns the first row that joins, with the rows above it, nearly all of some pairs.
func (j joined) first(pairs [][2]uint32) (row int, ok bool) {
	var rows []int
	for _, p := range pairs {
		if row, ok := j.since(p[0], p[1]); ok {
			rows = append(rows, row)
		}
	}
	need := int(math.Ceil(nearlyAll * float64(len(pairs))))
	if need == 0 || len(rows) < need {
		return 0, false
	}
	slices.Sort(rows)
	return rows[need-1], true
}
