package near

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/judge/sketch"
)

// smallWorld makes up short documents of few words: of both types, without words, equal in
// bytes and not in type, with fewer shingles than a sketch holds.
func smallWorld(rng *rand.Rand, n int) (list []*sketch.Page) {
	var bodies []string
	for range n {
		if len(bodies) > 0 && rng.IntN(4) == 0 {
			bodies = append(bodies, bodies[rng.IntN(len(bodies))])
			continue
		}
		words := strings.Repeat("a b c d e f g h i j k l m n o p ", rng.IntN(4))
		var body strings.Builder
		for word := range strings.FieldsSeq(words) {
			if rng.IntN(30) == 0 {
				word = string(rune('a' + rng.IntN(26)))
			}
			if rng.IntN(20) == 0 {
				body.WriteString("<b>")
			}
			body.WriteString(word + " ")
		}
		bodies = append(bodies, body.String())
	}
	for _, b := range bodies {
		list = append(list, sketch.PageOf([]string{"text/html", "text/html", "text/html", "text/plain"}[rng.IntN(4)], []byte(b)))
	}
	return list
}

// checkSmall compares the clusters with those of all pairs.
func checkSmall(t *testing.T, o Options, list []*sketch.Page) {
	t.Helper()
	f, counts := find(o, list, len(list))
	plain := allPairs(o, list)
	if counts.Crowded != 0 {
		t.Fatalf("%+v: %d crowded in buckets that hold all", o, counts.Crowded)
	}
	var clusters [][]uint32
	for c := range f.Clusters() {
		clusters = append(clusters, slices.Clone(c))
	}
	var want [][]uint32
	for first := range uint32(len(list)) {
		var c []uint32
		for doc := range uint32(len(list)) {
			if plain.Find(doc) == first {
				c = append(c, doc)
			}
		}
		if len(c) > 1 {
			want = append(want, c)
		}
	}
	if !slices.EqualFunc(clusters, want, slices.Equal) {
		t.Fatalf("%+v: clusters %v, want %v", o, clusters, want)
	}
}

// In small worlds the clusters are those of all pairs, for every threshold.
func TestSmallWorlds(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(seed, 5))
		list := smallWorld(rng, 2+rng.IntN(30))
		for _, threshold := range []float64{1e-9, 0.1, 0.3, 0.5, 0.7, 2.0 / 3, 0.8, 0.9, 0.95, 1} {
			checkSmall(t, Options{Threshold: threshold, Exact: seed%2 == 0, Counters: 1 + rng.IntN(50)}, list)
		}
	}
}

// FuzzFind cuts the text into documents, and compares the clusters with those of all pairs.
func FuzzFind(f *testing.F) {
	f.Add("one two three four five six seven eight nine ten\x00one two three four five six seven eight nine eleven\x00", 0.3, true, uint8(1))
	f.Add(strings.Repeat("a b c d e f g h i j\x00", 9)+"\x00<p>\x00 \x00", 1.0, false, uint8(7))
	f.Fuzz(func(t *testing.T, text string, threshold float64, exact bool, counters uint8) {
		o := Options{Threshold: threshold, Exact: exact, Counters: int(counters)}
		if o.Check() != nil {
			return
		}
		var list []*sketch.Page
		for i, body := range strings.Split(text, "\x00") {
			if len(list) == 60 {
				break
			}
			list = append(list, sketch.PageOf([]string{"text/html", "", "text/css"}[max(0, i%9-6)], []byte(body)))
		}
		checkSmall(t, o, list)
		got, _ := find(o, list, 3) // crowded buckets miss pairs, and no cluster is wrong
		plain := allPairs(o, list)
		for doc := range uint32(len(list)) {
			if plain.Find(doc) != plain.Find(got.Find(doc)) {
				t.Fatalf("document %d is in another cluster", doc)
			}
		}
	})
}

// A crowded bucket of one cluster loses nothing; one of strangers counts what is left out.
func TestCrowdedBucket(t *testing.T) {
	for _, c := range []struct {
		name                       string
		alike                      func(a, b int) bool
		clusters                   int
		compared, crowded, leftOut int64
	}{
		{"one cluster", func(int, int) bool { return true }, 1, 99, 0, 0},
		{"strangers", func(int, int) bool { return false }, 100, 3 + 97*3, 97, 97 * 96 / 2},
		{"two clusters", func(a, b int) bool { return a%2 == b%2 }, 2, -1, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &Forest{}
			number := map[*sketch.Page]int{}
			m := Matcher{Forest: f, Most: 3,
				Load:  func(doc uint32) (*sketch.Page, error) { p := &sketch.Page{}; number[p] = int(doc); return p, nil },
				Alike: func(a, b *sketch.Page) bool { return c.alike(number[a], number[b]) },
			}
			for range 100 {
				if err := m.Add(1, f.Add()); err != nil {
					t.Fatal(err)
				}
			}
			clusters := map[uint32]bool{}
			for doc := range uint32(100) {
				clusters[f.Find(doc)] = true
			}
			if len(clusters) != c.clusters || m.Crowded != c.crowded || m.LeftOut != c.leftOut || c.compared >= 0 && m.Compared != c.compared || m.Buckets != 1 {
				t.Errorf("%d clusters, %+v; want %+v", len(clusters), m.Counts, c)
			}
		})
	}
}

// Documents of one key each are not loaded, and an error of Load ends Add.
func TestLoad(t *testing.T) {
	f := &Forest{}
	gone := errors.New("gone")
	m := Matcher{Forest: f, Load: func(uint32) (*sketch.Page, error) { return nil, gone }}
	for key := range uint64(9) {
		if err := m.Add(key, f.Add()); err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Add(8, f.Add()); !errors.Is(err, gone) {
		t.Errorf("error %v", err)
	}
}

func TestCheck(t *testing.T) {
	nan := 0.0
	nan /= nan
	for _, o := range []Options{{}, {Threshold: -1}, {Threshold: 1.1}, {Threshold: nan}} {
		if o.Check() == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	if err := (&Options{Threshold: DefaultThreshold}).Check(); err != nil {
		t.Error(err)
	}
}

// IDs of different kinds are different, and so are the IDs of different texts.
func TestIDs(t *testing.T) {
	o := Options{}
	page := func(contentType, body string) *sketch.Page { return sketch.PageOf(contentType, []byte(body)) }
	a, b := page("text/html", "<p>a b"), page("text/html", "<i>a b")
	idA, okA := o.TextID(a)
	idB, okB := o.TextID(b)
	if !okA || !okB || idA != idB || BytesID(&a.Sketch) == BytesID(&b.Sketch) {
		t.Error("one text in two documents")
	}
	if _, ok := o.TextID(page("text/plain", "a b")); ok {
		t.Error("a text of what is not HTML")
	}
	if _, ok := o.TextID(page("text/html", "<p>")); ok {
		t.Error("a text without words")
	}
	if NotedID("x") == NotedID("y") || NotedID(string(a.Digest[:])) == BytesID(&a.Sketch) {
		t.Error("IDs of different contents are equal")
	}
}
