package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// The output gives the reasons for which pairs came to nothing, with an example and a
// remedy.
func TestValidateSaysWhy(t *testing.T) {
	path := newFile(t, "access.log", hits(40, "/p%d", "/p%d?sid=7", "/p%d?sid=9"))
	for _, c := range []struct {
		want   string
		answer http.HandlerFunc
	}{
		{"× status 403, for example http://", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no robots", http.StatusForbidden) }},
		{"× other_page, for example /p", func(w http.ResponseWriter, _ *http.Request) { writePage(w, "login, by number 300") }},
		{"× loop, for example fetch", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://"+r.Host+r.RequestURI, http.StatusMovedPermanently)
		}},
	} {
		code, out, errs := program(t.Context(), "validate", "--fetch-kinds", "any", "--origin", site(t, c.answer), "--fetch-delay", "0", path)
		if code != 1 || strings.Contains(out.String(), "Confirmed") || strings.Count(errs.String(), c.want) != 1 || strings.Count(errs.String(), "×") != 1 {
			t.Errorf("%s: ended with %d\n%s%s", c.want, code, out, errs)
		}
	}
}

// URLs that look like actions, and URLs excluded in the settings, are never requested. They
// are counted and shown with an example.
func TestValidateNeverFetches(t *testing.T) {
	path := filepath.Join(t.TempDir(), "access.log")
	log := hits(20, "/p%d", "/p%d?sid=7") + hits(20, "/p%d/eliminar", "/p%d/eliminar?sid=7") + hits(20, "/own/%d", "/own/%d?sid=7") + hits(20, "/place/%d", "/place/%d?sid=7")
	must(t, os.WriteFile(path, []byte(log), 0o600))
	var mu sync.Mutex
	var asked []string
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.RequestURI)
		mu.Unlock()
		writePage(w, r.URL.Path)
	}))
	defer site.Close()
	var out, errs bytes.Buffer
	args := []string{"validate", "--fetch-kinds", "any", "--origin", site.URL, "--fetch-delay", "0", "--never-fetch-path", "/own/", "--never-fetch-path", "*nowhere", "--never-fetch", "standard,-place", path}
	if code := run(t.Context(), args, nil, &out, &errs); code != 0 {
		t.Fatalf("ended with %d\n%s", code, &errs)
	}
	all := strings.Join(asked, "\n")
	if strings.Contains(all, "eliminar") || strings.Contains(all, "/own/") || !strings.Contains(all, "/place/") {
		t.Errorf("asked for\n%s", all)
	}
	for _, want := range []string{`\d+ × action, for example fetch "/p\d+/eliminar.*; .*--never-fetch`, `\d+ × pattern, for example fetch "/own/\d+.*; --never-fetch-path`} {
		if !regexp.MustCompile(want).MatchString(errs.String()) {
			t.Errorf("no %s in\n%s", want, &errs)
		}
	}
}
