package rules

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"dustbuster/internal/expect"
)

func read(t *testing.T, text string) *List {
	t.Helper()
	l, err := Read(strings.NewReader(text))
	must(t, err)
	return l
}

// must ends a test at an error.
var must = expect.NoError

// Lists are replaced while URLs are canonized. Each URL is canonized by one of the
// lists, never by a mixture.
func TestSwapUnderLoad(t *testing.T) {
	one := read(t, record("a.example", "1", "valid", 1, "/x/", "/y/")+record("a.example", "2", "valid", 2, "/y/", "/one/"))
	two := read(t, record("a.example", "3", "valid", 1, "/x/", "/z/")+record("a.example", "4", "valid", 2, "/z/", "/two/"))
	var live Live
	if got, changed := live.Canonical("http://a.example/x/1"); changed || got != "http://a.example/x/1" {
		t.Errorf("without rules: %s", got)
	}
	must(t, live.Set(one))
	var work sync.WaitGroup
	var stop atomic.Bool
	for g := range 4 {
		work.Go(func() {
			for i := 0; !stop.Load(); i++ {
				url := fmt.Sprintf("http://a.example/x/%d/%d", g, i)
				rest := strings.TrimPrefix(url, "http://a.example/x/")
				if got, _ := live.Canonical(url); got != "http://a.example/one/"+rest && got != "http://a.example/two/"+rest {
					t.Errorf("%s becomes %s", url, got)
					return
				}
			}
		})
	}
	for i := range 2000 {
		must(t, live.Set([]*List{two, one}[i%2]))
	}
	stop.Store(true)
	work.Wait()
}

// Rules without a site are for the host that is named, before the list or later, and for paths.
func TestLiveHost(t *testing.T) {
	var live Live
	if err := live.SetHost("a b"); err == nil || !strings.Contains(err.Error(), "not a host") {
		t.Error(err)
	}
	path := filepath.Join(t.TempDir(), "rules.jsonl")
	must(t, os.WriteFile(path, []byte(record("", "1", "valid", 1, "/x/", "/y/")), 0o600))
	followed := func() (problems []error) {
		ctx, stop := context.WithCancel(t.Context())
		stop()
		live.Follow(ctx, path, time.Hour, func(err error) { problems = append(problems, err) })
		return problems
	}
	if got := followed(); len(got) != 1 || !errors.Is(got[0], ErrNoHost) || !strings.HasPrefix(got[0].Error(), "apply "+path+": ") {
		t.Errorf("%v", got)
	}
	forms := func(want ...string) {
		t.Helper()
		for i, url := range []string{"http://www.a.example/x/1", "http://b.example/x/1", "/x/1"} {
			if got, _ := live.Canonical(url); got != want[i] {
				t.Errorf("%s becomes %s, want %s", url, got, want[i])
			}
		}
	}
	forms("http://www.a.example/x/1", "http://b.example/x/1", "/y/1")
	version := live.Version()
	must(t, live.SetHost("www.a.example"))
	forms("http://www.a.example/y/1", "http://b.example/x/1", "/y/1")
	if got := followed(); got != nil || live.Version() != version {
		t.Errorf("%v, version %s", got, live.Version())
	}
	forms("http://www.a.example/y/1", "http://b.example/x/1", "/y/1")
	if c := live.Counts(); c.Rules["1"] != 5 || c.Changed != 5 {
		t.Errorf("%+v", c)
	}
}

// A list without valid rules replaces the old list: its rules are not applied any longer.
func TestFollowNoneValid(t *testing.T) {
	path := expect.File(t, "rules.jsonl", likely("a.example"))
	var live Live
	must(t, live.Set(read(t, record("a.example", "1", "valid", 1, "/x/", "/y/"))))
	ctx, stop := context.WithCancel(t.Context())
	stop() // after one read
	var told []error
	live.Follow(ctx, path, time.Hour, func(err error) { told = append(told, err) })
	if len(told) > 0 {
		t.Errorf("reported %v", told)
	}
	if got, _ := live.Canonical("http://a.example/x/1"); got != "http://a.example/x/1" {
		t.Errorf("then %s", got)
	}
	live.Follow(ctx, path+"x", time.Hour, nil) // without a callback
}

// What is no whole list leaves the rules as they are, whatever a server or a proxy cuts off.
func TestFollowKeeps(t *testing.T) {
	one, two := record("a.example", "1", "valid", 1, "/x/", "/y/"), record("a.example", "2", "valid", 2, "/y/", "/z/")
	sum := sha256.Sum256([]byte(one + two))
	digest := "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
	for _, c := range []struct {
		name  string
		serve func(w http.ResponseWriter)
		kept  bool
	}{
		{"a whole list", func(w http.ResponseWriter) {
			w.Header().Set("Repr-Digest", "sha-512=:AAAA:, "+digest)
			fmt.Fprint(w, one, two)
		}, false},
		{"an empty list", func(w http.ResponseWriter) {
			w.Header().Set("Repr-Digest", "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:")
		}, false},
		{"a list of another server", func(w http.ResponseWriter) { fmt.Fprint(w, one, two) }, false},
		{"204", func(w http.ResponseWriter) { w.WriteHeader(http.StatusNoContent) }, true},
		{"205", func(w http.ResponseWriter) { w.WriteHeader(http.StatusResetContent) }, true},
		{"304 without being asked", func(w http.ResponseWriter) { w.WriteHeader(http.StatusNotModified) }, true},
		{"503", func(w http.ResponseWriter) { w.WriteHeader(http.StatusServiceUnavailable) }, true},
		{"shorter than told", func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", fmt.Sprint(len(one+two)))
			fmt.Fprint(w, one)
		}, true},
		{"cut within a line", func(w http.ResponseWriter) { fmt.Fprint(w, one, two[:len(two)/2]) }, true},
		{"cut between lines", func(w http.ResponseWriter) {
			w.Header().Set("Repr-Digest", digest)
			fmt.Fprint(w, one)
		}, true},
		{"nothing of it", func(w http.ResponseWriter) { w.Header().Set("Repr-Digest", digest) }, true},
		{"cut off by the server", func(w http.ResponseWriter) {
			fmt.Fprint(w, one)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { c.serve(w) }))
			defer server.Close()
			var live Live
			must(t, live.Set(read(t, record("a.example", "9", "valid", 1, "/x/", "/kept/"))))
			ctx, stop := context.WithCancel(t.Context())
			told := 0
			go func() { time.Sleep(200 * time.Millisecond); stop() }()
			live.Follow(ctx, server.URL, time.Hour, func(error) { told++ })
			if got, _ := live.Canonical("http://a.example/x/1"); (got == "http://a.example/kept/1") != c.kept || (told > 0) != c.kept {
				t.Errorf("then %s, and %d errors are told", got, told)
			}
		})
	}
}

// Follow works with a file and with a daemon. Errors leave the list unchanged.
func TestFollow(t *testing.T) {
	good, better := record("a.example", "1", "valid", 1, "/x/", "/y/"), record("a.example", "2", "valid", 1, "/x/", "/z/")
	path := filepath.Join(t.TempDir(), "rules.jsonl")
	var content atomic.Pointer[string]
	var asked, sent atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text := *content.Load()
		tag := fmt.Sprintf("%q", fmt.Sprint(len(text), strings.Contains(text, "/z/")))
		asked.Add(1)
		if r.Header.Get("If-None-Match") == tag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		sent.Add(1)
		w.Header().Set("ETag", tag)
		_, _ = w.Write([]byte(text))
	}))
	defer server.Close()
	put := func(text string) {
		t.Helper()
		content.Store(&text)
		temp := path + ".new"
		must(t, os.WriteFile(temp, []byte(text), 0o600))
		must(t, os.Rename(temp, path))
	}
	put(good)
	ctx, stop := context.WithCancel(t.Context())
	var failures atomic.Int64
	var file, daemon Live
	var work sync.WaitGroup
	work.Go(func() { file.Follow(ctx, path, time.Millisecond, func(error) { failures.Add(1) }) })
	work.Go(func() { daemon.Follow(ctx, server.URL, time.Millisecond, func(error) { failures.Add(1) }) })
	await := func(want string) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			a, _ := file.Canonical("http://a.example/x/1")
			b, _ := daemon.Canonical("http://a.example/x/1")
			if a == want && b == want {
				return
			}
		}
		t.Fatalf("never %s", want)
	}
	await("http://a.example/y/1")
	put(good + "nonsense\n")
	for failures.Load() < 2 {
		time.Sleep(time.Millisecond)
	}
	await("http://a.example/y/1")
	put(better)
	await("http://a.example/z/1")
	before := sent.Load()
	for start := asked.Load(); asked.Load() < start+20; {
		time.Sleep(time.Millisecond)
	}
	stop()
	work.Wait()
	if sent.Load() != before {
		t.Errorf("the same list was sent %d times more", sent.Load()-before)
	}
}
