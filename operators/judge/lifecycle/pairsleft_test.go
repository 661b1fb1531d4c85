package lifecycle_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/lifecycle/forms"
	"dustbuster/operators/rule"
)

// pairsLeft counts pairs of rules that may be fetched.
type pairsLeft struct{ instances, ofInstances, pairs, ofPairs int }

func (l pairsLeft) String() string {
	return fmt.Sprintf("%d of %d instances (%.3f) and %d of %d pairs (%.3f)", l.instances, l.ofInstances, book.Share(l.instances, l.ofInstances), l.pairs, l.ofPairs, book.Share(l.pairs, l.ofPairs))
}

func countPairsLeft(g *forms.Guard, f *forms.Forms, rules []rule.Candidate) (l pairsLeft) {
	for _, c := range rules {
		moves, _ := f.Moves(&c.Rule, f.Everything())
		for _, v := range moves {
			may := 0
			if g.Allows(f.Rep(v.Form), v.To) {
				may = 1
			}
			l.ofPairs, l.pairs = l.ofPairs+1, l.pairs+may
			if v.Known >= 0 {
				l.ofInstances, l.instances = l.ofInstances+1, l.instances+may
			}
		}
	}
	return l
}

// The share of pairs that may be fetched on real logs is measured for the instances of the
// likely rules, and for all pairs, including pairs whose second URL nobody requested.
func TestPairsLeft(t *testing.T) {
	for _, c := range []struct {
		log     string
		clients bool
	}{{"logs/semicomplete", true}, {"logs/nspw", true}, {"logs/bplogs", true}, {"sites/docs/access", false}, {"sites/gitweb/access", false}} {
		t.Run(filepath.Base(filepath.Dir(c.log))+"/"+filepath.Base(c.log), func(t *testing.T) {
			mined := mineLog(t, filepath.Join(dataFolder(t), c.log+".log.gz"))
			w := forms.WindowOf(mined)
			f := forms.Of(w, nil)
			left := map[book.Kinds]pairsLeft{}
			for _, kinds := range []book.Kinds{book.AnyKind, book.PublicKinds} {
				g := forms.NewGuard(w, &book.Options{Kinds: kinds}, nil)
				left[kinds] = countPairsLeft(g, f, forms.Candidates(mined.Rules()))
				t.Logf("kinds %d: %d URLs, of which %d look like secrets, %d may be for one client, and %d are of no public kind; left are %v",
					kinds, w.Len(), g.Counts[forms.Secret], g.Counts[forms.OneClient], g.Counts[forms.Unasked], left[kinds])
			}
			if l := left[book.AnyKind]; w.Clients != c.clients || 2*l.instances < l.ofInstances || 2*l.pairs < l.ofPairs {
				t.Errorf("clients tell something: %v, want %v; at least half of the pairs must be left", w.Clients, c.clients)
			}
			if c.clients && 10*left[book.PublicKinds].instances < 7*left[book.AnyKind].instances { // without stand-ins
				t.Error("where only public kinds are fetched, at least seven tenths of the instances must be left")
			}
		})
	}
}
