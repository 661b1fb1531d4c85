package lifecycle_test

import (
	"flag"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/madeup"
	"dustbuster/operators/judge/lifecycle/book"
)

var (
	ablation      = flag.Bool("ablation", false, "measure what each lever brings: hours")
	ablationSeeds = flag.Int("seeds", 5, "keys with which long measurements have the pairs of each made-up site drawn")
	someLevers    = flag.String("levers", "", "levers that the ablation switches off, with commas between, or A+B for both at once; none: each alone")
	crawled       = flag.Bool("crawled", true, "the ablation measures docs and gitweb as well")
)

// ablationAt are the fetches after which the ablation measures; 0 is the end.
var ablationAt = []int{300, 1000, 0}

// quality3 is the coverage and the number of falsely merged URLs of 10,000, after each of ablationAt.
type quality3 [3]quality

// levers returns the names of the levers.
func levers() (names []string) {
	if *someLevers != "" {
		return strings.Split(*someLevers, ",")
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[book.Levers]()) {
		names = append(names, f.Name)
	}
	return names
}

// without returns a change of options that switches levers off, with + between their names, and sets
// the key. No name switches none.
func without(levers string, key uint64) func(*book.Options) {
	return func(o *book.Options) {
		o.Key = [2]uint64{key, 1}
		for lever := range strings.SplitSeq(levers, "+") {
			if lever != "" {
				reflect.ValueOf(&o.Off).Elem().FieldByName(lever).SetBool(true)
			}
		}
	}
}

// A subject is a site on which levers are measured.
type subject struct {
	kind string
	live func(set func(*book.Options), most int, rate func(at int, q quality))
}

func madeUpSubject(seed uint64) subject {
	return subject{"made up", func(set func(*book.Options), most int, rate func(int, quality)) {
		s := madeup.New(seed)
		judge := func(at int, l *life) {
			kinds := map[string]*found{}
			byKind(s, l.rules(), kinds)
			all := total(kinds, "")
			rate(at, quality{all.coverage(), float64(all.wrong) * 1e4 / float64(len(s.URLs))})
		}
		l := madeUpLife(s, set, most, func(l *life) {
			if slices.Contains(ablationAt, l.trials) {
				judge(l.trials, l)
			}
		})
		judge(0, l)
	}}
}

func crawledSubject(t *testing.T, site string) subject {
	return subject{site, func(set func(*book.Options), most int, told func(int, quality)) {
		w := readWorld(t, site, false)
		l := siteLife(w, mineSite(t, site), set)
		l.most, l.spent = most, nil
		l.each = func() {
			if slices.Contains(ablationAt, l.trials) {
				told(l.trials, rate(w.pages, l.rules()))
			}
		}
		l.run()
		told(0, rate(w.pages, l.rules()))
	}}
}

// measure lets a site live, and returns its quality. A life that ends early keeps its last quality.
func (s *subject) measure(set func(*book.Options), most int) (q quality3) {
	known := map[int]quality{}
	s.live(set, most, func(at int, q quality) { known[at] = q })
	for i, at := range ablationAt {
		var ok bool
		if q[i], ok = known[at]; !ok {
			q[i] = known[0]
		}
	}
	return q
}

// Each lever is measured by lives of the same sites with the same keys without it. The table has the
// mean difference that it makes, and the standard error of that.
func TestAblation(t *testing.T) {
	if !*ablation {
		s := madeUpSubject(1)
		for _, lever := range levers() { // each can be switched off
			s.measure(without(lever, 0), 40)
		}
		return
	}
	var subjects []subject
	if *crawled {
		subjects = []subject{crawledSubject(t, "docs"), crawledSubject(t, "gitweb")}
	}
	for seed := range *madeUpSites {
		subjects = append(subjects, madeUpSubject(uint64(seed)))
	}
	base := make([][]quality3, len(subjects))
	for i := range subjects {
		base[i] = make([]quality3, *ablationSeeds)
	}
	t.Run("all", func(t *testing.T) {
		for i, s := range subjects {
			for seed := range base[i] {
				t.Run(fmt.Sprint(s.kind, i, seed), func(t *testing.T) {
					t.Parallel()
					base[i][seed] = s.measure(without("", uint64(seed)), *mostFetches)
				})
			}
		}
	})
	t.Logf("with all levers\n%s", ablationRow("", subjects, base, nil))
	t.Run("off", func(t *testing.T) {
		for _, lever := range levers() {
			t.Run(lever, func(t *testing.T) {
				t.Parallel()
				off := make([][]quality3, len(subjects))
				for i, s := range subjects {
					for seed := range *ablationSeeds {
						off[i] = append(off[i], s.measure(without(lever, uint64(seed)), *mostFetches))
					}
				}
				t.Log("\n" + ablationRow(lever, subjects, base, off))
			})
		}
	})
}

// ablationRow returns, for each kind of site, the coverage and the false merges, or what a lever adds to
// them.
func ablationRow(lever string, subjects []subject, base, off [][]quality3) string {
	var kinds []string
	for _, s := range subjects {
		if !slices.Contains(kinds, s.kind) {
			kinds = append(kinds, s.kind)
		}
	}
	var b strings.Builder
	for _, kind := range kinds {
		fmt.Fprintf(&b, "| %s | %s |", lever, kind)
		for at := range ablationAt {
			var coverage, wrong []float64
			for i, s := range subjects {
				for seed := range base[i] {
					if s.kind != kind {
						continue
					}
					q := base[i][seed][at]
					if off != nil {
						q.coverage -= off[i][seed][at].coverage
						q.falseMerges -= off[i][seed][at].falseMerges
					}
					coverage, wrong = append(coverage, q.coverage), append(wrong, q.falseMerges)
				}
			}
			c, ce := meanOf(coverage)
			w, we := meanOf(wrong)
			fmt.Fprintf(&b, " %+.3f ± %.3f | %+.1f ± %.1f |", c, ce, w, we)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// meanOf returns the mean of numbers, and its standard error.
func meanOf(all []float64) (mean, err float64) {
	n := float64(len(all))
	for _, x := range all {
		mean += x / n
	}
	for _, x := range all {
		err += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(err / max(1, n-1) / n)
}
