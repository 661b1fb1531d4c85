package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"dustbuster/stream/rules"

	"github.com/PuerkitoBio/goquery"
)

// oneIn is the share of exploration in the tests with a daemon.
const oneIn = 20

// changing is a site that other handlers serve. Once the rule is set, each URL that the rule
// changes has a page of its own: the rule is wrong from then on.
type changing struct {
	http.Handler
	wrong atomic.Pointer[rules.Live] // a list of one rule
	asked atomic.Int64               // by the daemon
}

func (c *changing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.UserAgent(), "dustbuster/") {
		c.asked.Add(1)
	}
	if one := c.wrong.Load(); one != nil && r.URL.Path != "/robots.txt" {
		if _, changed := one.Canonical("http://" + r.Host + r.URL.RequestURI()); changed {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<p>", words(r.URL.RequestURI(), 150))
			return
		}
	}
	c.Handler.ServeHTTP(w, r)
}

// words returns some words that depend on a text.
func words(of string, n int) string {
	sum := sha256.Sum256([]byte(of))
	rng := rand.New(rand.NewChaCha8(sum))
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "w%d ", rng.IntN(100_000))
	}
	return b.String()
}

// town is a made-up site: stories under two addresses, with sessions, and in two languages
// that differ.
func town(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	q := r.URL.Query()
	switch r.URL.Path {
	case "/":
		for i := range 120 {
			for sid := range 3 {
				fmt.Fprintf(w, `<a href="/story?id=%d&sid=%d">a</a> <a href="/story?id=%d&lang=de&sid=%d">b</a>`, i, i*3+sid, i, i*7+sid)
			}
			fmt.Fprintf(w, `<a href="/story?id=%d">c</a> <a href="/story?id=%d&lang=de">d</a>`, i, i)
		}
	case "/story":
		fmt.Fprint(w, "<p>", words(q.Get("id")+q.Get("lang"), 100+len(q.Get("id"))*10))
	default:
		http.NotFound(w, r)
	}
}

// daemon is a running dustbuster.
type daemon struct{ address, stderr string }

// start builds and starts the program on a log, with an origin.
func start(t *testing.T, log, origin string) *daemon {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "dustbuster")
	if out, err := exec.Command("go", "build", "-C", "../../..", "-o", program, "./cmd/dustbuster").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	d := &daemon{address: l.Addr().String(), stderr: filepath.Join(dir, "stderr")}
	must(t, l.Close())
	stderr, err := os.Create(d.stderr)
	must(t, err)
	cmd := exec.Command(program, "run", "--tail", log, "--state", filepath.Join(dir, "state"), "--admin-listen", d.address, "--window", "0", "--fetch-kinds", "any", "--origin", origin,
		"--fetch-delay", "0", "--fetch-rate", "0", "--fetch-budget", "0", "--hold-share", "1", "--no-withhold", "--level-interval", "1h")
	cmd.Env = append(os.Environ(), "DUSTBUSTER_PACE_REFINE_INTERVAL=1s", "DUSTBUSTER_KEEP_HASH_KEY=00000000000000000000000000000000")
	cmd.Stderr = stderr
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
		_ = stderr.Close()
	})
	return d
}

// list returns the valid rules, and their ids.
func (d *daemon) list(t *testing.T) (l *rules.List, ids map[string]bool) {
	t.Helper()
	ids = map[string]bool{}
	l, err := rules.Open(t.Context(), "http://"+d.address)
	if err != nil {
		return &rules.List{}, ids // not yet
	}
	for i := range l.Sites {
		for _, r := range l.Sites[i].Records {
			ids[r.ID] = true
		}
	}
	return l, ids
}

// await waits until a condition holds.
func (d *daemon) await(t *testing.T, what string, holds func() bool) {
	t.Helper()
	if d.within(8*time.Minute, holds) {
		return
	}
	log, _ := os.ReadFile(d.stderr)
	t.Fatalf("not in time: %s\n%.20000s", what, log)
}

// settled waits until the daemon has published what it tried.
func (d *daemon) settled(t *testing.T, asked *atomic.Int64) {
	t.Helper()
	last, since := int64(-1), time.Now()
	d.await(t, "rules", func() bool {
		if n := asked.Load(); n != last {
			last, since = n, time.Now()
		}
		_, ids := d.list(t)
		return len(ids) > 0 && time.Since(since) > 5*time.Second
	})
}

// result is what a crawl fetched.
type result struct {
	pages, reports, different int
	texts                     map[[32]byte]bool
	live                      *rules.Live
}

// crawlBy crawls with the list of a daemon, or without rules if there is none, and reports
// what it explores. enough is called after each report of different pages; once it returns
// true, nothing more is reported. enough may be nil.
func crawlBy(t *testing.T, d *daemon, start string, oneIn uint64, enough func() bool) *result {
	t.Helper()
	out := &result{texts: map[[32]byte]bool{}, live: forHostOf(t, start)}
	if d != nil {
		l, _ := d.list(t)
		must(t, out.live.Set(l))
	}
	done := false
	c := &crawler{live: out.live, explorer: explorer(t, oneIn), page: func(_ string, body []byte) {
		out.pages++
		out.texts[textOf(body)] = true
	}, saw: func(found, held string, a, b digest) {
		r, ok := out.live.Report(found, held, a, b)
		if !ok || done {
			return
		}
		out.reports++
		if !r.Alike() {
			out.different++
		}
		if err := rules.Send(t.Context(), "http://"+d.address, r); err != nil {
			if refused, is := errors.AsType[*rules.RefusedError](err); !is || refused.Status != http.StatusTooManyRequests {
				t.Error(err)
			}
		}
		done = enough != nil && !r.Alike() && enough()
	}}
	must(t, c.crawl(t.Context(), start))
	return out
}

// forHostOf returns no rules yet, for the host of a URL: the log of the daemon names none.
func forHostOf(t *testing.T, start string) *rules.Live {
	t.Helper()
	first, err := url.Parse(start)
	must(t, err)
	live := new(rules.Live)
	must(t, live.SetHost(first.Host))
	return live
}

// textOf returns a hash of the visible text of a page, or of its bytes.
func textOf(body []byte) [32]byte {
	if doc, err := goquery.NewDocumentFromReader(bytes.NewReader(body)); err == nil && bytes.Contains(body, []byte("<")) {
		return sha256.Sum256([]byte(strings.Join(strings.Fields(doc.Text()), " ")))
	}
	return sha256.Sum256(body)
}

// lost returns the number of texts of a whole crawl that another crawl has not seen.
func (r *result) lost(whole *result) (n int) {
	for text := range whole.texts {
		if !r.texts[text] {
			n++
		}
	}
	return n
}

// reported returns the counts of reported pairs in the status.
func (d *daemon) reported(t *testing.T) (all struct{ Tried, Wrong, SentBack int }) {
	t.Helper()
	answer, err := http.Get("http://" + d.address + "/api/v1/status")
	must(t, err)
	defer answer.Body.Close()
	var status struct {
		Validate struct {
			Sites map[string]struct {
				Reported struct {
					Tried    int `json:"tried"`
					Wrong    int `json:"wrong"`
					SentBack int `json:"sent_back"`
				} `json:"reported"`
			} `json:"sites"`
		} `json:"validate"`
	}
	must(t, json.NewDecoder(answer.Body).Decode(&status))
	for _, s := range status.Validate.Sites {
		all.Tried, all.Wrong, all.SentBack = all.Tried+s.Reported.Tried, all.Wrong+s.Reported.Wrong, all.SentBack+s.Reported.SentBack
	}
	return all
}

// busiest returns the rule that changed most URLs of a crawl.
func (r *result) busiest(l *rules.List) (id string, one *rules.List) {
	n := r.live.Counts().Rules
	for i := range l.Sites {
		s := &l.Sites[i]
		for rank := range s.Rules {
			if s.Records[rank].ID == id || n[s.Records[rank].ID] <= n[id] {
				continue
			}
			id = s.Records[rank].ID
			one = &rules.List{Sites: []rules.Site{{Name: s.Name, Records: s.Records[rank : rank+1], Rules: s.Rules[rank : rank+1]}}}
		}
	}
	return id, one
}

// tryCrawls crawls a site without rules, with rules, and with exploration. If the site changes
// then, the rule that changes most URLs is wrong, and the reports of a crawl that explores
// retire the rule.
func tryCrawls(t *testing.T, site http.Handler, path string, log []byte, changes bool) {
	t.Helper()
	c := &changing{Handler: site}
	server := httptest.NewServer(c)
	defer server.Close()
	begin := server.URL + path
	whole := crawlBy(t, nil, begin, 0, nil)
	file := filepath.Join(t.TempDir(), "access.log")
	must(t, os.WriteFile(file, log, 0o600))
	d := start(t, file, server.URL)
	d.settled(t, &c.asked)
	trials := c.asked.Load()
	l, _ := d.list(t)
	plain := crawlBy(t, d, begin, 0, nil)
	explored := crawlBy(t, d, begin, oneIn, nil)
	t.Logf("without rules: %d pages, %d texts; %d rules after %d requests: %d pages, %d texts lost; exploring 1 in %d: %d pages, %d texts lost, %d reports, %d different",
		whole.pages, len(whole.texts), l.Len(), trials, plain.pages, plain.lost(whole), oneIn, explored.pages, explored.lost(whole), explored.reports, explored.different)
	if plain.pages >= whole.pages || explored.pages <= plain.pages || explored.pages > plain.pages+(whole.pages-plain.pages)/5 {
		t.Errorf("%d pages without rules, %d with rules, %d exploring", whole.pages, plain.pages, explored.pages)
	}

	if !changes {
		return
	}
	wrong, one := plain.busiest(l)
	broken := forHostOf(t, begin)
	must(t, broken.Set(one))
	c.wrong.Store(broken)
	whole = crawlBy(t, nil, begin, 0, nil)
	blind := crawlBy(t, d, begin, 0, nil)
	gone := func() bool {
		l, ids := d.list(t)
		return !ids[wrong] && (l.Len() > 0 || d.answers(t))
	}
	if gone() {
		t.Fatal("the rule is retired without a report")
	}
	before, first := d.reported(t), c.asked.Load()
	seeing := crawlBy(t, d, begin, oneIn, func() bool { return d.within(patience, gone) })
	d.await(t, "the wrong rule is retired", gone)
	requests, now := c.asked.Load()-first, d.reported(t)
	again := crawlBy(t, d, begin, 0, nil)
	t.Logf("rule %s becomes wrong: %d pages, %d texts without rules; a crawl with rules loses %d texts; retired after %d explored fetches, %d of them different, and %d requests of the daemon (%d reported pairs tried, %d wrong); then a crawl fetches %d pages and loses %d texts",
		wrong, whole.pages, len(whole.texts), blind.lost(whole), seeing.reports, seeing.different, requests, now.Tried-before.Tried, now.Wrong-before.Wrong, again.pages, again.lost(whole))
	if seeing.different == 0 || now.Wrong == before.Wrong || again.lost(whole) >= blind.lost(whole) {
		t.Errorf("%d reports of different pages, %+v; %d texts lost before and %d after", seeing.different, now, blind.lost(whole), again.lost(whole))
	}
}

// patience is how long a crawl waits after a report of different pages.
const patience = 15 * time.Second

// within reports whether a condition holds within some time.
func (d *daemon) within(wait time.Duration, holds func() bool) bool {
	for deadline := time.Now().Add(wait); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		if holds() {
			return true
		}
	}
	return false
}

// answers reports whether the daemon answers.
func (d *daemon) answers(t *testing.T) bool {
	t.Helper()
	answer, err := http.Get("http://" + d.address + "/readyz")
	if err == nil {
		_ = answer.Body.Close()
	}
	return err == nil
}

func TestCrawlsOfTown(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(town))
	defer server.Close()
	var log bytes.Buffer
	c := &crawler{live: new(rules.Live), page: func(found string, body []byte) {
		at, _ := url.Parse(found)
		fmt.Fprintf(&log, "192.0.2.%d - - [22/Nov/2026:10:00:00 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"-\"\n", log.Len()%200, at.RequestURI(), len(body))
	}, saw: func(string, string, digest, digest) {}}
	must(t, c.crawl(t.Context(), server.URL+"/"))
	const changes = true
	tryCrawls(t, http.HandlerFunc(town), "/", log.Bytes(), changes)
}

// A part of the real site docs, from the folder DUSTBUSTER_DATA: the manual of Apache in two
// languages, in which most pages are not translated. The whole site has 480 MB.
func TestCrawlsOfDocs(t *testing.T) {
	data := os.Getenv("DUSTBUSTER_DATA")
	if data == "" || testing.Short() {
		t.Skip("DUSTBUSTER_DATA names no folder with real sites")
	}
	data = filepath.Join(data, "sites", "docs")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	_, port, _ := net.SplitHostPort(l.Addr().String())
	_ = l.Close()
	dir := t.TempDir()
	for d := dir; d != "/tmp" && d != "/"; d = filepath.Dir(d) { // the web server is not root
		must(t, os.Chmod(d, 0o755))
	}
	setup := func(args ...string) {
		cmd := exec.Command("bash", append([]string{filepath.Join(data, "setup.sh")}, args...)...)
		cmd.Env = append(os.Environ(), "D="+dir, "PORT="+port)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("setup.sh %v: %v\n%s", args, err, out)
		}
	}
	setup()
	defer setup("stop")
	f, err := os.Open(filepath.Join(data, "access.log.gz"))
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	log, err := io.ReadAll(z)
	must(t, err)
	origin, _ := url.Parse("http://127.0.0.1:" + port)
	proxy := httputil.NewSingleHostReverseProxy(origin)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		if answer, err := http.Get(origin.String() + "/manual/"); err == nil {
			_ = answer.Body.Close()
			break
		}
	}
	var part bytes.Buffer
	for line := range bytes.Lines(log) {
		if bytes.Contains(line, []byte("GET /manual/da/")) || bytes.Contains(line, []byte("GET /manual/pt-br/")) {
			part.Write(line)
		}
	}
	tryCrawls(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/manual/da/") && !strings.HasPrefix(r.URL.Path, "/manual/pt-br/") && r.URL.Path != "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		proxy.ServeHTTP(w, r)
	}), "/manual/da/", part.Bytes(), false)
}
