package lifecycle_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

var (
	long        = flag.Bool("long", false, "live the lives of known sites to their ends, also in strict worlds; crash after every act")
	madeUpSites = flag.Int("made-up", 3, "number of made-up sites")
	mostFetches = flag.Int("most-fetches", 1<<30, "fetches after which the life of a known site ends")
	publicOnly  = flag.Bool("public-only", false, "of known sites, fetch only what the public asks for, as run does; no goal of coverage holds")
	learners    = flag.String("learners", strings.Join(miner.DefaultLearners(), ","), "learners of the life of a known site")
	showTrials  = flag.Bool("trials", false, "show the trials of known sites")
)

// found counts what rules do to the URLs of one kind of section, over all made-up sites.
type found struct{ redundant, merged, wrong int }

// byKind counts the merges of one site by kind of section.
func byKind(s *madeup.Site, rules []rule.Rule, sum map[string]*found) {
	contents := map[string]bool{}
	of := func(u string) *found {
		sec, _ := s.SectionOf(u)
		if sum[sec.Kind] == nil {
			sum[sec.Kind] = &found{}
		}
		return sum[sec.Kind]
	}
	for _, u := range s.URLs {
		if contents[s.Content(u)] {
			of(u).redundant++
		}
		contents[s.Content(u)] = true
	}
	groups, wrong := merges(s, forms.Compile(rules))
	for _, members := range groups {
		of(members[0]).merged += len(members) - 1
	}
	for _, u := range wrong {
		of(u).wrong++
	}
}

// merges returns the URLs by form, and those whose page is not the one that stands for the form: its own, or that
// of its first URL if the form is not listed.
func merges(s *madeup.Site, c *canon.Canonizer) (groups map[string][]string, wrong []string) {
	groups = map[string][]string{}
	for _, u := range s.URLs {
		form, _ := c.Canon(nil, []byte(u))
		groups[string(form)] = append(groups[string(form)], u)
	}
	for form, members := range groups {
		stands := s.Content(form)
		if !slices.Contains(members, form) {
			stands = s.Content(members[0])
		}
		for _, u := range members {
			if s.Content(u) != stands {
				wrong = append(wrong, u)
			}
		}
	}
	return groups, wrong
}

// madeUpLife runs a machine over a made-up site. each is called after each fetch. set may change the
// options. The life ends after most fetches; 0: after as many as all lives.
func madeUpLife(s *madeup.Site, set func(*book.Options), most int, each func(l *life)) *life {
	pages := s.Pages()
	mined := miner.New("", minerOptions())
	for i := range pages {
		for _, o := range forms.ObservationsOf(&pages[i], pages[i].URL) {
			mined.Fold(&o)
		}
	}
	o := book.Defaults()
	o.Miner, o.RecheckEvery, o.LevelEvery, o.Veil.Lifted, o.HoldShare = minerOptions(), 0, 0, true, 1
	set(&o)
	m := New("", o)
	m.Load(forms.NewWindow(pages), forms.Candidates(mined.AllRules()))
	l := &life{m: m, w: s, most: most, now: 1_800_000_000, fetched: map[string]bool{}, twice: map[string]bool{}, spent: newSpending()}
	l.each = func() { each(l) }
	l.run()
	return l
}

func urlsOf(w *forms.Window) (all []string) {
	for i := range w.Pages {
		all = append(all, w.Pages[i].URL)
	}
	return all
}

// mostMadeUpWrong is how many wrong URLs of 10,000 the rules of all trials may merge: a random sample
// of a rule's pairs can miss the few that are wrong.
const mostMadeUpWrong = 3

// shortLife is the made-up site that is tried to its end without -long.
const shortLife = 1

// Rules of every kind are found on made-up sites, and hardly a URL is merged falsely.
func TestMadeUp(t *testing.T) {
	t.Parallel()
	at := []int{100, 300, 1000, 1 << 30}
	sums := map[int]map[string]*found{}
	for _, n := range at {
		sums[n] = map[string]*found{}
	}
	fetches, urls := 0, 0
	for seed := range *madeUpSites {
		s := madeup.New(uint64(seed))
		most := 300
		if *long || seed == shortLife || *mostFetches < 1<<30 {
			most = 0
		}
		l := madeUpLife(s, func(*book.Options) {}, most, func(l *life) {
			if slices.Contains(at, l.trials) {
				byKind(s, l.rules(), sums[l.trials])
			}
		})
		for _, n := range at {
			if n > l.trials && most == 0 {
				byKind(s, l.rules(), sums[n])
			}
		}
		fetches += l.trials
		if most == 0 {
			urls += len(s.URLs)
		}
		t.Logf("site %d: %d URLs, %d fetches and %d for the set, %d rules\n%s", seed, len(s.URLs), l.trials, l.whole, len(l.rules()), l.spent.table(l.m))
		if *showTrials {
			t.Logf("trials:\n%s", l.spent.trace(l.m, 1000))
		}
	}
	t.Logf("%d URLs of sites at their end, %d fetches; coverage after 100, 300, 1,000 and all fetches:\n%s", urls, fetches, tableOf(at, sums))
	for _, c := range []struct {
		given int
		least float64
	}{{1000, 0.50}, {1 << 30, 0.70}} { // less than ten sites reach
		if *madeUpSites < 3 || *mostFetches < 1<<30 {
			break // too few to judge
		}
		wrong := 0
		if c.given > 1000 {
			wrong = mostMadeUpWrong * urls / 10_000
		}
		if all := total(sums[c.given], ""); all.coverage() < c.least || all.wrong > wrong {
			t.Errorf("%d fetches: coverage %.3f with %d wrong URLs, want at least %v with at most %d", c.given, all.coverage(), all.wrong, c.least, wrong)
		}
	}
}

func (f found) coverage() float64 { return float64(f.merged-f.wrong) / float64(max(1, f.redundant)) }

// total is the sum of the kinds that begin with a text.
func total(by map[string]*found, kind string) (sum found) {
	for k, f := range by {
		if strings.HasPrefix(k, kind) {
			sum = found{sum.redundant + f.redundant, sum.merged + f.merged, sum.wrong + f.wrong}
		}
	}
	return sum
}

// tableOf returns the coverage by kind of section, one column for each number of fetches.
func tableOf(at []int, sums map[int]map[string]*found) string {
	var b strings.Builder
	line := func(name string, of func(map[string]*found) found) {
		fmt.Fprintf(&b, "%-20s", name)
		for _, n := range at {
			f := of(sums[n])
			fmt.Fprintf(&b, "  %.3f (%d wrong)", f.coverage(), f.wrong)
		}
		b.WriteByte('\n')
	}
	for _, kind := range slices.Sorted(maps.Keys(sums[at[0]])) {
		line(kind, func(by map[string]*found) found { return *by[kind] })
	}
	line("all", func(by map[string]*found) found { return total(by, "") })
	return b.String()
}
