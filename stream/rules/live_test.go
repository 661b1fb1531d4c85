package rules

import (
	"context"
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
