package drops

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// Three campaign parameters, of which each page has other values, are one rule, with or without the
// plain page, and with one URL that lacks one of them.
func TestCampaign(t *testing.T) {
	for _, c := range []struct {
		name string
		urls func(page, visit int) string
	}{
		{"with the page", func(page, visit int) string {
			if visit == 0 {
				return fmt.Sprintf("/news?id=%d", page)
			}
			return fmt.Sprintf("/news?id=%d&utm_source=s%d&utm_medium=m%d&utm_campaign=c%d", page, visit, visit+page, 3*visit+page)
		}},
		{"in a path, without the page", func(page, visit int) string {
			return fmt.Sprintf("/news/%d?utm_source=s%d&utm_medium=m%d&utm_campaign=c%d", page, visit, visit+page, 3*visit+page)
		}},
		{"one name at times", func(page, visit int) string {
			url := fmt.Sprintf("/news/%d?utm_campaign=c%d&utm_source=s%d", page, 3*visit+page, visit)
			if visit == 2 {
				return url
			}
			return url + fmt.Sprintf("&utm_medium=m%d", visit+page)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var pages []evidence.Page
			for page := range 80 {
				for visit := range 4 {
					pages = append(pages, evidence.Page{URL: c.urls(page, visit), Evidence: worlds.Size(int64(1000 + 100*page))})
				}
			}
			got := verify(t, defaults, pages)
			want := rule.Rule{Edit: rule.DropOf("utm_campaign", "utm_medium", "utm_source")}
			if len(got) != 1 || got[0].Rule != want || got[0].Support != 240 {
				t.Errorf("got %s", lines(got))
			}
		})
	}
}

// A board adds a category and a page to each link, and one of two views: each of them with the two names is a rule.
func TestBoard(t *testing.T) {
	var pages []evidence.Page
	for n := range 70 {
		for _, url := range []string{"?Number=%d", "?Cat=0&Number=%d&page=0&fpart=1", "?Cat=&Number=%d&page=0&view=collapsed"} {
			pages = append(pages, evidence.Page{URL: "/showflat.php" + fmt.Sprintf(url, 5970000+n), Evidence: worlds.Size(int64(3000 + 100*n))})
		}
	}
	var got []rule.Rule
	for _, l := range verify(t, defaults, pages) {
		got = append(got, l.Rule)
	}
	want := []rule.Rule{{Edit: rule.DropOf("Cat", "fpart", "page")}, {Edit: rule.DropOf("Cat", "page", "view")}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Names that come together and matter, or one of which matters, are no rule.
func TestTogetherButMatter(t *testing.T) {
	for _, c := range []struct {
		name string
		size func(page, visit int) int
	}{
		{"one", func(page, visit int) int { return 1000 + 100*page + 9000*(visit%3) }},
		{"all", func(page, visit int) int { return 1000 + 100*(4*page+visit) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var pages []evidence.Page
			for page := range 20 {
				for visit := range 6 {
					pages = append(pages, evidence.Page{URL: fmt.Sprintf("/p/%d?a=%d&b=%d&c=%d", page, visit%3, visit, visit+page), Evidence: worlds.Size(int64(c.size(page, visit)))})
				}
			}
			for _, l := range verify(t, defaults, pages) {
				if slices.Contains(names(&l.Rule), "a") {
					t.Errorf("got %v", l.Rule)
				}
			}
		})
	}
}

// Of more sets of names than there is room for, the first are learned as if they were all.
func TestMostSets(t *testing.T) {
	var pages []evidence.Page
	for site := range 5 {
		for n := range 12 {
			pages = append(pages, evidence.Page{URL: fmt.Sprintf("/%[1]d/%[2]d?a%[1]d=%[3]d&b%[1]d=%[4]d&c%[1]d=%[5]d", site, n/3, n, n+1, n+2), Evidence: worlds.Size(int64(1000 + n/3*100))})
		}
	}
	l := newLearner(defaults, pages, nil)
	l.mostSets = 2
	got, _ := l.learn()
	want := verify(t, defaults, pages)
	if len(want) != 5 || len(got) != 2 || !slices.Contains(want, got[0]) || !slices.Contains(want, got[1]) {
		t.Errorf("got %s\nof %s", lines(got), lines(want))
	}
}

// TestTogether compares with the plain definitions in worlds whose names come together.
func TestTogether(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 2))
	seen := map[string]int{}
	for range 60 {
		pages := togetherWorld(r)
		p := newPlain(defaults, pages)
		for _, found := range verify(t, defaults, pages) {
			seen[shape(&found.Rule)]++
			if r.IntN(4) > 0 || len(names(&found.Rule)) < 3 {
				continue
			}
			refuted := map[rule.Scope]bool{found.Rule.Scope: true}
			got, _ := Followers(defaults, pages, &found.Rule, func(s rule.Scope) bool { return refuted[s] }, nil)
			if want := p.followers(found, refuted); !slices.Equal(got, want) {
				t.Fatalf("followers of %s got %s\nwant %s", line(&found), lines(got), lines(want))
			}
			seen["followers"] += len(got)
		}
	}
	for _, s := range []string{"3", "4", "5", "6", "3 path", "4 path", "3 m=v", "followers"} {
		if seen[s] == 0 {
			t.Errorf("nothing of shape %q", s)
		}
	}
	t.Log(seen)
}

// togetherWorld returns pages of which some have two to five names that come together, and perhaps
// more. These do not matter, or only below one of two paths or with one parameter.
func togetherWorld(r *rand.Rand) []evidence.Page {
	group := strings.Split("cdefg"[:2+r.IntN(4)], "")
	more, holds, values := r.IntN(3) > 0, r.IntN(4), 1+r.IntN(40)
	m := map[string]evidence.Spans{}
	for range 20 + r.IntN(60) {
		path, kept := []string{"/a/b", "/a/c"}[r.IntN(2)], r.IntN(3)
		rest := fmt.Sprintf("%s?k=%d&id=%d", path, kept, r.IntN(6))
		url := rest
		if r.IntN(4) > 0 {
			for _, name := range group {
				url += fmt.Sprintf("&%s=%d", name, r.IntN(values))
			}
		}
		if more && r.IntN(2) == 0 {
			url += fmt.Sprintf("&x=%d", r.IntN(values))
		}
		if r.IntN(40) == 0 {
			url += "&c=stray"
		}
		text := rest
		if holds == 1 && path == "/a/b" || holds == 2 && kept == 0 || r.IntN(20) == 0 {
			text = url
		}
		m[url] = worlds.SizeOf(text, 50000)
	}
	return worlds.Pages(m)
}
