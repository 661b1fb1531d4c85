package cluster

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/window/evidence"
)

func TestOf(t *testing.T) {
	all := []Labelled{{"/d", "y"}, {"/a", "x"}, {"/c", "y"}, {"/b", "x"}, {"/a", "x"}, {"/e", "x"}, {"/e", "z"}, {"/f", ""}, {"/g", "w"}, {"/h", ""}, {"/h", "w"}}
	if got, want := Of(slices.Clone(all), 2), [][]string{{"/a", "/b"}, {"/c", "/d"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := Of(all, 1), [][]string{{"/a", "/b"}, {"/c", "/d"}, {"/g"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("with single URLs: %q, want %q", got, want)
	}
	if got := Of(nil, 1); len(got) > 0 {
		t.Errorf("of nothing: %q", got)
	}
}

// numbered returns n clusters of the given size.
func numbered(n, size int) (clusters [][]string) {
	for c := range n {
		var urls []string
		for u := range size {
			urls = append(urls, fmt.Sprintf("/%04d/%02d", c, u))
		}
		clusters = append(clusters, urls)
	}
	return clusters
}

func TestWeak(t *testing.T) {
	clusters := slices.Concat(numbered(1, MostOfOneSize+1), numbered(1, MostOfOneSize))
	if got := Weak(clusters); len(got) != 1 || len(got[0]) != MostOfOneSize || len(clusters) != 2 {
		t.Errorf("%d clusters, want the small one", len(got))
	}
}

// The parts of a split hold each cluster once, in order, and are as large as asked for.
func TestSplit(t *testing.T) {
	clusters := numbered(100, 2)
	for seed := range uint64(20) {
		p := Split(clusters, Shares{Learning: .2, Choosing: .3}, seed)
		all := slices.Concat(p.Learning, p.Choosing, p.Test)
		for _, part := range [][][]string{p.Learning, p.Choosing, p.Test} {
			if !slices.IsSortedFunc(part, slices.Compare) {
				t.Errorf("seed %d: a part is not in order", seed)
			}
		}
		slices.SortFunc(all, slices.Compare)
		if len(p.Learning) != 20 || len(p.Choosing) != 30 || !reflect.DeepEqual(all, clusters) {
			t.Errorf("seed %d: parts of %d, %d, %d", seed, len(p.Learning), len(p.Choosing), len(p.Test))
		}
		if again := Split(clusters, Shares{Learning: .2, Choosing: .3}, seed); !reflect.DeepEqual(p, again) {
			t.Errorf("seed %d: two splits", seed)
		}
		if other := Split(clusters, Shares{Learning: .2, Choosing: .3}, seed+1); reflect.DeepEqual(p, other) {
			t.Errorf("seeds %d and %d: one split", seed, seed+1)
		}
	}
	if p := Split(clusters, Shares{Learning: 1}, 1); len(p.Learning) != 100 || len(p.Choosing) != 100 || len(p.Test) != 100 {
		t.Errorf("in the sample: %d, %d, %d", len(p.Learning), len(p.Choosing), len(p.Test))
	}
}

func TestJudge(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	supported, false_ := 0, 0
	for range 2000 {
		clusters := worlds.Short(random, 1)
		judged, _ := NewSite(clusters).JudgeAll(worlds.ShortRules, worlds.Never)
		for i, r := range worlds.ShortRules {
			got, want := judged[i], worlds.JudgeRule(clusters, r)
			if got.Rule != r || (worlds.Figures{Support: got.Support, Applied: got.Applied, False: got.False}) != want {
				t.Fatalf("%v: %+v, want %+v in %q", r, got, want, clusters)
			}
			supported += got.Support
			false_ += got.False
		}
	}
	if supported == 0 || false_ == 0 || false_ == supported {
		t.Errorf("%d pairs, %d false: the worlds show little", supported, false_)
	}
	l := Learned{}
	if l.FPR() != 0 {
		t.Error("a rate without support")
	}
	if l = (Learned{Support: 4, False: 1}); l.FPR() != .25 {
		t.Errorf("rate %v, want .25", l.FPR())
	}
}

func TestEffect(t *testing.T) {
	clusters := [][]string{{"/a", "/a?n=1", "/a?n=2"}, {"/b?n=1", "/b?n=2"}, {"/b?n=3", "/b?n=4"}, {"/c"}}
	form := func(url string) string { path, _, _ := strings.Cut(url, "?"); return path }
	e := EffectOf(clusters, form)
	if want := (Effect{URLs: 8, Clusters: 4, Forms: 3, Left: 3, False: 2}); e != want {
		t.Fatalf("%+v, want %+v", e, want)
	}
	if got := []float64{e.Coverage(), e.Compression(), e.FalseMerges(), e.Reduction()}; !slices.Equal(got, []float64{.75, .625, 2500, 1}) {
		t.Errorf("figures %v", got)
	}
	stay := EffectOf(clusters, func(url string) string { return url })
	if stay != (Effect{URLs: 8, Clusters: 4, Forms: 8, Left: 4}) || stay.Reduction() != 0 || stay.Compression() != 0 {
		t.Errorf("without rules: %+v", stay)
	}
	if none := EffectOf(nil, form); none != (Effect{}) || none.Coverage() != 0 || none.Reduction() != 0 {
		t.Errorf("of nothing: %+v", none)
	}
}

// Clusters of one label are those of a plain grouping.
func TestOfRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		var all []Labelled
		var labels []worlds.Label
		for range random.IntN(40) {
			l := Labelled{fmt.Sprint("/", random.IntN(30)), string("xyz"[random.IntN(3)])}
			all = append(all, l)
			labels = append(labels, worlds.Label(l))
		}
		want := worlds.Clusters(labels)
		if got := Of(all, 1); len(got) != len(want) || len(got) > 0 && !reflect.DeepEqual(got, want) {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}

func sized(url string, least, most int64) evidence.Page {
	return evidence.Page{URL: url, Evidence: evidence.Spans{{Min: least, Max: most}}}
}

func digested(url string, digest int64) evidence.Page {
	return evidence.Page{URL: url, Evidence: evidence.Spans{{Min: 7, Max: 7}, {Min: digest, Max: digest, Class: evidence.Digest}}}
}

// A digest is a label whatever the sizes. A size is no label.
func TestOfPages(t *testing.T) {
	pages := []evidence.Page{
		digested("/a", 1), digested("/b", 2), digested("/c", 1), sized("/d", 7, 7), sized("/e", 7, 7), sized("/f", 7, 8), {URL: "/g"}, sized("/h", 9, 9),
	}
	if got, want := OfPages(pages), [][]string{{"/a", "/c"}, {"/b"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The clusters of random pages are those of the definition, pair by pair: two labelled pages
// are in one cluster if their texts are equal, where a page that was not fetched has the only
// text of its digest, or if both have no text and one digest.
func TestOfFetchedPages(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	joined, apart := 0, 0
	for range 2000 {
		var pages []evidence.Page
		for i := range 1 + random.IntN(12) {
			p := sized(fmt.Sprintf("/%02d", i), 7, 7)
			if random.IntN(3) > 0 {
				p = digested(p.URL, int64(random.IntN(3)))
			}
			if random.IntN(2) > 0 {
				p.Text = uint64(1 + random.IntN(3))
			}
			pages = append(pages, p)
		}
		text := func(p *evidence.Page) (text uint64) {
			if p.Text != 0 {
				return p.Text
			}
			digest, ok := p.Evidence.Digest()
			for i := range pages {
				if other, has := pages[i].Evidence.Digest(); ok && has && other == digest && pages[i].Text != 0 {
					if text != 0 && text != pages[i].Text {
						return 0
					}
					text = pages[i].Text
				}
			}
			return text
		}
		place := map[string]int{}
		for n, cluster := range OfPages(pages) {
			for _, url := range cluster {
				place[url] = n + 1
			}
		}
		for i := range pages {
			a := &pages[i]
			digest, ok := a.Evidence.Digest()
			if labelled := ok || a.Text != 0; labelled != (place[a.URL] > 0) {
				t.Fatalf("%s of %+v: labelled %v", a.URL, pages, !labelled)
			}
			for k := range i {
				b := &pages[k]
				other, has := b.Evidence.Digest()
				want := text(a) != 0 && text(a) == text(b) || text(a) == 0 && text(b) == 0 && ok && has && digest == other
				if got := place[a.URL] > 0 && place[a.URL] == place[b.URL]; got != want {
					t.Fatalf("%s and %s of %+v: in one cluster %v", a.URL, b.URL, pages, got)
				}
				if want {
					joined++
				} else {
					apart++
				}
			}
		}
	}
	if joined == 0 || apart == 0 {
		t.Errorf("%d pairs in one cluster, %d not: the pages show little", joined, apart)
	}
}
