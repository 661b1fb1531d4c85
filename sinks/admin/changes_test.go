package admin

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule"
)

func published(sequence int64, ids ...string) map[string]*lifecycle.Publication {
	p := &lifecycle.Publication{Sequence: sequence, Retired: []string{"gone"}, Sample: rule.Sample{Samples: 59}}
	for _, id := range ids {
		p.Records = append(p.Records, rule.Record{Site: "a.example", ID: id, State: rule.Valid,
			Verdict: rule.Verdict{Examples: []rule.Example{{U: "/private"}}}})
	}
	return map[string]*lifecycle.Publication{"a.example": p}
}

// If rules are tried, the default list is the list of valid rules. A tag avoids sending the
// list twice.
func TestValidRules(t *testing.T) {
	h := local(show(fixed{rules: someRules(), published: published(1, "one", "two")}))
	_, _, valid := get(t, h, "/api/v1/rules")
	_, _, same := get(t, h, "/api/v1/rules?state=valid&site=a.example")
	_, _, none := get(t, h, "/api/v1/rules?state=valid&site=b.example")
	_, _, likely := get(t, h, "/api/v1/rules?state=likely")
	if strings.Count(valid, "\n") != 2 || !strings.Contains(valid, `"id":"two"`) || strings.Contains(valid, "private") || same != valid || none != "" ||
		!strings.Contains(likely, "?x=1") {
		t.Errorf("valid %s, of the site %s, of another %s, likely %s", valid, same, none, likely)
	}
	if code, _, _ := get(t, h, "/api/v1/rules?state=great"); code != http.StatusBadRequest {
		t.Errorf("an unknown state: %d", code)
	}
	ask := func(path, tag string) (int, string) {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.Host = "localhost"
		r.Header.Set("If-None-Match", tag)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w.Code, w.Header().Get("ETag")
	}
	code, tag := ask("/api/v1/rules", "")
	again, _ := ask("/api/v1/rules", tag)
	other, _ := ask("/api/v1/rules?state=likely", tag)
	if code != http.StatusOK || again != http.StatusNotModified || other != http.StatusOK || tag == "" {
		t.Errorf("%d, again %d, another list %d; tag %s", code, again, other, tag)
	}
}

// A client of the stream gets each site's set, and each new set.
func TestChanges(t *testing.T) {
	s := show(fixed{published: published(1, "one")})
	server := httptest.NewServer(local(s))
	defer server.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/api/v1/changes", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	in := bufio.NewScanner(answer.Body)
	next := func() (text string) {
		for in.Scan() && in.Text() != "" {
			text += in.Text() + "\n"
		}
		return text
	}
	first := next()
	s.at.Store(&fixed{published: published(2, "one", "two")})
	second := next()
	if !strings.HasPrefix(first, "event: rules\ndata: {\"site\":\"a.example\",\"sequence\":1,") || !strings.Contains(first, `"id":"one"`) || !strings.Contains(first, `"samples":59,`) ||
		!strings.Contains(second, `"sequence":2,`) || !strings.Contains(second, `"id":"two"`) || !strings.Contains(second, `"retired":["gone"]`) {
		t.Errorf("first %s, second %s", first, second)
	}
}

// flushes counts how often an answer was sent on its way.
type flushes struct {
	*httptest.ResponseRecorder
	n int
}

func (f *flushes) SetWriteDeadline(time.Time) error { return nil }
func (f *flushes) FlushError() error                { f.n++; return nil }

// A client that connects before the first publication gets a response at once.
func TestChangesBeforeTheFirst(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	out := &flushes{ResponseRecorder: httptest.NewRecorder()}
	stream(ctx, &events{w: http.NewResponseController(out), out: out}, show(fixed{}))
	if out.n != 1 || out.Code != http.StatusOK || out.Body.Len() > 0 {
		t.Errorf("%d times flushed, %d, %q", out.n, out.Code, out.Body)
	}
}

// A page that is open in a browser hears that the state has changed, and gets no rules.
func TestStates(t *testing.T) {
	s := show(fixed{published: published(1, "one"), revision: 1})
	server := httptest.NewServer(local(s))
	defer server.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/api/v1/changes?rules=no", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	in, begun := bufio.NewScanner(answer.Body), time.Now()
	for revision, want := range []string{"1", "2", "3"} {
		s.at.Store(&fixed{published: published(int64(revision), "one"), revision: int64(revision) + 1})
		if !in.Scan() || in.Text() != "event: state" || !in.Scan() || in.Text() != "data: "+want || !in.Scan() || in.Text() != "" {
			t.Fatalf("%q, want state %s", in.Text(), want)
		}
	}
	if since := time.Since(begun); since < stateEvery { // the first event comes at once
		t.Errorf("three events within %v", since)
	}
}
