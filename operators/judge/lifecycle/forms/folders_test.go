package forms

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/kinds"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// finderOf finds what is likely among the URLs of some sizes.
func finderOf(sizes map[string]int64) *dropFinder {
	o := book.Defaults()
	o.Miner.Envelope, o.Miner.Window = envelope.Defaults(), []string{kinds.Name}
	var pages []evidence.Page
	for url, size := range sizes {
		pages = append(pages, evidence.Page{URL: url, Evidence: evidence.Spans{{Min: size, Max: size}}})
	}
	window := NewWindow(pages)
	w, _ := NewView(book.New("", &o, &book.Hasher{}), window, NewGuard(window, &o, nil), nil)
	return w.Finder()
}

// likelyIn returns the folders in which a rule is likely by the plain definition: of the pairs, or groups, of the URLs that
// begin so, at least three and nine in ten are alike, and so are not those of a wider folder or of the site.
func likelyIn(alike map[string]bool) (folders []string) {
	begins := map[string]bool{"": true}
	for url := range alike {
		path, _, _ := strings.Cut(url, "?")
		for at := 1; at < len(path); at++ {
			if path[at] == '/' && strings.Trim(path[:at], "/") != "" {
				begins[path[:at+1]] = true
			}
		}
	}
	likely := map[string]bool{}
	for folder := range begins {
		yes, all := 0, 0
		for url, is := range alike {
			if strings.HasPrefix(url, folder) {
				if all++; is {
					yes++
				}
			}
		}
		likely[folder] = yes >= 3 && 10*yes >= 9*all
	}
	for folder := range begins {
		wider := slices.ContainsFunc(slices.Collect(maps.Keys(begins)), func(wide string) bool {
			return likely[wide] && wide != folder && strings.HasPrefix(folder, wide)
		})
		if likely[folder] && folder != "" && !wider {
			folders = append(folders, folder)
		}
	}
	slices.Sort(folders)
	return folders
}

// Forms of syntax are likely in the folders of the plain definition, in small worlds.
func TestFoldersArePlain(t *testing.T) {
	found := map[bool]int{}
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 5))
		sizes, holds := map[string]int64{}, map[string]bool{}
		for i := range 6 + r.IntN(40) {
			folder := []string{"/a/", "/a/b/", "/a/c/", "/d/", "/d/e/", "/"}[r.IntN(6)]
			if _, drawn := holds[folder]; !drawn {
				holds[folder] = r.IntN(2) == 0
			}
			u, size := fmt.Sprintf("%sP%d", folder, i), int64(1000+i*100)
			other := map[bool]int64{true: size, false: 90_000 + size*3}[holds[folder] != (r.IntN(15) == 0)]
			sizes[u] = size
			sizes[u+fmt.Sprint("?s=", r.IntN(100))] = other
			sizes[strings.ToLower(u)] = other
		}
		cases := map[string]bool{}
		for u, size := range sizes {
			if lower := strings.ToLower(u); lower != u && !strings.Contains(u, "?") {
				cases[u] = sizes[lower] == size
			}
		}
		f := finderOf(sizes)
		of := func(all []book.Candidate, kind rule.Kind) (folders []string) {
			for _, c := range all {
				if c.Rule.Kind() == kind && c.Rule.Scope.Prefix != "" {
					folders = append(folders, c.Rule.Scope.Prefix)
				}
			}
			slices.Sort(folders)
			return folders
		}
		got, want := of(f.syntaxes(), rule.KindSyntax), likelyIn(cases)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: a form is likely in %q, want %q", seed, got, want)
		}
		found[len(want) > 0]++
	}
	if found[true] < 50 || found[false] < 50 {
		t.Errorf("a form is likely in some folder: %v", found)
	}
}
