package rules

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"dustbuster/operators/rule/report"
)

// chain has two rules that both change /x/, and one that changes /u/.
func chain() string {
	return record("a.example", "1", "valid", 1, "/x/", "/y/") + record("a.example", "2", "valid", 2, "/y/", "/one/") + record("a.example", "3", "valid", 3, "/u/", "/v/")
}

// A Live counts URLs, and each rule once for a URL that it takes part in changing.
// Rules that stay keep their counts.
func TestCounts(t *testing.T) {
	var live Live
	live.Canonical("http://a.example/x/1")
	must(t, live.Set(read(t, chain())))
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for i := range 25 {
				live.Canonical(fmt.Sprintf("http://a.example/x/%d", i))
				live.Canonical(fmt.Sprintf("http://a.example/y/%d", i))
				live.Canonical(fmt.Sprintf("http://a.example/z/%d#top", i)) // changed by no rule
				live.Canonical(fmt.Sprintf("http://b.example/x/%d", i))
			}
		})
	}
	work.Wait()
	got := live.Counts()
	if want := map[string]int64{"1": 100, "2": 200, "3": 0}; got.Asked != 401 || got.Changed != 300 || !maps.Equal(got.Rules, want) {
		t.Errorf("%+v, want %v", got, want)
	}
	must(t, live.Set(read(t, record("a.example", "2", "valid", 1, "/y/", "/one/")+record("a.example", "4", "valid", 2, "/u/", "/w/"))))
	live.Canonical("http://a.example/y/1")
	if got, want := live.Counts().Rules, map[string]int64{"2": 201, "4": 0}; !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// A rule that is switched off has no effect, in this list and the next, until it is switched
// on. The other rules stay.
func TestSwitch(t *testing.T) {
	var live Live
	forms := func(want ...string) {
		t.Helper()
		for i, path := range []string{"/x/1", "/y/1", "/u/1"} {
			if got, _ := live.Canonical("http://a.example" + path); got != "http://a.example"+want[i] {
				t.Errorf("%s becomes %s, want %s", path, got, want[i])
			}
		}
	}
	must(t, live.Switch("2", false))
	must(t, live.Set(read(t, chain()+record("", "9", "valid", 1, "/u/", "/all/"))))
	forms("/y/1", "/y/1", "/v/1")
	version := live.Version()
	must(t, live.Switch("2", true))
	must(t, live.Switch("1", false))
	forms("/x/1", "/one/1", "/v/1")
	must(t, live.Switch("2", false))
	must(t, live.Switch("3", false))
	forms("/x/1", "/y/1", "/u/1") // the site exists: the rules of all sites do not apply
	must(t, live.Set(read(t, chain())))
	forms("/x/1", "/y/1", "/u/1")
	for _, id := range []string{"1", "2", "3"} {
		must(t, live.Switch(id, true))
	}
	forms("/one/1", "/one/1", "/v/1")
	if version == "" || live.Version() == version {
		t.Errorf("versions %s and %s of different lists", version, live.Version())
	}
}

// The version of a list is the hash of its rules, or the daemon's tag. A function is called
// with the version of each new list.
func TestVersion(t *testing.T) {
	var live, twin Live
	var told []string
	live.OnChange(func(version string) { told = append(told, version) })
	if live.Version() != "" {
		t.Errorf("without a list: %s", live.Version())
	}
	for range 2 {
		must(t, live.Set(read(t, chain())))
	}
	must(t, twin.Set(read(t, chain())))
	if v := live.Version(); v == "" || v != twin.Version() || len(told) != 2 || told[0] != v || told[1] != v {
		t.Errorf("%s, %s, told %v", v, twin.Version(), told)
	}
	live.OnChange(nil)
	if err := live.set(read(t, chain()), `"tag"`); err != nil || live.Version() != `"tag"` || len(told) != 2 {
		t.Errorf("%v, %s, %v", err, live.Version(), told)
	}
}

// A report names the site of the rules, and a daemon reads it.
func TestReport(t *testing.T) {
	var got *report.Report
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := make([]byte, 4096)
		n, _ := r.Body.Read(body)
		var err error
		if got, err = report.Parse(body[:n]); err != nil || r.URL.Path != "/api/v1/report" || r.Header.Get("Authorization") != "Bearer secret" {
			t.Errorf("%v, %s, %v", err, r.URL, r.Header)
		}
		w.WriteHeader(http.StatusAccepted)
	}))
	defer server.Close()
	full := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		http.Error(w, `{"reason":"full"}`, http.StatusTooManyRequests)
	}))
	defer full.Close()
	var live Live
	if _, ok := live.Report("http://a.example/x/1", "http://a.example/y/1", [32]byte{}, [32]byte{}); ok {
		t.Error("a report without rules")
	}
	must(t, live.Set(read(t, chain())))
	if _, ok := live.Report("http://b.example/x/1", "http://b.example/y/1", [32]byte{}, [32]byte{}); ok {
		t.Error("a report about a site without rules")
	}
	r, ok := live.Report("http://a.example/x/1", "http://a.example/one/1", sha256.Sum256([]byte("abc")), sha256.Sum256([]byte("abd")))
	if !ok {
		t.Fatal("no report")
	}
	must(t, Send(t.Context(), strings.Replace(server.URL, "http://", "http://:secret@", 1), r))
	if *got != *r || got.Site != "a.example" || got.Alike() || got.Rules != live.Version() || !strings.HasPrefix(got.SHA256[0], "ba7816bf") {
		t.Errorf("%+v", got)
	}
	err := Send(t.Context(), full.URL, r)
	if refused, is := errors.AsType[*RefusedError](err); !is || refused.Status != http.StatusTooManyRequests || refused.After != "7" || !strings.Contains(refused.Reason, "full") {
		t.Errorf("%v", err)
	}
	if err := Send(t.Context(), "http://127.0.0.1:1", r); err == nil {
		t.Error("no daemon is no error")
	}
}
