package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"dustbuster/stream/rules"
)

const stories = 5

// site has a page for each story under several URLs, as sites with sessions do.
type site struct {
	mu    sync.Mutex
	asked []string // but for robots.txt
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		fmt.Fprintln(w, "User-agent: *\nDisallow: /private")
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, r.URL.RequestURI())
	session := len(s.asked) // each page has links with a session of its own
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintln(w, `<a href="/private">not for crawlers</a> <a href="http://elsewhere.example/">elsewhere</a>`)
	if session > 100 { // a crawler without rules would go on for ever
		return
	}
	for story := range stories {
		fmt.Fprintf(w, "<a href=\"/story?id=%d&sid=%d\">a story</a>\n", story, session)
	}
}

func explorer(t *testing.T, oneIn uint64) *rules.Explorer {
	t.Helper()
	e, err := rules.NewExplorer("", oneIn)
	must(t, err)
	return e
}

// crawlWith crawls a site with a list of rules, and returns the URLs asked for.
func crawlWith(t *testing.T, list string, oneIn uint64) (asked []string, explored int) {
	t.Helper()
	source := filepath.Join(t.TempDir(), "rules.jsonl")
	must(t, os.WriteFile(source, []byte(list), 0o600))
	s := &site{}
	server := httptest.NewServer(s)
	defer server.Close()
	live, err := open(t.Context(), source, server.URL)
	must(t, err)
	fetched := 0
	c := &crawler{live: live, explorer: explorer(t, oneIn), page: func(string, []byte) { fetched++ }, saw: func(found, held string, a, b digest) {
		explored++
		one, _ := live.Canonical(found)
		other, _ := live.Canonical(held)
		if one != other || found == held || a == (digest{}) || b == (digest{}) {
			t.Errorf("%s and %s are compared", found, held)
		}
	}}
	must(t, c.crawl(t.Context(), server.URL+"/"))
	if fetched != len(s.asked) {
		t.Errorf("tells %d URLs, the site was asked for %d", fetched, len(s.asked))
	}
	return s.asked, explored
}

const dropSid = `{"schema":2,"site":"","id":"1","kind":"parameter","op":"drop","params":["sid"],"scope":{},"rank":1,"state":"valid"}` + "\n"

// URLs are fetched as found, one of each canonical form.
func TestEachPageOnce(t *testing.T) {
	asked, explored := crawlWith(t, dropSid, 0)
	want := []string{"/"}
	for story := range stories {
		want = append(want, fmt.Sprintf("/story?id=%d&sid=1", story))
	}
	if slices.Sort(asked); !slices.Equal(asked, want) || explored != 0 {
		t.Errorf("asks for %q, want %q; %d explored", asked, want, explored)
	}
}

// All changed URLs may be explored.
func TestExploreAll(t *testing.T) {
	asked, explored := crawlWith(t, dropSid, 1)
	if explored < 90 || explored != len(asked)-1-stories {
		t.Errorf("%d explored of %d", explored, len(asked))
	}
}

func TestWithoutRules(t *testing.T) {
	if asked, _ := crawlWith(t, "", 0); len(asked) <= 100 {
		t.Errorf("asks for %d URLs only: the site shows nothing", len(asked))
	}
}

// must ends the test if err is not nil.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
