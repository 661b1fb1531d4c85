package beside_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/learn/beside"
	"dustbuster/operators/url/action"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/waste"
)

// hit is a URL with the size of its page (0: unknown), the day of its first request, and who asked.
type hit struct {
	url      string
	size     int64
	day      int64
	families uint32
}

// find finds the waste of some URLs, in any order.
func find(t *testing.T, hits []hit, dropped ...string) []beside.Waste {
	t.Helper()
	words, err := action.New([]string{action.Standard})
	if err != nil {
		t.Fatal(err)
	}
	hits = slices.Clone(hits)
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(hits), func(i, j int) { hits[i], hits[j] = hits[j], hits[i] })
	var pages []evidence.Page
	for _, h := range hits {
		p := evidence.Page{URL: h.url}
		if h.size > 0 {
			p.Evidence = evidence.Spans{{Min: h.size, Max: h.size}}
		}
		pages = append(pages, p)
	}
	return beside.Find(&beside.Window{
		Pages: pages, Class: waste.CommonClass(pages), Action: words.In, Similar: evidence.Similarity{Tolerance: .05}.Similar,
		Families: func(page int) uint32 { return hits[page].families },
		First:    func(page int) int64 { return hits[page].day },
		Dropped:  func(name string) bool { return slices.Contains(dropped, name) },
	})
}

func said(all []beside.Waste) string {
	var words []string
	for _, w := range all {
		words = append(words, fmt.Sprintf("%s %s %s: %d URLs, %d bytes, %d names, %d values, %d contents, %d by 2", w.Kind, w.Page, w.Name, w.URLs, w.Bytes, w.Names, w.Values, w.Contents, w.Families[2]))
	}
	return strings.Join(words, "\n")
}

// facets are URLs of a list with some sets of so many names, each with some values, and so many contents.
func facets(names, sets, values, contents int) (hits []hit) {
	for set := range sets {
		for value := range values {
			var pieces []string
			for n := range names {
				if (set+1)>>n&1 != 0 {
					pieces = append(pieces, fmt.Sprintf("%c=%d", 'p'+n, value))
				}
			}
			hits = append(hits, hit{"/shop/list?" + strings.Join(pieces, "&"), int64(1000 + 200*(len(hits)%contents)), 1, 4})
		}
	}
	return hits
}

// Facets are told from their thresholds on, and not below.
func TestFacets(t *testing.T) {
	for _, c := range []struct {
		name                          string
		names, sets, values, contents int
		want                          bool
	}{
		{"at the thresholds", 5, 20, 1, 4, true},
		{"a set fewer", 5, 19, 2, 4, false},
		{"four names", 4, 15, 2, 1, false},
		{"many", 6, 60, 5, 9, true},
		{"four URLs to a content", 5, 20, 1, 5, false},
		{"three names", 3, 7, 9, 1, false},
	} {
		hits := facets(c.names, c.sets, c.values, c.contents)
		got := said(find(t, hits))
		want := ""
		if c.want {
			bytes := int64(0)
			for _, h := range hits {
				bytes += h.size
			}
			want = fmt.Sprintf("facets /shop/list : %d URLs, %d bytes, %d names, 0 values, %d contents, %d by 2", len(hits), bytes, c.names, c.contents, len(hits))
		}
		if got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
	empty := facets(5, 20, 1, 4)
	for i := range empty {
		empty[i].url = strings.ReplaceAll(empty[i].url, "=0", "=")
	}
	if got := find(t, empty); len(got) > 0 {
		t.Errorf("names without values: %s", said(got))
	}
	unknown := facets(5, 20, 1, 4)
	for i := range unknown {
		unknown[i].size = 0
	}
	if got := find(t, unknown); len(got) > 0 {
		t.Errorf("without sizes: %s", said(got))
	}
}

// calendar is so many days, of which the newest show so many contents, and older ones a content each.
func calendar(days, newest, contents int) (hits []hit) {
	for day := range days {
		size := int64(10_000 * math.Pow(1.1, float64(day)))
		if late := day - (days - newest); late >= 0 {
			size = int64(100 + 20*(late%contents))
		}
		hits = append(hits, hit{fmt.Sprintf("/calendar?day=%d", 20260000+day), size, int64(day / 10), 1 << 2})
	}
	return hits
}

// A name without an end is told from its thresholds on, but not one that a rule drops, nor sessions.
func TestEndless(t *testing.T) {
	const page = "endless /calendar day: "
	for _, c := range []struct {
		name string
		hits []hit
		drop string
		want string
	}{
		{"at the thresholds", calendar(100, 10, 3), "", page + "100 URLs"},
		{"99 values", calendar(99, 30, 1), "", ""},
		{"four contents", calendar(100, 12, 4), "", ""},
		{"the newest of nine in a hundred", calendar(100, 7, 1), "", ""},
		{"a rule drops it", calendar(200, 100, 1), "day", ""},
		{"another rule", calendar(200, 100, 1), "month", page + "200 URLs"},
		{"pages of a list", append(calendar(100, 10, 1), hit{"/calendar", 5, 1, 4}, hit{"/calendar?view=month", 5, 1, 4}), "", page + "100 URLs"},
	} {
		var drop []string
		if c.drop != "" {
			drop = []string{c.drop}
		}
		if got := said(find(t, c.hits, drop...)); c.want == "" && got != "" || !strings.HasPrefix(got, c.want) || strings.Contains(got, "\n") {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	old := calendar(100, 10, 1) // the days at the end are those that were asked for first
	for i := range old {
		old[i].day = int64(1000 - i)
	}
	if got := find(t, old); len(got) > 0 {
		t.Errorf("the newest by their first request have many contents: %s", said(got))
	}
	var sessions []hit
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 200 {
		sessions = append(sessions, hit{fmt.Sprintf("/page?s=%016x%016x", rng.Uint64(), rng.Uint64()), 100, int64(i), 4})
	}
	if got := find(t, sessions); len(got) > 0 {
		t.Errorf("sessions: %s", said(got))
	}
}

// Actions are all URLs that the list of words names, and no other kind has them.
func TestActions(t *testing.T) {
	hits := []hit{{"/cart/add/5", 10, 1, 4}, {"/x?do=logout", 20, 1, 8}, {"/about", 30, 1, 4}}
	for i := range 200 {
		hits = append(hits, hit{fmt.Sprintf("/list?action=delete&id=%d", i), 5, 1, 4})
	}
	got := find(t, hits)
	if want := "actions  : 202 URLs, 1030 bytes, 0 names, 0 values, 0 contents, 201 by 2"; said(got) != want || got[0].Example == "/about" {
		t.Errorf("%s, want %s", said(got), want)
	}
}

// Where agents are known, what people alone asked for does not count. Without agents everything counts.
func TestPeople(t *testing.T) {
	for _, c := range []struct {
		name     string
		families uint32
		want     int // of kinds
	}{{"people", 1, 1}, {"no agents", 0, 3}, {"other robots", 2, 3}, {"people and a crawler", 5, 3}} {
		hits := slices.Concat(facets(5, 20, 1, 4), calendar(100, 10, 1), []hit{{"/logout", 1, 1, 0}, {"/themes/reset.css?a", 1, 1, 4}})
		for i := range hits {
			hits[i].families = c.families
		}
		if c.families == 1 {
			hits = append(hits, hit{"/x?do=logout", 5, 1, 4})
		}
		got := find(t, hits)
		if len(got) != c.want || strings.Contains(said(got), "reset") {
			t.Errorf("%s: %s", c.name, said(got))
		}
	}
}

// All kinds come in their order, the most URLs first.
func TestOrder(t *testing.T) {
	hits := append(facets(5, 20, 1, 4), calendar(150, 20, 1)...)
	for i, h := range facets(6, 60, 5, 9) {
		h.url = strings.Replace(h.url, "/shop/", "/search/", 1)
		hits = append(hits, h)
		if i == 0 {
			hits = append(hits, hit{"/logout", 5, 1, 2})
		}
	}
	var kinds []string
	for _, w := range find(t, hits) {
		kinds = append(kinds, string(w.Kind)+w.Page)
	}
	if want := []string{"actions", "facets/search/list", "facets/shop/list", "endless/calendar"}; !slices.Equal(kinds, want) {
		t.Errorf("%q, want %q", kinds, want)
	}
}
