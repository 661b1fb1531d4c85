package admin

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

func published(sequence int64, ids ...string) map[string]*book.Publication {
	p := &book.Publication{Sequence: sequence, Retired: []string{"gone"}, Sample: rule.Sample{Samples: 59}}
	for _, id := range ids {
		p.Records = append(p.Records, rule.Record{Site: "a.example", ID: id, State: rule.Valid,
			Verdict: rule.Verdict{Examples: []rule.Example{{U: "/private"}}}})
	}
	return map[string]*book.Publication{"a.example": p}
}

// If rules are validated, the default list is the list of valid rules. A tag avoids sending the
// list twice.
func TestValidRules(t *testing.T) {
	h := local(t, show(fixed{rules: someRules(), published: published(1, "one", "two")}))
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
		w := send(t, h, http.MethodGet, path, "", "If-None-Match", tag)
		return w.Code, w.Header().Get("ETag")
	}
	code, tag := ask("/api/v1/rules", "")
	again, _ := ask("/api/v1/rules", tag)
	other, _ := ask("/api/v1/rules?state=likely", tag)
	for _, tags := range []string{`"x", ` + tag, "W/" + tag, "*"} {
		if code, _ := ask("/api/v1/rules", tags); code != http.StatusNotModified {
			t.Errorf("with the tags %s: %d", tags, code)
		}
	}
	if code != http.StatusOK || again != http.StatusNotModified || other != http.StatusOK || tag == "" {
		t.Errorf("%d, again %d, another list %d; tag %s", code, again, other, tag)
	}
}

// follow returns the lines of a stream.
func follow(t *testing.T, s State, path string) *bufio.Scanner {
	t.Helper()
	server := httptest.NewServer(local(t, s))
	t.Cleanup(server.Close)
	answer := request(t, server.URL+path)
	t.Cleanup(func() { _ = answer.Body.Close() })
	return bufio.NewScanner(answer.Body)
}

// A client of the stream gets each site's set, and each new set.
func TestChanges(t *testing.T) {
	s := show(fixed{published: published(1, "one")})
	in := follow(t, s, "/api/v1/changes")
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

// streamTo streams publications until ctx ends.
func streamTo(ctx context.Context, out http.ResponseWriter, s State) {
	(&events{w: http.NewResponseController(out), out: out}).stream(ctx, look, publications(s))
}

// A client that connects before the first publication gets a response at once.
func TestChangesBeforeTheFirst(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	out := &flushes{ResponseRecorder: httptest.NewRecorder()}
	streamTo(ctx, out, show(fixed{}))
	if out.n != 1 || out.Code != http.StatusOK || out.Body.Len() > 0 {
		t.Errorf("%d times flushed, %d, %q", out.n, out.Code, out.Body)
	}
}

// A page that is open in a browser hears that the state has changed, and gets no rules.
func TestStates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := show(fixed{published: published(1, "one"), revision: 1})
		out := &flushes{ResponseRecorder: httptest.NewRecorder()}
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			defer stop()
			time.Sleep(stateEvery / 2)
			want := ""
			for revision := range int64(3) {
				synctest.Wait()
				want += fmt.Sprintf("event: state\ndata: %d\n\n", revision+1) // the first event comes at once
				if got := out.Body.String(); got != want {
					t.Errorf("got\n%s, want\n%s", got, want)
				}
				s.at.Store(&fixed{published: published(revision+2, "one"), revision: revision + 2})
				time.Sleep(stateEvery)
			}
		}()
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "http://localhost/api/v1/changes?rules=no", nil)
		local(t, s).ServeHTTP(out, r)
	})
}
