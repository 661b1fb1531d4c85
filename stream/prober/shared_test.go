package prober_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
	"dustbuster/stream/fetch"
	"dustbuster/stream/prober"
)

// Documents fetched for one rule judge the pairs of all rules: no URL is requested twice, and a
// pair of which both documents were fetched for other rules costs no request.
func TestDocumentsAreShared(t *testing.T) {
	var mu sync.Mutex
	asked := map[string]int{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		asked[r.URL.RequestURI()]++
		mu.Unlock()
		id, _ := strconv.Atoi(r.URL.Query().Get("id"))
		page := fmt.Sprint("<p>", strings.Repeat(fmt.Sprintf("story %d is told at length by number %[1]d, ", id), 10))
		fmt.Fprintf(w, "%s<!--%s-->", page, strings.Repeat(" ", 1000+100*id-len(page)-7))
	}))
	defer server.Close()
	requests := func() (n int) {
		mu.Lock()
		defer mu.Unlock()
		for _, k := range asked {
			n += k
		}
		return n
	}

	f, err := fetch.New(fetch.Options{Version: "test", Origin: server.URL, Delay: 1, Budget: -1, Digest: prober.Digest})
	must(t, err)
	m := miner.New("a.example", minerOptions())
	for i := range 60 {
		for _, form := range []string{"/story?id=%d", "/story?id=%d&s=%[1]d1", "/story?id=%d&r=%[1]d7", "/story?id=%d&s=%[1]d2&r=%[1]d7"} {
			size := int64(1000 + 100*i)
			m.Fold(&evidence.Observation{URL: fmt.Appendf(nil, form, i), Min: size, Max: size})
		}
	}
	fetched := map[string]map[string]bool{} // by URL: the rules for which the URL was fetched
	free, before := 0, 0
	v := book.Defaults()
	v.Kinds = book.AnyKind // no line names a client
	o := prober.Options{Lifecycle: v, Fetcher: f, Report: func(r prober.Report) {
		if r.Judged == nil {
			return
		}
		test, now := r.Judged.Pair, requests()
		if test.Purpose == lifecycle.Trial && fetched[test.U] != nil && fetched[test.V] != nil && !fetched[test.U][test.Rule] && !fetched[test.V][test.Rule] {
			free++
			if now != before {
				t.Errorf("%+v costs %d requests", test, now-before)
			}
		}
		for _, u := range []string{test.U, test.V} {
			if fetched[u] == nil {
				fetched[u] = map[string]bool{}
			}
			fetched[u][test.Rule] = true
		}
		before = now
	}}
	o.Lifecycle.Miner, o.Lifecycle.RecheckEvery, o.Lifecycle.LevelEvery, o.Lifecycle.HoldShare = minerOptions(), 0, 0, 1
	w := open(o)
	give(w, m)
	for deadline := time.Now().Add(time.Minute); w.Busy() && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	w.Close()
	if valid := w.Status()["a.example"].States[rule.Valid]; valid < 2 || free == 0 {
		t.Errorf("%d rules hold; %d pairs are of documents fetched for other rules", valid, free)
	}
	for u, n := range asked {
		if n > 1 {
			t.Errorf("%s was requested %d times", u, n)
		}
	}
	t.Logf("%d requests, %d pairs without one", requests(), free)
}
