package label_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/judge/label"
	"dustbuster/operators/judge/near"
	"dustbuster/operators/judge/sketch"
)

// doc is an answer.
type doc struct {
	digest, key uint64
	text        *sketch.Steady
	group       int // of the plain algorithm
}

// plain makes labels by comparing each text with all leaders, as the package comment says.
func plain(o near.Options, docs []doc) map[uint64]uint64 {
	var all []*doc
	for i := range docs {
		if d := docs[i]; d.text.HTML && !d.text.Wall && d.text.Words >= label.LeastWords && !slices.ContainsFunc(all, func(e *doc) bool { return e.digest == d.digest }) {
			all = append(all, &d)
		}
	}
	slices.SortFunc(all, func(a, b *doc) int { return cmp.Compare(a.digest, b.digest) })
	equal := func(a, b *doc) bool {
		return slices.Equal(a.text.Order, b.text.Order) && slices.Equal(a.text.Marks, b.text.Marks) && slices.Equal(a.text.Media, b.text.Media)
	}
	alike := func(a, b *doc) bool { return o.Alike(a.text.Page, b.text.Page) }
	lead := func(same func(leader, d *doc) bool) (leaders []*doc, of map[*doc]int) {
		of = map[*doc]int{}
		for _, d := range all {
			at := slices.IndexFunc(leaders, func(l *doc) bool { return equal(l, d) || same(l, d) })
			for e := range of { // a text equal to one before has its leader
				if equal(e, d) {
					at = of[e]
				}
			}
			if at < 0 {
				at = len(leaders)
				leaders = append(leaders, d)
			}
			of[d] = at
		}
		return leaders, of
	}
	_, groups := lead(alike)
	for d, g := range groups {
		d.group = g
	}
	leaders, of := lead(func(leader, d *doc) bool { return alike(leader, d) && !own(all, leader, d) && !own(all, d, leader) })
	labels := map[uint64]uint64{}
	for d, l := range of {
		labels[d.digest] = leaders[l].digest
	}
	return labels
}

func holds(words, phrase []uint32) bool {
	for i := range words {
		if i+len(phrase) <= len(words) && slices.Equal(words[i:i+len(phrase)], phrase) {
			return true
		}
	}
	return false
}

// elsewhere reports whether two groups other than those of two documents show something.
func elsewhere(all []*doc, a, b *doc, shows func(*doc) bool) bool {
	groups := map[int]bool{}
	for _, d := range all {
		if shows(d) && d.group != a.group && d.group != b.group {
			groups[d.group] = true
		}
	}
	return len(groups) >= 2
}

// own reports whether a has something that b lacks and that does not pass by.
func own(all []*doc, a, b *doc) bool {
	for _, of := range []func(*doc) []uint32{func(d *doc) []uint32 { return d.text.Marks }, func(d *doc) []uint32 { return d.text.Media }} {
		left := map[uint32]int{}
		for _, h := range of(b) {
			left[h]++
		}
		for _, h := range of(a) {
			if left[h]--; left[h] < 0 && !elsewhere(all, a, b, func(d *doc) bool { return slices.Contains(d.text.Marks, h) || slices.Contains(d.text.Media, h) }) {
				return true
			}
		}
	}
	words := a.text.Order
	common := make([]bool, len(words))
	for i := 0; i+label.Phrase <= len(words); i++ {
		if holds(b.text.Order, words[i:i+label.Phrase]) {
			for k := range label.Phrase {
				common[i+k] = true
			}
		}
	}
	for begin := 0; begin < len(words); begin++ {
		end := begin
		for end < len(words) && !common[end] {
			end++
		}
		run := words[begin:end]
		if 0 < len(run) && len(run) < label.Phrase {
			return true
		}
		for i := 0; i+label.Phrase <= len(run); i++ {
			if !elsewhere(all, a, b, func(d *doc) bool { return holds(d.text.Order, run[i:i+label.Phrase]) }) {
				return true
			}
		}
		begin = end
	}
	return false
}

// world makes up answers: articles in a frame, with an advertisement, a clock, a picture and a word of their own, or not.
func world(rng *rand.Rand, n int) (docs []doc) {
	clocks := sketch.NewClocks()
	text := func(seed, words int) string {
		var b strings.Builder
		for i := range words {
			fmt.Fprintf(&b, "w%dx%d ", seed, i)
		}
		return b.String()
	}
	articles, adverts := 1+rng.IntN(6), 1+rng.IntN(4)
	for range n {
		article, advert := rng.IntN(articles), rng.IntN(adverts)
		body := text(99, 8*rng.IntN(2)) + text(article, 30+article%2*60)
		if rng.IntN(2) == 0 {
			body += text(50+advert, 2+advert*3)
		}
		if rng.IntN(2) == 0 {
			body += fmt.Sprintf("at 12:00:%02d ", rng.IntN(60))
		}
		if rng.IntN(8) == 0 {
			body += fmt.Sprintf("<img src=p%d.png> ", rng.IntN(3))
		}
		if rng.IntN(8) == 0 {
			body += fmt.Sprint("own", rng.IntN(4))
		}
		contentType := "text/html"
		if rng.IntN(10) == 0 {
			contentType = "text/plain"
		}
		docs = append(docs, doc{rng.Uint64N(1 << 40), rng.Uint64N(20), clocks.Steady(contentType, []byte(body+text(98, 8*rng.IntN(2)))), 0})
		if again := docs[rng.IntN(len(docs))]; rng.IntN(8) == 0 {
			docs = append(docs, doc{again.digest, rng.Uint64N(20), again.text, 0})
		}
	}
	return docs
}

func exact(threshold float64) near.Options { return near.Options{Threshold: threshold, Exact: true} }

// made returns the labels of answers.
func made(o label.Options, docs []doc) *label.Labels {
	t := label.NewTexts(o)
	for _, d := range docs {
		t.Add(d.digest, d.key, d.text)
	}
	return t.Labels()
}

// check compares the labels of answers, in any order, with those of the plain algorithm.
func check(t *testing.T, o near.Options, docs []doc, rng *rand.Rand) (near int) {
	t.Helper()
	want := plain(o, docs)
	count := map[uint64]int{}
	for _, l := range want {
		count[l]++
	}
	for range 2 {
		l := made(label.Options{Options: o, Most: len(docs)}, docs)
		for _, d := range docs {
			w, ok := want[d.digest]
			if !ok {
				w = d.digest
			}
			if l.Of(d.digest) != w || l.IsNear(w) != (count[w] > 1) {
				t.Fatalf("label of %x is %x, near %v; want %x of %d", d.digest, l.Of(d.digest), l.IsNear(w), w, count[w])
			}
		}
		if l.Texts != len(want) || l.Over+l.Crowded != 0 {
			t.Fatalf("%+v, want %d texts", l.Counts, len(want))
		}
		rng.Shuffle(len(docs), func(i, k int) { docs[i], docs[k] = docs[k], docs[i] })
	}
	return len(want) - len(count)
}

// In small worlds the labels are those of the plain algorithm, whatever the order of reading.
func TestSmallWorlds(t *testing.T) {
	joined := 0
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 3))
		docs := world(rng, 2+rng.IntN(30))
		n := check(t, exact([]float64{0.3, 0.6, 0.8, 0.9}[seed%4]), docs, rng)
		joined += n
	}
	if joined < 500 {
		t.Errorf("%d digests have the label of another", joined)
	}
}

// FuzzLabels cuts the text into documents, and compares the labels with those of the plain algorithm.
func FuzzLabels(f *testing.F) {
	text := strings.Repeat("a b c d e f g h i j k l m n o p q r s t ", 3)
	f.Add(text+"\x00"+text+" own\x00"+text+"12:00:01\x00"+text+"12:00:02", 0.5, uint64(1))
	f.Add(text+"<img src=a>\x00<p>"+text+"x y z w v\x00u"+text+"x y z w v\x00"+text+text+"x y z w v", 0.8, uint64(2))
	f.Fuzz(func(t *testing.T, text string, threshold float64, seed uint64) {
		o := exact(threshold)
		if o.Check() != nil {
			return
		}
		rng := rand.New(rand.NewPCG(seed, 4))
		var docs []doc
		for i, body := range strings.Split(text, "\x00") {
			if len(docs) == 20 {
				break
			}
			docs = append(docs, doc{uint64(i) * 0x9e3779b97f4a7c15, uint64(i % 3), sketch.NewClocks().Steady([]string{"text/html", "text/css"}[max(0, i%9-7)], []byte(body)), 0})
		}
		check(t, o, docs, rng)
	})
}

// Within a bound, the texts of least rank are kept, whatever the order of reading.
func TestMemory(t *testing.T) {
	for seed := range uint64(50) {
		rng := rand.New(rand.NewPCG(seed, 5))
		docs := world(rng, 40)
		o := label.Options{Options: exact(0.8), Memory: 10_000 + int64(rng.IntN(30_000)), Most: len(docs)}
		first := made(o, docs)
		rng.Shuffle(len(docs), func(i, k int) { docs[i], docs[k] = docs[k], docs[i] })
		second := made(o, docs)
		least := map[uint64]uint64{} // the least rank of each digest
		for _, d := range docs {
			if key, ok := least[d.digest]; !ok || d.key < key {
				least[d.digest] = d.key
			}
		}
		compare := func(a, b uint64) int { return cmp.Or(cmp.Compare(least[a], least[b]), cmp.Compare(a, b)) }
		order := slices.SortedFunc(maps.Keys(plain(o.Options, docs)), compare)
		kept := order[:first.Texts]
		some := made(label.Options{Options: o.Options, Most: len(docs)}, slices.DeleteFunc(slices.Clone(docs), func(d doc) bool { return !slices.Contains(kept, d.digest) }))
		for _, d := range docs {
			if a, b, c := first.Of(d.digest), second.Of(d.digest), some.Of(d.digest); a != b || a != c {
				t.Fatalf("seed %d: labels of %x: %x and %x, of %d kept texts %x", seed, d.digest, a, b, len(kept), c)
			}
		}
		if first.Texts != second.Texts || first.Texts == len(order) || first.Over == 0 || first.Texts == 0 {
			t.Fatalf("seed %d: %+v, %+v of %d", seed, first.Counts, second.Counts, len(order))
		}
	}
}
