package integration

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/operators/rule"
	"dustbuster/stream/rules"
)

// listings are the pages of the site docs that the test crawls: the listings of its
// folders a to g, in all their orders.
const listings = `/doc/([a-g][^/]*/)?(\?[^/]*)?$`

// exploredShare is the share of changed URLs that the crawl explores: one in so many.
const exploredShare = 20

// Scrapy crawls a part of a real site by the rules of a daemon that found and tried them
// there: with fewer requests, and without losing a page. Then the site gives other pages to
// the URLs that one rule changes, so that the rule is wrong. The crawler reports what it
// sees of the URLs that it explores, and the daemon retires the rule.
func TestScrapyCrawl(t *testing.T) {
	t.Parallel()
	site := newCrawledSite(t, setUp(t, filepath.Join(dataFolder(t), "sites", "docs"), "/manual/"))
	plain := site.crawl(t)
	d := site.daemon(t)
	admin := d.admin
	list := site.awaitRules(t, d)

	ruled := site.crawl(t, "--rules", "http://"+admin)
	t.Logf("without rules: %v; with %d rules: %v, %d pages lost", plain, list.Len(), ruled, plain.lost(ruled))
	if lost := plain.lost(ruled); lost > 0 || ruled.requests > plain.requests*9/10 {
		t.Errorf("%d pages lost, %d requests of %d", lost, ruled.requests, plain.requests)
	}

	wrong := site.breakRule(t, list, plain)
	file := write(t, "rules.jsonl", []byte(rulesOf(d)))
	plain, blind := site.crawl(t), site.crawl(t, "--rules", file)
	t.Logf("with rule %s wrong, without rules: %v; with rules: %v, %d pages lost", wrong, plain, blind, plain.lost(blind))
	if plain.lost(blind) < 10 {
		t.Errorf("the wrong rule loses %d pages", plain.lost(blind))
	}

	retired := site.awaitRetirement(t, admin, wrong)
	explored := site.crawl(t, "--rules", "http://"+admin, "--report", "http://"+admin, "--explore", fmt.Sprint(exploredShare))
	t.Logf("explored 1 in %d: %v, %d pages lost", exploredShare, explored, plain.lost(explored))
	if after := <-retired; after == "" {
		t.Fatalf("rule %s is still valid\n%s", wrong, rulesOf(d))
	} else {
		t.Logf("the rule was retired after %s", after)
	}

	after := site.crawl(t, "--rules", "http://"+admin)
	t.Logf("after that: %v, %d pages lost", after, plain.lost(after))
	if lost := plain.lost(after); lost > 0 {
		t.Errorf("%d pages lost after the rule was retired", lost)
	}
}

// crawledSite is a site behind a proxy that counts its visitors' requests.
type crawledSite struct {
	*httptest.Server
	wrong            atomic.Pointer[map[string]bool] // URLs that get another page
	crawler, fetcher atomic.Int64                    // requests
}

func newCrawledSite(t *testing.T, origin string) *crawledSite {
	t.Helper()
	target, err := url.Parse(origin)
	must(t, err)
	s := &crawledSite{}
	proxy := httputil.NewSingleHostReverseProxy(target)
	s.Server = serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.UserAgent(), "Scrapy") {
			s.crawler.Add(1)
		} else {
			s.fetcher.Add(1)
		}
		if wrong := s.wrong.Load(); wrong != nil && (*wrong)[r.RequestURI] {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, otherPage(r.RequestURI))
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	return s
}

// otherPage is a page whose words no other page has.
func otherPage(target string) string {
	hash := fnv.New32a()
	_, _ = io.WriteString(hash, target)
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "<p>word%x</p>", hash.Sum32()+uint32(i)*2654435761)
	}
	return b.String()
}

// spidered is what a crawl came to.
type spidered struct {
	requests int             // that the site was asked
	urls     []string        // of the pages, as they were found
	pages    map[string]bool // digests of the pages' words
	explored string          // reports sent
}

func (c spidered) String() string {
	return fmt.Sprintf("%d requests, %d different pages%s", c.requests, len(c.pages), c.explored)
}

// lost returns how many pages of a crawl another crawl lacks.
func (c spidered) lost(other spidered) (n int) {
	for page := range c.pages {
		if !other.pages[page] {
			n++
		}
	}
	return n
}

// crawl has Scrapy crawl the site.
func (s *crawledSite) crawl(t *testing.T, args ...string) (c spidered) {
	t.Helper()
	python := python(t)
	before := s.crawler.Load()
	cmd := exec.Command(python, append([]string{"-m", "tests.crawl", "--start", s.URL + "/doc/", "--allow", listings}, args...)...)
	cmd.Dir = filepath.Join("..", "sinks", "appliers", "python")
	lines := strings.Split(strings.TrimSpace(succeed(t, cmd).stdout), "\n")
	c.pages = map[string]bool{}
	for _, line := range lines[:len(lines)-1] {
		fields := strings.Split(line, "\t")
		c.urls = append(c.urls, fields[0])
		c.pages[fields[2]] = true
	}
	var stats map[string]any
	must(t, json.Unmarshal([]byte(lines[len(lines)-1]), &stats))
	if n := stats["dustbuster/explored/reported"]; n != nil {
		c.explored = fmt.Sprintf(", %v reports, %v of different pages", n, stats["dustbuster/explored/different"])
	}
	c.requests = int(s.crawler.Load() - before)
	return c
}

// daemon starts a daemon that finds and tries the rules of the listings.
func (s *crawledSite) daemon(t *testing.T) *running {
	t.Helper()
	data, dir := filepath.Join(dataFolder(t), "sites", "docs"), t.TempDir()
	listed := regexp.MustCompile(`"GET ` + strings.TrimSuffix(listings, "$") + ` `)
	kept := slices.DeleteFunc(logLines(t, filepath.Join(data, "access.log.gz")), func(line []byte) bool { return !listed.Match(line) })
	log := filepath.Join(dir, "access.log")
	writeFile(t, log, bytes.Join(kept, nil))
	d := hasty(t, program, *liveKey, s.URL, log, filepath.Join(dir, "state"), "--no-withhold", "--fetch-budget", "10000", "--level-interval", "1s")
	t.Cleanup(func() { d.end(t) })
	d.awaits(t, "/healthz", "")
	return d
}

// awaitRules waits until the daemon has tried all candidates, and no rule is published for a
// while. How many rules there are depends on the packages of this machine, whose folders the
// site shows.
func (s *crawledSite) awaitRules(t *testing.T, d *running) *rules.List {
	t.Helper()
	rulesNow, since := 0, time.Now()
	return await(t, 5*time.Minute, "the end of the trials", func() (*rules.List, bool) {
		now, up := d.status(t) // a busy daemon may refuse to answer
		ended := up
		for _, site := range now.Validate.Sites {
			ended = ended && site.Left == 0
		}
		list, err := rules.Open(t.Context(), "http://"+d.admin)
		if err != nil || !ended || list.Len() == 0 || list.Len() != rulesNow {
			since = time.Now()
			if err == nil {
				rulesNow = list.Len()
			}
		}
		return list, time.Since(since) > 5*time.Second
	}, d)
}

// byFirstRule returns the URLs that each rule changes first, by the rule's id.
func byFirstRule(t *testing.T, list *rules.List, urls []string) map[string][]string {
	t.Helper()
	sites, err := list.Compile()
	must(t, err)
	first, err := url.Parse(urls[0])
	must(t, err)
	sites, err = sites.For(first.Host)
	must(t, err)
	found := map[string][]string{}
	for _, u := range urls {
		for step := range sites.Steps(u) {
			id := rule.ID("", &step.Rule) // the log names no host
			found[id] = append(found[id], u)
			break
		}
	}
	return found
}

// breakRule gives other pages to the URLs that one rule changes first: the rule that
// changes the most.
func (s *crawledSite) breakRule(t *testing.T, list *rules.List, c spidered) (id string) {
	t.Helper()
	byRule := byFirstRule(t, list, c.urls)
	for other, urls := range byRule {
		if n := len(byRule[id]); len(urls) > n || len(urls) == n && other < id {
			id = other
		}
	}
	wrong := map[string]bool{}
	for _, u := range byRule[id] {
		wrong[strings.TrimPrefix(u, s.URL)] = true
	}
	s.wrong.Store(&wrong)
	return id
}

// awaitRetirement follows the daemon's list until a rule is gone from it, and then tells the
// requests of the crawler and of the daemon since the call. The text is empty if the rule
// stays.
func (s *crawledSite) awaitRetirement(t *testing.T, admin, id string) <-chan string {
	pages, fetched, told := s.crawler.Load(), s.fetcher.Load(), make(chan string, 1)
	go func() {
		defer close(told)
		if _, gone := expect.Poll(patience, func() (*rules.List, bool) {
			list, err := rules.Open(t.Context(), "http://"+admin)
			return list, err == nil && !strings.Contains(fmt.Sprintf("%+v", list.Sites), id)
		}); gone {
			told <- fmt.Sprintf("%d requests of the crawler and %d of the daemon", s.crawler.Load()-pages, s.fetcher.Load()-fetched)
		}
	}()
	return told
}

// rulesOf returns the text of a daemon's list.
func rulesOf(d *running) string { return d.get("/api/v1/rules?state=valid") }
