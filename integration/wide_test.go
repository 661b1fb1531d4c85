package integration

import (
	"bytes"
	"flag"
	"fmt"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

var (
	wideSites  = flag.Int("wide-sites", 40, "sites of TestWide")
	wideDelay  = flag.Duration("wide-delay", 50*time.Millisecond, "--fetch-delay of TestWide")
	wideRate   = flag.Int("wide-rate", 400, "--fetch-rate of TestWide")
	wideOrigin = flag.Duration("wide-origin-delay", 2*time.Millisecond, "--origin-delay of TestWide, for the sites behind one origin")
	wideTime   = flag.Duration("wide-time", 3*time.Minute, "longest time until nine in ten sites of TestWide have a list")
	wideMemory = flag.Int("wide-memory", 0, "--memory of TestWide in MiB, which it must not exceed; 0: there is none")
	wideItems  = flag.Int("wide-items", 30, "pages of each kind of a site of TestWide")
)

// wide answers for many sites. /item/N, /item/N?ref=X and /old/N are one page; /like/N and /look/N are pages of
// their own with equal sizes.
type wide struct {
	mu    sync.Mutex
	last  map[string]time.Time // by site: the end of the last request
	least time.Duration        // between a request and the one before to the same site
	asked int
}

func (w *wide) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	began := time.Now()
	if last, known := w.last[r.Host]; known {
		w.least = min(w.least, began.Sub(last))
	}
	w.asked++
	w.mu.Unlock()
	if r.URL.Path == "/robots.txt" {
		http.NotFound(out, r)
	} else {
		out.Header().Set("Content-Type", "text/html")
		_, _ = out.Write(widePage(r.Host, r.URL.Path))
	}
	w.mu.Lock()
	w.last[r.Host] = time.Now()
	w.mu.Unlock()
}

// widePage is the page at a path: 200 words of its own.
func widePage(host, path string) []byte {
	kind, number := filepath.Split(path)
	if kind == "/old/" {
		kind = "/item/"
	}
	n, _ := strconv.Atoi(number)
	var b strings.Builder
	b.WriteString("<title>" + host + "</title><p>")
	for i := range 200 {
		fmt.Fprintf(&b, "%x ", 1<<20+(n*7919+i*104729+len(kind)*int(kind[1])*131)%(1<<20))
	}
	return []byte(b.String())
}

const wideFormat = `$host $remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`

func wideHost(i int) string { return fmt.Sprintf("s%d.example", i) }

// wideLines are the log of the sites.
func wideLines() (lines [][]byte) {
	for i := range *wideSites {
		for n := range *wideItems {
			for at, form := range []string{"/item/%d", "/item/%d?ref=%d", "/old/%d", "/like/%d", "/look/%d"} {
				target := fmt.Sprintf(form, n)
				if at == 1 {
					target = fmt.Sprintf(form, n, n%7)
				}
				lines = append(lines, fmt.Appendf(nil, "%s 192.0.2.%d - - [24/Nov/2026:10:00:00 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n",
					wideHost(i), (n+at)%9+1, target, len(widePage(wideHost(i), target))))
			}
		}
	}
	return lines
}

// Many sites with an origin each, or behind one, have their lists soon, and no host is asked twice within its
// delay.
func TestWide(t *testing.T) {
	t.Parallel()
	for _, one := range []bool{false, true} {
		t.Run(map[bool]string{false: "origins", true: "origin"}[one], func(t *testing.T) { testWide(t, one) })
	}
}

func testWide(t *testing.T, one bool) {
	t.Parallel()
	w, trials := serveWide(t, one, 1)
	log := write(t, "access.log", bytes.Join(wideLines(), nil))
	d := tail(t, log, filepath.Join(t.TempDir(), "state"), append(trials, "--format", wideFormat)...)
	w.awaitLists(t, func() int { return len(publishing(d)) })
	t.Logf("%s, %s", w, wideFacts(t, d))
	w.check(t, d)
	end(t, d)
}

// serveWide starts the server of the sites. trials are the flags by which a daemon tries them, with an origin for
// each or one for all. Several daemons share the rates.
func serveWide(t *testing.T, one bool, daemons int) (w *wide, trials []string) {
	w = &wide{last: map[string]time.Time{}, least: time.Hour}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if !one {
		listener, err = net.Listen("tcp4", ":0")
	}
	must(t, err)
	server := &http.Server{Handler: w}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	port := listener.Addr().(*net.TCPAddr).Port
	trials = []string{"--log-format", "json", "--refine-interval", "1s", "--window", "0", "--no-withhold", "--fetch-kinds", "any", "--fetch-budget", "0",
		"--hold-share", "1", "--fetch-delay", wideDelay.String(), "--fetch-rate", strconv.Itoa(*wideRate / daemons), "--memory", "none"}
	if *wideMemory > 0 {
		trials[len(trials)-1] = fmt.Sprintf("%dMiB", *wideMemory)
	}
	if one {
		return w, append(trials, "--hosts", "*.example", "--origin", fmt.Sprintf("http://127.0.0.1:%d", port), "--origin-delay", (*wideOrigin * time.Duration(daemons)).String())
	}
	for i := range *wideSites {
		trials = append(trials, "--site-origin", fmt.Sprintf("%s=http://127.0.%d.%d:%d", wideHost(i), i/250, i%250+1, port))
	}
	return w, trials
}

// awaitLists waits until nine in ten sites have a list.
func (w *wide) awaitLists(t *testing.T, lists func() int) {
	t.Helper()
	want, began := *wideSites*9/10, time.Now()
	for tenth := 1; ; time.Sleep(500 * time.Millisecond) {
		n := lists()
		if n*10 >= want*tenth {
			t.Logf("%d lists after %v, %s", n, time.Since(began).Round(time.Second), w)
			tenth = n*10/want + 1
		}
		if n >= want {
			return
		}
		if time.Since(began) > *wideTime {
			t.Errorf("%d lists of %d sites after %v", n, *wideSites, *wideTime)
			return
		}
	}
}

func (w *wide) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return fmt.Sprintf("%d requests to %d sites, at least %v apart", w.asked, len(w.last), w.least.Round(time.Millisecond))
}

// check complains if a site was asked too soon, or if daemons have taken too much memory.
func (w *wide) check(t *testing.T, daemons ...*running) {
	t.Helper()
	for _, d := range daemons {
		checkMemory(t, d)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.least < *wideDelay {
		t.Errorf("a host was asked %v after its last answer", w.least)
	}
}

func checkMemory(t *testing.T, d *running) {
	t.Helper()
	if peak := peakOf(d.pid()); *wideMemory > 0 && peak > *wideMemory<<20 {
		t.Errorf("%s took %d MB", d.name, peak/1e6)
	}
}

// publishing are the sites that have a list.
func publishing(d *running) map[string]bool {
	sites := map[string]bool{}
	for _, found := range regexp.MustCompile(`"rules published","site":"([^"]+)"`).FindAllStringSubmatch(d.stderr.String(), -1) {
		sites[found[1]] = true
	}
	return sites
}

// wideFacts says what the trials of a daemon have cost.
func wideFacts(t testing.TB, d *running) string {
	s, _ := d.status(t)
	verdicts := 0
	for _, site := range s.Validate.Sites {
		verdicts += site.Rules["valid"] + site.Rules["refuted"]
	}
	return fmt.Sprintf("%d verdicts, %.0f s of the processor, peak of memory %d MB, %d sites, %d MB on the heap, waiting %s", verdicts, secondsOf(t, d.pid()),
		peakOf(d.pid())/1e6, len(s.Validate.Now), heapOf(t, d)/1e6, s.Validate.Waiting)
}
