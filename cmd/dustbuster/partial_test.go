package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/operators/rule"
)

// library is a site on which several rules hold and others do not. Each book has several
// URLs, one of which redirects. The robots.txt redirects, too. The library records its
// requests.
type library struct {
	mu    sync.Mutex
	asked []string
	see   func(n int) // called with the number of requests so far; may be nil
	busy  int         // requests before all answers are 429 and 503; 0: no limit
	fails int         // requests before the server fails, by a status or without an answer; 0: no limit
	ends  string      // path below which the server always fails; "": none
}

const books = 80

var bookForms = []string{"/book/%d", "/book/%d?from=a", "/book/%d?from=b", "/old/%d", "/b?id=%d", "/go/%d", "/review/%d"}

func (l *library) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	l.asked = append(l.asked, r.Host+r.RequestURI)
	n := len(l.asked)
	l.mu.Unlock()
	if l.see != nil {
		l.see(n)
	}
	id := number.FindString(r.URL.Path) + r.URL.Query().Get("id")
	switch {
	case l.busy > 0 && n > l.busy:
		w.WriteHeader([]int{http.StatusTooManyRequests, http.StatusServiceUnavailable}[n%2])
	case l.fails > 0 && n > l.fails && n%2 == 0, l.ends != "" && strings.HasPrefix(r.URL.Path, l.ends):
		w.WriteHeader(http.StatusInternalServerError)
	case l.fails > 0 && n > l.fails:
		panic(http.ErrAbortHandler)
	case r.URL.Path == "/robots.txt":
		http.Redirect(w, r, "/robots", http.StatusFound)
	case r.URL.Path == "/robots":
		fmt.Fprint(w, "User-agent: *\nDisallow: /private")
	case strings.HasPrefix(r.URL.Path, "/go/"):
		http.Redirect(w, r, "/book/"+id, http.StatusFound)
	case strings.HasPrefix(r.URL.Path, "/review/"):
		writePage(w, "reviewed "+id)
	default:
		writePage(w, id)
	}
}

// libraryRun is the result of validate on the site.
type libraryRun struct {
	code   int
	rules  []rule.Rule
	asked  []string
	stderr string
}

// validateLibrary runs validate -o json on the site, of some hosts.
func validateLibrary(t *testing.T, ctx context.Context, l *library, hosts []string, args ...string) libraryRun {
	t.Helper()
	server := httptest.NewServer(l)
	defer server.Close()
	var log strings.Builder
	for _, host := range hosts {
		log.WriteString(strings.ReplaceAll(hits(books, bookForms...), "192.0.2.1 ", host+" 192.0.2.1 "))
	}
	path := newFile(t, "access.log", log.String())
	code, out, errs := program(ctx, append([]string{"validate", "--fetch-kinds", "any", "--hosts", strings.Join(hosts, ","), "--origin", server.URL, "--fetch-delay", "0", "-o", "json", path}, args...)...)
	r := libraryRun{code: code, stderr: errs.String()}
	l.mu.Lock()
	r.asked = slices.Clone(l.asked)
	l.mu.Unlock()
	for line := range bytes.Lines(out.Bytes()) {
		var record rule.Record
		if err := json.Unmarshal(line, &record); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		edit, err := record.Rule()
		must(t, err)
		if record.State != rule.Valid || r.wrong(&edit) {
			t.Errorf("printed %s", line)
		}
		r.rules = append(r.rules, edit)
	}
	return r
}

// wrong reports whether a rule joins books with their reviews.
func (r *libraryRun) wrong(rule *rule.Rule) bool {
	return strings.Contains(rule.Sides().From+rule.Sides().To, "review")
}

var oneHost = []string{"www.example.org"}

// With --fetch-total, validate sends no more requests over all sites, and the printed rules
// hold.
func TestValidateTotal(t *testing.T) {
	t.Parallel()
	all := validateLibrary(t, t.Context(), &library{}, oneHost)
	whole, most := len(all.asked), 0
	for _, total := range []int{1, 2, 3, whole / 3, whole / 2, whole * 2 / 3} {
		r := validateLibrary(t, t.Context(), &library{}, oneHost, "--fetch-total", fmt.Sprint(total))
		if r.code != 0 || len(r.asked) != total || !strings.Contains(r.stderr, fmt.Sprintf("all %d requests of --fetch-total are used", total)) {
			t.Errorf("%d requests, want %d; ended with %d\n%s", len(r.asked), total, r.code, r.stderr)
		}
		if len(r.rules) < most || total >= whole/2 && len(r.rules) == 0 {
			t.Errorf("%d rules with %d requests, %d with fewer", len(r.rules), total, most)
		}
		most = max(most, len(r.rules))
	}
	if r := validateLibrary(t, t.Context(), &library{}, oneHost, "--fetch-total", fmt.Sprint(4*whole)); r.code != 0 || !slices.Equal(r.rules, all.rules) || len(r.asked) != whole {
		t.Errorf("%d rules with %d requests, want %d with %d", len(r.rules), len(r.asked), len(all.rules), whole)
	}
	hosts := []string{"a.example.org", "b.example.org", "c.example.org"}
	if r := validateLibrary(t, t.Context(), &library{}, hosts, "--fetch-total", fmt.Sprint(whole)); r.code != 0 || len(r.asked) != whole || len(r.rules) == 0 {
		t.Errorf("three sites: %d rules with %d requests; ended with %d\n%s", len(r.rules), len(r.asked), r.code, r.stderr)
	}
}

// After an interrupt, validate tries the valid rules together, ends soon, and prints them.
func TestValidateInterrupted(t *testing.T) {
	t.Parallel()
	whole := len(validateLibrary(t, t.Context(), &library{}, oneHost).asked)
	for _, at := range []int{1, whole / 4, whole / 2, whole * 3 / 4} {
		ctx, interrupt := context.WithCancel(t.Context())
		l := &library{see: func(n int) {
			if n == at {
				interrupt()
			}
		}}
		r := validateLibrary(t, ctx, l, oneHost, "--fetch-delay", "3ms")
		interrupt()
		if r.code != cli.ExitPartial || !strings.Contains(r.stderr, "interrupted; the rules are those confirmed so far") || len(r.asked) > at+100+whole/4 {
			t.Errorf("interrupted at %d of %d: %d requests; ended with %d\n%s", at, whole, len(r.asked), r.code, r.stderr)
		}
		if at >= whole/2 && len(r.rules) == 0 {
			t.Errorf("interrupted at %d of %d: nothing is printed\n%s", at, whole, r.stderr)
		}
	}
}

// When the requests of the hour are used up, validate does not wait for the next.
func TestValidateHourIsOver(t *testing.T) {
	t.Parallel()
	budget := len(validateLibrary(t, t.Context(), &library{}, oneHost).asked) * 2 / 3
	r := validateLibrary(t, t.Context(), &library{}, oneHost, "--fetch-budget", fmt.Sprint(budget))
	want := fmt.Sprintf(`site "www.example.org": this hour's %d requests are used up (--fetch-budget)`, budget)
	if r.code != cli.ExitPartial || len(r.asked) != budget || len(r.rules) == 0 || !strings.Contains(r.stderr, want) {
		t.Errorf("%d rules with %d requests of %d; ended with %d\n%s", len(r.rules), len(r.asked), budget, r.code, r.stderr)
	}
}

// If a server wants no more requests, validate does not wait for an hour.
func TestValidateSiteRests(t *testing.T) {
	t.Parallel()
	for _, at := range []int{0, 1, 40, 200} {
		r := validateLibrary(t, t.Context(), &library{busy: at + 2}, oneHost)
		if r.code != cli.ExitPartial || len(r.asked) != at+2+5 || strings.Count(r.stderr, `site "www.example.org" answered 429 or 503 too often, so it rests for an hour`) != 1 ||
			strings.Count(r.stderr, "5 answers 429 or 503 in a row, the last ") != 1 {
			t.Errorf("%d requests after %d; ended with %d\n%s", len(r.asked), at, r.code, r.stderr)
		}
	}
}

// If ten pages in a row fail, and an unrelated page as well, validate ends and says so. It prints the rules that were
// confirmed before.
func TestValidateServerFails(t *testing.T) {
	t.Parallel()
	whole := len(validateLibrary(t, t.Context(), &library{}, oneHost).asked)
	for _, at := range []int{1, whole / 4, whole * 3 / 4} {
		r := validateLibrary(t, t.Context(), &library{fails: at + 2}, oneHost)
		if r.code != cli.ExitPartial || len(r.asked) < at+2+11 || len(r.asked) > at+2+25 ||
			strings.Count(r.stderr, `site "www.example.org": the last 10 pages in a row gave no answer or an error of the server, and so did an unrelated page: try again once the server works`) != 1 ||
			!strings.Contains(r.stderr, `testing on "www.example.org" ends with `) {
			t.Errorf("%d requests after %d; ended with %d\n%s", len(r.asked), at, r.code, r.stderr)
		}
	}
}

// A server that fails at the pages of one rule alone is asked for those of the others.
func TestValidatePagesFail(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		ends string
		lost int // rules
	}{{"/old/", 1}, {"/go/", 1}, {"/review/", 0}} {
		all := validateLibrary(t, t.Context(), &library{}, oneHost)
		r := validateLibrary(t, t.Context(), &library{ends: c.ends}, oneHost)
		if r.code != 0 || len(r.rules) < len(all.rules)-c.lost || strings.Contains(r.stderr, "in a row") {
			t.Errorf("%s: %d rules of %d with %d requests; ended with %d\n%s", c.ends, len(r.rules), len(all.rules), len(r.asked), r.code, r.stderr)
		}
	}
}

// Where the last 300 requests brought nothing and no rule that is left promises more, validate ends, and says so with the
// number of these rules.
func TestValidateLittleLeft(t *testing.T) {
	t.Parallel()
	const rules, pages = 150, 12
	var log, list strings.Builder
	line := func(size int, format string, args ...any) {
		fmt.Fprintf(&log, "www.example.org 192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET "+format+" HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", append(args, size)...)
	}
	for dir := range rules {
		fmt.Fprintf(&list, `{"schema":2,"site":"www.example.org","kind":"parameter","op":"drop","params":["x%d"],"support":12,"state":"likely"}`+"\n", dir)
		for i := range pages {
			line(size(i), "/d%d/p%d?id=%d", dir, i, i)
			line(size(i), "/d%d/p%d?id=%d&x%d=1", dir, i, i, dir)
		}
	}
	for i := range 20_000 {
		line(1000, "/rest/%d", i)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // each URL has a page of its own
		text := strings.NewReplacer("/", " ", "?", " ", "&", " ", "=", " ").Replace(r.RequestURI)
		answer(w, number.FindString(r.URL.Query().Get("id")), "<p>"+strings.Repeat(text+" says this and a little more ", 9))
	}))
	defer server.Close()
	args := []string{"validate", "--fetch-kinds", "any", "--hosts", "www.example.org", "--origin", server.URL, "--fetch-delay", "0", "--fetch-rate", "0",
		"--rules", newFile(t, "rules.jsonl", list.String()), "-o", "text", newFile(t, "access.log", log.String())}
	code, _, errs := program(t.Context(), args...)
	said := regexp.MustCompile(`testing on "www.example.org" ends with (\d+) rules left: the last 300 requests merged fewer than 1 in 500 URLs, and no rule that is left promises more`).FindStringSubmatch(errs.String())
	if left, _ := strconv.Atoi(append(said, "", "")[1]); code != 0 || left < 10 || left > rules-10 {
		t.Errorf("ended with %d, said %q\n%s", code, said, errs)
	}
}

// A seed draws other pairs, and the same pairs each time; 0 is no seed.
func TestValidateSeed(t *testing.T) {
	t.Parallel()
	asked := func(args ...string) []string {
		return validateLibrary(t, t.Context(), &library{}, oneHost, append(args, "--fetch-total", "60")...).asked
	}
	none := asked()
	for _, c := range []struct {
		seed string
		same bool
	}{{"0", true}, {"1", false}, {"2", false}} {
		first, second := asked("--seed", c.seed), asked("--seed", c.seed)
		if !slices.Equal(first, second) || slices.Equal(first, none) != c.same {
			t.Errorf("seed %s: %q, then %q; without %q", c.seed, first[:9], second[:9], none[:9])
		}
	}
}
