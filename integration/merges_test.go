package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/bits"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dustbuster/operators/judge/sketch"
	"dustbuster/operators/judge/trial"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/stream/rules"
)

// Pages that rules merge and a crawl calls different. Its judge goes by the words
// of a page: where a page names the second at which it was made, two visits to it
// are two pages to that judge. So each such pair is looked at once more, on the
// site itself.

// judged is a page of the crawl, as its judge sees it.
type judged struct {
	text, raw string // hashes
	simhash   uint64
	words     int
}

// same is the criterion of evaluate.py.
func (a judged) same(b judged) bool {
	return a.text == b.text && a.words > 0 || a.raw == b.raw ||
		a.words >= 8 && b.words >= 8 && bits.OnesCount64(a.simhash^b.simhash) <= 3
}

// merge is a URL and the one that it is taken for.
type merge struct {
	u, v    string
	alike   float64  // resemblance of the pages on the site, the time of their making aside
	differs []string // words that only one of them shows
}

// falseMerges are those of a published list by the crawl, and of them those that
// differ on the site, the time of their making aside.
func falseMerges(t *testing.T, bodies, list, origin string) (byCrawl, bySite []merge) {
	t.Helper()
	pages, order := readCrawl(t, bodies)
	_, byCrawl = merged(t, pages, order, list)
	for i := range byCrawl {
		m := &byCrawl[i]
		a, b := visit(t, origin+m.u), visit(t, origin+m.v)
		for _, w := range slices.Concat(a.words, b.words) {
			if slices.Contains(a.words, w) != slices.Contains(b.words, w) {
				m.differs = append(m.differs, w)
			}
		}
		var other bool
		if m.alike, other = a.compare(b); other {
			bySite = append(bySite, *m)
		}
	}
	return byCrawl, bySite
}

// onSite returns the false merges per 10,000 URLs without those that are none on the site.
func (q quality) onSite(byCrawl, bySite []merge) float64 {
	return q.wrong * float64(len(bySite)) / float64(max(1, len(byCrawl)))
}

// merged returns the number of forms into which a published list merges the URLs of a crawl,
// and the pairs that differ.
func merged(t *testing.T, pages map[string]judged, order []string, list string) (forms int, wrong []merge) {
	t.Helper()
	c := canonizer(t, list)
	groups := map[string][]string{}
	for _, u := range order {
		form, _ := c.Canon(nil, []byte(u))
		groups[string(form)] = append(groups[string(form)], u)
	}
	for form, members := range groups {
		stands := members[0]
		if _, known := pages[form]; known {
			stands = form
		}
		for _, u := range members {
			if !pages[u].same(pages[stands]) {
				wrong = append(wrong, merge{u: u, v: stands})
			}
		}
	}
	return len(groups), wrong
}

// qualityOf returns the quality of a published list by a crawl, by the formulas of evaluate.py
// --trust. Of a list that is said in the words of that program, the program says the same.
func qualityOf(t *testing.T, bodies, list string) quality {
	t.Helper()
	pages, order := readCrawl(t, bodies)
	different := map[string]bool{}
	for _, p := range pages {
		if p.words > 0 {
			different[p.text] = true
		} else {
			different[p.raw] = true
		}
	}
	forms, wrong := merged(t, pages, order, list)
	n := bytes.Count(readFile(t, list), []byte("\n"))
	q := quality{rules: n, valid: n, wrong: 1e4 * float64(len(wrong)) / float64(len(order)),
		coverage: min(1, float64(len(order)-forms-len(wrong))/float64(len(order)-len(different)))}
	if old, ok := sayAsEvaluate(t, list); ok {
		other := evaluate(t, bodies, old, "--trust")
		if math.Abs(other.coverage-q.coverage) > 0.001 || math.Abs(other.wrong-q.wrong) > 0.1 {
			t.Errorf("evaluate.py says %+v, and qualityOf %+v", other, q)
		}
	}
	return q
}

// sayAsEvaluate writes a list in the words that evaluate.py knows: one name is param, and a
// condition stands in the scope. ok is false if the list has a rule that those words cannot say.
func sayAsEvaluate(t *testing.T, list string) (path string, ok bool) {
	t.Helper()
	var text []byte
	for line := range bytes.Lines(readFile(t, list)) {
		var said map[string]any
		var w rule.Wire
		must(t, json.Unmarshal(line, &said))
		must(t, json.Unmarshal(line, &w))
		s := w.Scope
		switch isOne := len(w.Params) == 1 && w.Value == nil && w.In == "" && s.Prefix == nil; {
		case w.Except != nil, len(s.Where) > 1, s.Path != nil && strings.Contains(*s.Path, "/*/"), w.Kind != "substring" && !isOne:
			return "", false
		case len(s.Where) == 1 && s.Where[0].Valued:
			return "", false
		case isOne:
			said["param"], said["value"] = w.Params[0], w.To
		}
		scope := map[string]any{"path": s.Path, "prefix": s.Prefix}
		if len(s.Where) == 1 {
			scope["param"], scope["value"] = s.Where[0].Param, s.Where[0].Value
		}
		for name, member := range scope {
			if text, is := member.(*string); is && text == nil {
				delete(scope, name)
			}
		}
		said["scope"] = scope
		text = append(append(text, toJSON(t, said)...), '\n')
	}
	path = filepath.Join(t.TempDir(), "evaluate.jsonl")
	writeFile(t, path, text)
	return path, true
}

// readCrawl reads the pages of a crawl, and their URLs in its order.
func readCrawl(t *testing.T, bodies string) (pages map[string]judged, order []string) {
	t.Helper()
	pages = map[string]judged{}
	for _, line := range logLines(t, bodies) {
		f := strings.Split(string(line), "\t")
		if len(f) < 8 || f[1] != "200" {
			continue
		}
		_, rest, _ := strings.Cut(f[0], "://")
		u := rest[strings.IndexByte(rest, '/'):]
		p := judged{text: f[4], raw: f[3]}
		p.simhash, _ = strconv.ParseUint(f[5], 16, 64)
		p.words, _ = strconv.Atoi(f[6])
		if _, twice := pages[u]; !twice {
			order = append(order, u)
		}
		pages[u] = p
	}
	return pages, order
}

// canonizer is that of a published list of one site.
func canonizer(t *testing.T, list string) *canon.Canonizer {
	t.Helper()
	f, err := os.Open(list)
	must(t, err)
	defer f.Close()
	l, err := rules.Read(f)
	if err != nil || len(l.Sites) > 1 {
		t.Fatalf("%d sites, %v", len(l.Sites), err)
	}
	var all []rule.Rule
	for i := range l.Sites {
		all = l.Sites[i].Rules
	}
	c, err := canon.Compile(all)
	must(t, err)
	return c
}

var (
	unseen = regexp.MustCompile(`(?s)<script[^>]*>.*?</script>|<style[^>]*>.*?</style>|<[^>]+>`)
	made   = regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d( [+-]\d{4})?`)
	word   = regexp.MustCompile(`\w+`)
)

// visited is a page of a site without times of day.
type visited struct {
	page  *sketch.Page
	words []string // the visible ones
}

func visit(t *testing.T, url string) visited {
	t.Helper()
	answer, err := http.Get(url)
	must(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	must(t, err)
	return visitedOf(answer.Header.Get("Content-Type"), body)
}

func visitedOf(contentType string, body []byte) visited {
	body = made.ReplaceAllLiteral(body, nil)
	return visited{sketch.PageOf(contentType, body), word.FindAllString(string(bytes.ToLower(unseen.ReplaceAllLiteral(body, []byte(" ")))), -1)}
}

// compare returns the resemblance of two pages. They are two, as versions of a file are, if less than nine tenths
// of their texts are alike, or if one has more than a few words of its own.
func (a visited) compare(b visited) (alike float64, other bool) {
	alike = sketch.Exact(a.page, b.page)
	return alike, alike < 0.9 || alike < 1 && sketch.DifferInMany(a.page, b.page, alike, trial.MostDiffering)
}

// What the crawl calls different is looked at by the words, and versions of a file stay two pages.
func TestFalseMergesAreLookedAt(t *testing.T) {
	var text strings.Builder
	for i := range 600 {
		fmt.Fprintf(&text, "word%d ", i)
	}
	page := func(text string) visited {
		return visitedOf("text/html", []byte("<html><body><p>"+text+"</p></body></html>"))
	}
	at := page(text.String() + "made at 2026-11-26 10:46:54 +0000")
	for _, c := range []struct {
		name, text string
		other      bool
	}{
		{"a second later", text.String() + "made at 2026-11-26 10:46:55 +0000", false},
		{"two words more", text.String() + "from 1 made at 2026-11-26 10:46:55 +0000", false},
		{"a changed passage", text.String() + strings.Repeat("new ", 13) + "made at 2026-11-26 10:46:54 +0000", true},
		{"changed words", strings.ReplaceAll(text.String(), "7 ", "0 "), true},
		{"nothing", "", true},
	} {
		if alike, other := at.compare(page(c.text)); other != c.other {
			t.Errorf("%s: another page: %v, want %v; %.3f alike", c.name, other, c.other, alike)
		}
	}
}
