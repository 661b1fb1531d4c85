package shown

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"dustbuster/operators/rule"
)

func TestChoose(t *testing.T) {
	r := func(name string, weight, own float64, alike, meetings int, met float64, one bool) rule.Likely {
		return rule.Likely{Rule: rule.Rule{Edit: rule.Drop{Param: name}}, Weighed: true, Weight: weight, Own: own, Pairs: 10, Alike: alike,
			Meetings: meetings, Met: met, OneContent: one}
	}
	rules := []rule.Likely{
		r("light", 2.9, 2.9, 10, 0, 0, false), r("low", 9, 1, 9, 0, 0, false), r("few", 99, 99, 8, 0, 0, false),
		r("differs", 50, 50, 10, 3, 2.09, false), r("meets", 50, 40, 10, 3, 2.1, false), r("twice", 50, 30, 10, 2, 0, false),
		r("one", 50, 50, 10, 0, 0, true), {Rule: rule.Rule{Edit: rule.Drop{Param: "unweighed"}}}, r("high", 40, 40, 10, 0, 0, false),
	}
	for _, c := range []struct {
		all  bool
		want string
	}{
		{false, "[meets high twice low few unweighed] {1 1 1 0}"},
		{true, "[differs one meets high twice light low few unweighed] {0 0 0 0}"},
	} {
		var names []string
		shown, hidden := Choose(rules, c.all)
		for _, r := range shown {
			names = append(names, r.Rule.Params().Param)
		}
		if got := fmt.Sprint(names, " ", hidden); got != c.want {
			t.Errorf("all %v: %s, want %s", c.all, got, c.want)
		}
	}
}

func TestFoldTexts(t *testing.T) {
	pair := func(from, to string) rule.Likely {
		return rule.Likely{Rule: rule.Rule{Edit: rule.Substring{From: from, To: to}}}
	}
	for _, c := range []struct {
		rules []rule.Likely
		want  string // rules folded under each row
	}{
		{[]rule.Likely{pair("/new/", "/old/"), pair("/new/x", "/old/x"), pair("b/new", "b/old")}, "[2]"},
		{[]rule.Likely{pair("/de/", "/en/"), pair("/en/", "/fr/"), pair("/fr/", "/it/"), pair("/es/", "/pt/"), pair("/pt/", "/it/")}, "[3 0]"},
		{[]rule.Likely{pair("newer", "new"), pair("new", "")}, "[1]"}, // a text may be a side of two rules
		{[]rule.Likely{pair("newer", ""), pair("new", "")}, "[0 0]"},  // the empty text is none
		{[]rule.Likely{pair("x.html", "x"), pair("y.html", "y"), {Rule: rule.Rule{Edit: rule.Drop{Param: "html"}}}}, "[1 0]"},
	} {
		var folded []int
		for _, r := range Fold(c.rules, func(*rule.Rule) [][2]uint32 { return nil }) {
			folded = append(folded, r.Texts)
		}
		if got := fmt.Sprint(folded); got != c.want {
			t.Errorf("%v: %s, want %s", c.rules, got, c.want)
		}
	}
}

// Rules fold under the first row by which, with the rows above, nine in ten of their pairs are
// joined. The definition colours pages anew for each row.
func TestFoldJoined(t *testing.T) {
	folded := 0
	for seed := range uint64(500) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var rules []rule.Likely
		pairs := map[rule.Rule][][2]uint32{}
		for i := range 2 + rng.IntN(8) {
			r := rule.Rule{Edit: rule.Drop{Param: fmt.Sprint(i)}}
			for range rng.IntN(14) {
				u := rng.Uint32N(12)
				pairs[r] = append(pairs[r], [2]uint32{u, (u + 1 + rng.Uint32N(11)) % 12})
			}
			rules = append(rules, rule.Likely{Rule: r})
		}
		rows := Fold(rules, func(r *rule.Rule) [][2]uint32 { return pairs[*r] })
		got := ""
		for i := range rows {
			got += rows[i].Rule.Rule.Params().Param + ":"
			for _, f := range rows[i].Joined {
				got += f.Rule.Params().Param
				folded++
			}
			got += " "
		}
		if want := plainFold(rules, pairs); got != want {
			t.Fatalf("seed %d: %s, want %s\n%v", seed, got, want, pairs)
		}
	}
	if folded < 200 {
		t.Errorf("%d rules folded, want more", folded)
	}
}

func plainFold(rules []rule.Likely, pairs map[rule.Rule][][2]uint32) (all string) {
	var standing []rule.Rule
	under := map[rule.Rule]string{}
rules:
	for _, r := range rules {
		of := pairs[r.Rule]
		for n := range standing {
			color := map[uint32]uint32{}
			for page := range uint32(12) {
				color[page] = page
			}
			for _, s := range standing[:n+1] {
				for _, p := range pairs[s] {
					from, to := color[p[0]], color[p[1]]
					for page, c := range color {
						if c == from {
							color[page] = to
						}
					}
				}
			}
			joined := len(slices.DeleteFunc(slices.Clone(of), func(p [2]uint32) bool { return color[p[0]] != color[p[1]] }))
			if len(of) > 0 && 10*joined >= 9*len(of) {
				under[standing[n]] += r.Rule.Params().Param
				continue rules
			}
		}
		standing = append(standing, r.Rule)
	}
	for _, s := range standing {
		all += s.Params().Param + ":" + under[s] + " "
	}
	return all
}

// A wider rule comes before a narrower one with the same texts, though more of its pairs differ, if the
// wider has more evidence of its own.
func TestWiderFirst(t *testing.T) {
	r := func(from, to string, alike int, own float64) rule.Likely {
		return rule.Likely{Rule: rule.Rule{Edit: rule.Substring{From: from, To: to, AtStart: true}}, Weighed: true, Weight: 99, Own: own, Pairs: 100, Alike: alike}
	}
	narrow := r("/2009/a/x", "/2010/a/x", 95, 10)
	for _, c := range []struct {
		name  string
		other rule.Likely
		first bool
	}{
		{"three in four alike", r("/2009/", "/2010/", 75, 11), true},
		{"turned", r("/2010/", "/2009/", 75, 11), true},
		{"fewer alike", r("/2009/", "/2010/", 74, 11), false},
		{"no more evidence", r("/2009/", "/2010/", 89, 10), false},
		{"another text", r("/2009/", "/2011/", 89, 11), false},
	} {
		chosen, _ := Choose([]rule.Likely{narrow, c.other}, false)
		if first := chosen[0].Rule == c.other.Rule; first != c.first {
			t.Errorf("%s: the other rule comes first: %v, want %v", c.name, first, c.first)
		}
	}
}
