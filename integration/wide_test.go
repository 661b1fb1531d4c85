package integration

import (
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
	wideMemory = flag.String("wide-memory", "none", "--memory of TestWide")
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

const (
	wideItems  = 30 // pages of each kind of a site
	wideFormat = `$host $remote_addr - $remote_user [$time_local] "$request" $status $body_bytes_sent "$http_referer" "$http_user_agent"`
)

func wideHost(i int) string { return fmt.Sprintf("s%d.example", i) }

// wideLog writes the log of the sites.
func wideLog(t testing.TB, sites int) string {
	path := filepath.Join(t.TempDir(), "access.log")
	var b strings.Builder
	for i := range sites {
		for n := range wideItems {
			for at, form := range []string{"/item/%d", "/item/%d?ref=%d", "/old/%d", "/like/%d", "/look/%d"} {
				target := fmt.Sprintf(form, n)
				if at == 1 {
					target = fmt.Sprintf(form, n, n%7)
				}
				fmt.Fprintf(&b, "%s 192.0.2.%d - - [24/Nov/2026:10:00:00 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n",
					wideHost(i), (n+at)%9+1, target, len(widePage(wideHost(i), target)))
			}
		}
	}
	must(t, os.WriteFile(path, []byte(b.String()), 0o600))
	return path
}

// Many sites with an origin each, or behind one, have their lists soon, and no host is asked twice within its
// delay.
func TestWide(t *testing.T) {
	for _, one := range []bool{false, true} {
		t.Run(map[bool]string{false: "origins", true: "origin"}[one], func(t *testing.T) { testWide(t, one) })
	}
}

func testWide(t *testing.T, one bool) {
	w := &wide{last: map[string]time.Time{}, least: time.Hour}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if !one {
		listener, err = net.Listen("tcp4", ":0")
	}
	must(t, err)
	server := &http.Server{Handler: w}
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(func() { _ = server.Close() })
	port := listener.Addr().(*net.TCPAddr).Port
	log := wideLog(t, *wideSites)
	cmd := wideCommand(t, log, port, one)
	d := begin(t, "the daemon", cmd)
	d.admin = cmd.Args[slices.Index(cmd.Args, "--admin-listen")+1]
	began := time.Now()
	want := *wideSites * 9 / 10
	var at []time.Duration
	for ; len(at) < want && time.Since(began) < *wideTime; time.Sleep(500 * time.Millisecond) {
		for n := len(publishing(d)); len(at) < n; {
			at = append(at, time.Since(began).Round(time.Second))
		}
	}
	t.Logf("%d lists, %s", len(at), wideFacts(t, d, w))
	for i := 0; i < len(at); i += max(1, len(at)/10) {
		t.Logf("list %d after %v", i+1, at[i])
	}
	if len(at) < want {
		t.Errorf("%d lists of %d sites after %v", len(at), *wideSites, *wideTime)
	}
	if w.least < *wideDelay {
		t.Errorf("a host was asked %v after its last answer", w.least)
	}
	end(t, d)
}

// publishing are the sites that have a list.
func publishing(d *running) map[string]bool {
	sites := map[string]bool{}
	for _, found := range regexp.MustCompile(`"rules published","site":"([^"]+)"`).FindAllStringSubmatch(d.stderr.String(), -1) {
		sites[found[1]] = true
	}
	return sites
}

// wideCommand is the daemon on a log of many sites, with an origin for each or one for all.
func wideCommand(t testing.TB, log string, port int, one bool) *exec.Cmd {
	args := []string{"run", "--tail", log, "--format", wideFormat, "--state", filepath.Join(t.TempDir(), "state"), "--admin-listen", freeAddress(t), "--log-format", "json",
		"--refine-interval", "1s", "--window", "0", "--no-withhold", "--fetch-kinds", "any", "--fetch-budget", "0", "--hold-share", "1",
		"--fetch-delay", wideDelay.String(), "--fetch-rate", strconv.Itoa(*wideRate), "--memory", *wideMemory}
	if one {
		args = append(args, "--origin", fmt.Sprintf("http://127.0.0.1:%d", port), "--origin-delay", wideOrigin.String())
	} else {
		for i := range *wideSites {
			args = append(args, "--site-origin", fmt.Sprintf("%s=http://127.0.%d.%d:%d", wideHost(i), i/250, i%250+1, port))
		}
	}
	return exec.Command(program, args...)
}

// wideFacts says what the trials have cost.
func wideFacts(t testing.TB, d *running, w *wide) string {
	s, _ := d.status(t)
	verdicts := 0
	for _, site := range s.Validate.Sites {
		verdicts += site.Rules["valid"] + site.Rules["refuted"]
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return fmt.Sprintf("%d verdicts, %d requests of %.1f ms of the processor, %d hosts, at least %v apart, peak of memory %d MB", verdicts, w.asked,
		secondsOf(t, d.pid())*1000/float64(w.asked), len(w.last), w.least.Round(time.Millisecond), peakOf(d.pid())/1e6)
}
