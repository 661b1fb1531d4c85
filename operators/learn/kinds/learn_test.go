package kinds

import (
	"encoding/json"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

func verify(t testing.TB, o Options, pages []evidence.Page) []rule.Likely {
	t.Helper()
	got, done := Learn(o, pages, nil)
	var lines []string
	for i := range got {
		text, err := json.Marshal(got[i].Wire())
		if err != nil {
			t.Fatal(err)
		}
		if err := got[i].Rule.Validate(); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
	}
	if want := plain(o, pages); !done || !slices.Equal(lines, want) {
		t.Fatalf("rules\n got %s\nwant %s\npages %v", strings.Join(lines, "\n"), strings.Join(want, "\n"), pages)
	}
	return got
}

// TestRandom learns from random worlds, and counts the kinds of rules seen.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 3))
	seen := map[string]int{}
	for range 500 {
		o := Options{MinSupport: 1 + r.IntN(3), Similarity: worlds.Similarity(r)}
		for _, l := range verify(t, o, randomPages(r)) {
			k := l.Rule.Kind().String()
			switch {
			case l.Rule.Kind() == rule.KindSyntax:
				k = l.Rule.Syntax().Form.String()
			case l.Rule.Kind() == rule.KindSegment:
				k += " " + l.Rule.Params().Pattern.Class.String() + " " + l.Rule.Sides().From + " " + l.Rule.Sides().To
			case l.Rule.Params().InPath:
				k += " path"
			case l.Rule.Kind() == rule.KindDrop:
				k += fmt.Sprintf(" %q %v", l.Rule.Params().Pattern.Prefix, l.Rule.Params().Pattern.Class)
			}
			seen[k]++
		}
	}
	for _, k := range []string{"slashes", "empty-query", "empty-value", "escapes", "case", "order", "drop path", `drop "" digits`, `drop "v" digits`, `drop "" hex`,
		"segment digits / /", "segment hex / /", "segment digits /s/ /s/", "segment digits /s/ /", "segment hex /s/ /s/", "segment hex /s/ /"} {
		if seen[k] == 0 {
			t.Errorf("no rule %s", k)
		}
	}
	t.Log(seen)
}

// randomPages returns pages, and forms of them with one of the sizes that a few edits
// leave alone.
func randomPages(r *rand.Rand) []evidence.Page {
	m := map[string]evidence.Spans{}
	style, names := r.IntN(7), 15+r.IntN(60)
	alike := r.IntN(2)
	sessions := r.IntN(2) == 0
	for range 50 + r.IntN(100) {
		url := randomURL(r, style, names)
		if sessions {
			url = randomSession(r) + url
		}
		e := worlds.Size(int64(1000 + 7*len(url)*alike + int(crc32.ChecksumIEEE([]byte(url))%2)*r.IntN(2)*200))
		switch r.IntN(14) {
		case 0:
			e = nil
		case 1:
			e[0].Class = 1
		case 2:
			e = evidence.Spans{{Class: evidence.Digest, Min: 1, Max: 1 + int64(r.IntN(4)/3)}}
		}
		m[url] = e
	}
	return worlds.Pages(m)
}

// randomURL returns a URL. Most names that are values are of one style.
func randomURL(r *rand.Rand, style, names int) string {
	url := []string{"/a", "/a/b", "/A/b", "/a//b", "/%41/b", "/a;s=1/b", "/a;s=2/b", "/a/b;s", "/a;;s=3;t/b", "", "h/a;s=1"}[r.IntN(11)]
	if r.IntN(12) == 0 {
		return url + "?"
	}
	n := r.IntN(names)
	if r.IntN(8) == 0 {
		style = r.IntN(7)
	}
	name := []string{
		fmt.Sprint(17951679 + n*101*7), fmt.Sprint(1795 + n), fmt.Sprint("v", 83120+n), fmt.Sprintf("%08x", 0xdeadbeef+n*77777), fmt.Sprintf("%08X", 0xdeadbeef+n*77777),
		fmt.Sprint("rev", 1000+n*97), fmt.Sprint("nine-byte", 1000+n),
	}[style]
	pieces := [][]string{{name}, {name}, {name}, {name}, {name}, {name}, {name + "=1"}, {name, "a=1"}, {"a=1", "b=2"}, {"b=2", "a=1"}, {"a="}, {"a"}, {}, {"", "a"}}[r.IntN(14)]
	if len(pieces) == 0 {
		return url
	}
	return url + "?" + strings.Join(pieces, []string{"&", "&", ";"}[r.IntN(3)])
}

// randomSession returns what stands before a URL with a session in its path, or without one.
func randomSession(r *rand.Rand) string {
	value := r.IntN(14) * 1000003 % 9973
	session := fmt.Sprintf([]string{"%d", "%08x", "%08X", "%d", "%08x"}[r.IntN(5)], 1234+value*[]int{1, 55555}[r.IntN(2)])
	if r.IntN(6) == 0 {
		session = fmt.Sprint(2005+r.IntN(19), []string{"", "", "12", "1231"}[r.IntN(4)])
	}
	return []string{"/" + session, "/s/" + session, "", "/s", "/s/" + session + "/", "/t/" + session}[r.IntN(6)]
}

// TestBuilds drops names that are values: 1795167958 from one list, v83120 from another.
func TestBuilds(t *testing.T) {
	for _, c := range []struct {
		prefix string
		first  int
	}{{"", 1795167958}, {"v", 83120}} {
		pages := []evidence.Page{{URL: "/app.js", Evidence: worlds.Size(5000)}}
		for i := range 50 {
			pages = append(pages, evidence.Page{URL: fmt.Sprint("/app.js?", c.prefix, c.first+i), Evidence: worlds.Size(5000)})
		}
		got := verify(t, Options{}, pages)
		if len(got) == 0 || got[0].Rule != (rule.Rule{Edit: rule.Drop{Pattern: rule.Pattern{Prefix: c.prefix, Class: rule.Digits}}}) || got[0].Support != 50 {
			t.Errorf("%q: %v", c.prefix, got)
		}
	}
}

// TestStop gives up at whatever moment stop says so.
func TestStop(t *testing.T) {
	var pages []evidence.Page
	for i := range 2000 {
		pages = append(pages, evidence.Page{URL: fmt.Sprint("/app;s=", i%7, "?", 1795167958+i), Evidence: worlds.Size(5000)})
	}
	worlds.Stops(t, 5, func(stop func() bool) (int, bool) {
		rules, done := Learn(Options{}, pages, stop)
		return len(rules), done
	})
}

// Of pages in two orders of parameters neither of which is sorted, order is likely.
func TestOrderOfUnlisted(t *testing.T) {
	var pages []evidence.Page
	for i := range 5 {
		n := int64(1000 + 70*i)
		for _, form := range []string{"/q?c=%d&b=1&a=2", "/q?b=1&c=%d&a=2"} {
			pages = append(pages, evidence.Page{URL: fmt.Sprintf(form, i), Evidence: evidence.Spans{{Min: n, Max: n}}})
		}
	}
	found := verify(t, Options{}, pages)
	if len(found) != 1 || found[0].Rule.Kind() != rule.KindOrder || found[0].Support != 5 {
		t.Errorf("%+v", found)
	}
}
