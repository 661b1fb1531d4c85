package integration

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"dustbuster/operators/rule/canon"
)

// askedFor is a request of the log: a URL, and the client who asked for it.
type askedFor struct {
	url    string
	client string // an address
	behind string // last quoted field of the line, a list of forwarded addresses; "": none
}

// reached is a made-up site whose visitors can be told apart: what they asked for, and what
// validate may do with it. A URL that looks private must never be requested as it is.
type reached struct {
	*rand.Rand
	log     []askedFor
	answer  http.HandlerFunc        // the site as it answers now
	logged  http.HandlerFunc        // as it answered when the log was written; nil: in the same way
	page    func(url string) string // names the page of a URL
	private map[string]bool         // URLs of the log that were given to one client, or that do something
}

// newReached returns a site that has no visitors.
func newReached(seed uint64) *reached {
	return &reached{Rand: rand.New(rand.NewPCG(seed, 46)), private: map[string]bool{}}
}

// client returns the address of a client. Each address of these networks counts by itself.
func client(n int) string {
	networks := []string{"198.51.100", "203.0.113", "192.0.2"}
	return fmt.Sprintf("%s.%d", networks[n/250%len(networks)], 1+n%250)
}

// manyClients is the number of clients that a site has in all.
const manyClients = 300

// asked adds requests of some clients for a URL to the log.
func (s *reached) asked(url string, clients ...int) {
	for _, c := range clients {
		s.log = append(s.log, askedFor{url: url, client: client(c)})
	}
}

// some returns n clients, each another.
func (s *reached) some(n int) []int { return s.Perm(manyClients)[:n] }

// kept adds requests for a URL that must never be requested as it is.
func (s *reached) kept(url string, clients ...int) {
	s.private[url] = true
	s.asked(url, clients...)
}

// text returns n random characters of an alphabet.
func (s *reached) text(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[s.IntN(len(alphabet))]
	}
	return string(b)
}

// Alphabets of invented values.
const (
	digits     = "0123456789"
	hexDigits  = digits + "abcdef"
	hexUpper   = digits + "ABCDEF"
	lower      = "abcdefghijklmnopqrstuvwxyz"
	upper      = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	lowerMix   = lower + digits
	base62     = upper + lower + digits
	urlLetters = base62 + "-_"
)

// write returns the log in the combined format, in which clients take turns.
func (s *reached) write(t *testing.T) []byte {
	t.Helper()
	answers := s.logged
	if answers == nil {
		answers = s.answer
	}
	sizes := map[string]int{}
	log := slices.Clone(s.log)
	s.Shuffle(len(log), func(i, j int) { log[i], log[j] = log[j], log[i] })
	var b bytes.Buffer
	for n, a := range log {
		size, known := sizes[a.url]
		if !known {
			got := httptest.NewRecorder()
			answers(got, httptest.NewRequest(http.MethodGet, a.url, nil))
			if got.Code != http.StatusOK {
				t.Fatalf("the log would have %d for %s", got.Code, a.url)
			}
			size = got.Body.Len()
			sizes[a.url] = size
		}
		fmt.Fprintf(&b, "%s - - [17/May/2025:%02d:%02d:%02d +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"", a.client, n/3600%24, n/60%60, n%60, a.url, size)
		if a.behind != "" {
			fmt.Fprintf(&b, " %q", a.behind)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// trialOf is what validate did to a site.
type trialOf struct {
	t        *testing.T
	site     *reached
	requests []string // targets in the order of their coming, without robots.txt
	rules    string   // file of those that were published
	said     string
	canon    *canon.Canonizer
}

// validate tries the rules of the site's log without a delay, and complains about each request for
// a private URL.
func (s *reached) validate(t *testing.T, args ...string) *trialOf {
	t.Helper()
	v := &trialOf{t: t, site: s}
	var mu sync.Mutex
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		defer mu.Unlock()
		v.requests = append(v.requests, r.RequestURI)
		s.answer(w, r)
	}))
	log := write(t, "access.log", s.write(t))
	args = append([]string{"validate", "--origin", server.URL, "--fetch-delay", "0", "--output", "json"}, append(args, log)...)
	found := finish(t, exec.Command(underTest(), args...))
	server.Close()
	v.said = found.stderr
	if found.code != 0 && found.code != 3 && !strings.Contains(found.stderr, "no pages could be compared") && !strings.Contains(found.stderr, "there is no rule to try") {
		t.Fatal(found)
	}
	v.rules = write(t, "rules.jsonl", []byte(found.stdout))
	v.canon = canonizer(t, v.rules)
	v.isNobodys()
	return v
}

// longText matches texts that could be those of one visitor.
var longText = regexp.MustCompile(`[A-Za-z0-9_-]{16,}`)

// isNobodys complains about requests for private URLs of the log, and about those that hold a text
// of one: a stand-in is invented, and no other visitor's.
func (v *trialOf) isNobodys() {
	v.t.Helper()
	private, public := map[string]bool{}, map[string]bool{}
	for _, a := range v.site.log {
		for _, text := range longText.FindAllString(a.url, -1) {
			private[text] = private[text] || v.site.private[a.url]
			public[text] = public[text] || !v.site.private[a.url]
		}
	}
	for _, url := range v.requests {
		if v.site.private[url] {
			v.t.Errorf("asked for %s, which looks private", url)
		}
		for _, text := range longText.FindAllString(url, -1) {
			if private[text] && !public[text] {
				v.t.Errorf("asked for %s with the text of a visitor", url)
			}
		}
	}
}

// count returns the number of requests for URLs of which something is true.
func (v *trialOf) count(is func(url string) bool) (n int) {
	for _, url := range v.requests {
		if is(url) {
			n++
		}
	}
	return n
}

// with returns the requests for URLs that hold one of some texts.
func (v *trialOf) with(texts ...string) (all []string) {
	for _, url := range v.requests {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(url, text) }) {
			all = append(all, url)
		}
	}
	return all
}

// merges judges the rules by the site's plan, on all URLs of the log.
func (v *trialOf) merges() merges {
	seen := map[string]bool{}
	var urls []string
	for _, a := range v.site.log {
		if !seen[a.url] {
			seen[a.url] = true
			urls = append(urls, a.url)
		}
	}
	plan := hostileSite{page: v.site.page}
	m := plan.merges(v.canon, urls)
	v.t.Logf("%d URLs, %d of %d duplicates merged, %d false merges, %d requests", len(urls), m.merged, m.duplicates, m.wrong, len(v.requests))
	return m
}

// merged complains unless rules merge at least a share of the duplicates of the log, and nothing else.
func (v *trialOf) merged(share float64) merges {
	v.t.Helper()
	m := v.true()
	if m.duplicates == 0 || float64(m.merged) < share*float64(m.duplicates) {
		v.t.Errorf("%d of %d duplicates are merged\n%s", m.merged, m.duplicates, v)
	}
	return m
}

// costs complains if more requests were made.
func (v *trialOf) costs(most int) {
	v.t.Helper()
	if len(v.requests) > most {
		v.t.Errorf("%d requests, more than %d\n%s", len(v.requests), most, v)
	}
}

var verdict = regexp.MustCompile(`"id":.*?,"kind":|,"rank":.*`)

// String is what was published, and what was said.
func (v *trialOf) String() string {
	return string(verdict.ReplaceAll(readFile(v.t, v.rules), nil)) + v.said
}

// true complains if rules merge two pages.
func (v *trialOf) true() merges {
	v.t.Helper()
	m := v.merges()
	if m.wrong > 0 {
		v.t.Errorf("%d pairs are merged falsely, such as %q\n%s", m.wrong, m.example, v)
	}
	return m
}

// never complains about requests of which something is true.
func (v *trialOf) never(what string, is func(url string) bool) {
	v.t.Helper()
	if n := v.count(is); n > 0 {
		i := slices.IndexFunc(v.requests, is)
		v.t.Errorf("%s: %d requests, such as %s\n%s", what, n, v.requests[i], v)
	}
}

// words returns different words, most of two or three syllables.
func (s *reached) words(n int) []string {
	const consonants, vowels = "bcdfghklmnprstvz", "aeiou"
	seen, all := map[string]bool{}, []string{}
	for len(all) < n {
		var b strings.Builder
		for range 2 + s.IntN(2) {
			b.WriteByte(consonants[s.IntN(len(consonants))])
			b.WriteByte(vowels[s.IntN(len(vowels))])
		}
		if w := b.String(); !seen[w] {
			seen[w] = true
			all = append(all, w)
		}
	}
	return all
}
