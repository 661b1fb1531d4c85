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

func crawlWith(t *testing.T, list string) []string {
	t.Helper()
	source := filepath.Join(t.TempDir(), "rules.jsonl")
	if err := os.WriteFile(source, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	live, err := open(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{}
	server := httptest.NewServer(s)
	defer server.Close()
	fetched := 0
	if err := crawl(t.Context(), live, server.URL+"/", 0, func(string) { fetched++ }); err != nil {
		t.Fatal(err)
	}
	if fetched != len(s.asked) {
		t.Errorf("tells %d URLs, the site was asked for %d", fetched, len(s.asked))
	}
	return s.asked
}

func TestEachPageOnce(t *testing.T) {
	asked := crawlWith(t, `{"schema":1,"site":"","kind":"parameter","op":"drop","param":"sid","scope":{},"rank":1,"state":"valid"}`+"\n")
	want := []string{"/"}
	for story := range stories {
		want = append(want, fmt.Sprintf("/story?id=%d", story))
	}
	if slices.Sort(asked); !slices.Equal(asked, want) {
		t.Errorf("asks for %q, want %q", asked, want)
	}
}

func TestWithoutRules(t *testing.T) {
	if asked := crawlWith(t, ""); len(asked) <= 100 {
		t.Errorf("asks for %d URLs only: the site shows nothing", len(asked))
	}
}
