package integration

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dustbuster/operators/read/weblog"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
)

// logged is a real server and the log that it writes unless told otherwise.
type logged struct {
	name, format string           // as detected
	size         weblog.SizeCount // as detected
	counts       counting         // what its sizes are
	host         bool             // the log tells the host
	class        uint8            // of answers without an encoding
	start        func(t *testing.T, s *site) (log string, stop func())
}

// counting is what a log's sizes are, next to what was sent.
type counting uint8

const (
	bodies counting = iota // without the framing of chunks
	framed                 // with it
	totals                 // all bytes
	heads                  // bodies and headers, as many for each as those are long before the server adds its own
)

var servers = []logged{
	{"nginx", "combined", weblog.SizeBodyOrTotal, framed, false, weblog.ClassUnknown, startLoggedNginx},
	{"apache2", "combined", weblog.SizeBodyOrTotal, totals, false, weblog.ClassUnknown, startLoggedApache}, // Debian's combined has %O
	{"lighttpd", "lighttpd", weblog.SizeBodyFramed, framed, true, weblog.ClassUnknown, startLighttpd},
	{"caddy", "caddy", weblog.SizeBody, bodies, true, weblog.ClassIdentity, startCaddy},
	{"haproxy", "haproxy", weblog.SizeTotal, heads, false, weblog.ClassUnknown, startHAProxy},
	{"haproxy", "haproxy_clf", weblog.SizeTotal, heads, false, weblog.ClassUnknown, startHAProxyCLF},
	{"varnishd", "combined", weblog.SizeBodyOrTotal, bodies, true, weblog.ClassUnknown, startVarnish},
	{"squid", "squid", weblog.SizeTotal, totals, true, weblog.ClassUnknown, startSquid},
}

// TestServers sends the same requests to real servers, as Debian packages them,
// and reads the log that each writes by default: all have the same URLs, and the
// sizes of what was sent: the bodies, or, where that is what is logged, all bytes.
func TestServers(t *testing.T) {
	t.Parallel()
	for _, s := range servers {
		t.Run(s.name+" "+s.format, func(t *testing.T) {
			need(t, s.name, "its log is not tried")
			site := newSite(t)
			log, stop := s.start(t, site)
			want := site.visit(t)
			stop()
			got := s.read(t, log)
			compareSizes(t, got, want, s.counts)
		})
	}
}

// site is some pages, and where a server that has them listens.
type site struct {
	dir     string // with the pages in "site"
	address string
	origin  string // another server with the pages, for proxies
}

const siteHost = "www.example.org"

var sitePages = []string{"0.html", "1.html", "2.html", "a b.html", "caf\u00e9.html", "tilde~.html", "plus+plus.html"}

// siteTime is when the pages were written.
var siteTime = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{dir: t.TempDir(), address: freeAddress(t)}
	for dir := s.dir; dir != filepath.Clean(os.TempDir()); dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o777); err != nil { // some servers give up being root
			t.Fatal(err)
		}
	}
	pages := filepath.Join(s.dir, "site")
	must(t, os.Mkdir(pages, 0o755))
	for i, page := range sitePages {
		path := filepath.Join(pages, page)
		writeFile(t, path, bytes.Repeat([]byte("x"), 1000+137*i))
		must(t, os.Chtimes(path, siteTime, siteTime))
	}
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir(pages)))
	mux.HandleFunc("/chunked", func(w http.ResponseWriter, _ *http.Request) {
		for range 4 {
			_, _ = w.Write(bytes.Repeat([]byte("y"), 500))
			w.(http.Flusher).Flush()
			time.Sleep(20 * time.Millisecond) // for proxies not to join the chunks
		}
	})
	s.origin = strings.TrimPrefix(serve(t, mux).URL, "http://")
	return s
}

// sent is what came back over the wire.
type sent struct{ body, total, framing int64 }

// visits is how many requests visit makes.
const visits = 13

// visit makes all requests, and gives what was sent for those that were answered
// with a whole page.
func (s *site) visit(t *testing.T) map[string]sent {
	t.Helper()
	want := map[string]sent{}
	for _, target := range []string{"/0.html", "/1.html?x=1&y=%22", "/2.html?q=a+b", "/a%20b.html", "/caf%C3%A9.html", "/tilde~.html", "/plus+plus.html"} {
		code, got := s.request(t, "GET", target)
		if code != 200 {
			t.Fatalf("GET %s: %d", target, code)
		}
		want[target] = got
	}
	_, got := s.request(t, "GET", "http://"+siteHost+"/0.html?absolute")
	want["/0.html?absolute"] = got
	if _, got = s.request(t, "GET", "/chunked"); got.body != 2000 || got.framing == 0 {
		t.Fatalf("/chunked: %+v", got)
	}
	want["/chunked"] = got
	for _, r := range []struct {
		method, target, header string
		code                   int
	}{
		{"HEAD", "/1.html", "", 200},
		{"GET", "/nowhere.html", "", 404},
		{"GET", "/2.html", "Range: bytes=0-9\r\n", 206},
		{"GET", "/2.html", "If-Modified-Since: " + siteTime.Format(http.TimeFormat) + "\r\n", 304},
	} {
		if code, _ := s.request(t, r.method, r.target, r.header); code != r.code {
			t.Fatalf("%s %s %s: %d, want %d", r.method, r.target, r.header, code, r.code)
		}
	}
	return want
}

// request makes one request on a connection of its own, and counts what comes.
func (s *site) request(t *testing.T, method, target string, header ...string) (code int, got sent) {
	t.Helper()
	conn, err := net.Dial("tcp", s.address)
	must(t, err)
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: Test/1.0 (a \"b\")\r\nConnection: close\r\n%s\r\n",
		method, target, siteHost, strings.Join(header, ""))
	must(t, err)
	_ = conn.SetReadDeadline(time.Now().Add(patience))
	answer, err := io.ReadAll(conn)
	must(t, err)
	head, body, ok := bytes.Cut(answer, []byte("\r\n\r\n"))
	if _, err := fmt.Sscanf(string(head), "HTTP/1.1 %d", &code); err != nil || !ok {
		t.Fatalf("answer %q: %v", head, err)
	}
	got = sent{body: int64(len(body)), total: int64(len(answer))}
	if bytes.Contains(head, []byte("chunked")) {
		decoded, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(body)))
		must(t, err)
		got.body, got.framing = int64(len(decoded)), int64(len(body)-len(decoded))
	}
	return code, got
}

// read gives the observations in a log: the size of each URL.
func (s *logged) read(t *testing.T, log string) map[string]int64 {
	t.Helper()
	lines := bytes.Split(bytes.TrimSpace(readFile(t, log)), []byte("\n"))
	best, ok := weblog.Detect(lines).Best()
	if !ok || best.Format.Name != s.format || best.Format.Size != s.size || best.Lines != len(lines) {
		t.Fatalf("format is told to be %s, %d of %d lines, size %s\n%s", best.Format.Name, best.Lines, len(lines), best.Format.Size, bytes.Join(lines, []byte("\n")))
	}
	p, err := weblog.New(s.format)
	must(t, err)
	o := admit.Defaults()
	o.Site = siteHost
	gate, err := admit.New(o)
	must(t, err)
	got, reasons := map[string]int64{}, map[string]int{}
	var h weblog.Hit
	for _, line := range lines {
		if err := p.Parse(&h, line); err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		var seen evidence.Observation
		site, why := gate.Admit(&seen, &h)
		if reasons[why.String()]++; why != admit.Admitted {
			continue
		}
		at := time.Unix(h.Time, 0)
		if site != siteHost || s.host && len(h.Host) == 0 && h.Target[0] == '/' || h.Class != s.class || time.Since(at).Abs() > 24*time.Hour {
			t.Errorf("%q: site %q, class %d, time %s", line, site, h.Class, at)
		}
		got[string(seen.URL)] = seen.Min
	}
	if s.name == "squid" { // it logs the connection by which launch saw that it is there
		reasons["method"]--
	}
	if reasons["method"] != 1 || reasons["status"] != 3 {
		t.Errorf("refused: %v, want HEAD for its method, and 404, 206 and 304", reasons)
	}
	return got
}

func compareSizes(t *testing.T, got map[string]int64, want map[string]sent, counts counting) {
	t.Helper()
	head := got["/0.html"] - want["/0.html"].body
	if counts == heads && (head < 100 || head > want["/0.html"].total-want["/0.html"].body) {
		t.Errorf("/0.html: size %d, %d sent", got["/0.html"], want["/0.html"].total)
	}
	for url, w := range want {
		size := []int64{bodies: w.body, framed: w.body, totals: w.total, heads: w.body + head}[counts]
		switch {
		case url != "/chunked" || counts == totals: // framing and all
		case counts == framed:
			size += w.framing
		case counts == heads: // of another length than those of a page with a Content-Length
			head := got[url] - w.body
			if size = got[url]; head < 50 || head > w.total-w.body-w.framing {
				t.Errorf("/chunked: size %d, %+v sent", got[url], w)
			}
		}
		if got[url] != size {
			t.Errorf("%s: size %d, want %d (%d sent, headers included)", url, got[url], size, w.total)
		}
		delete(got, url)
	}
	if len(got) > 0 {
		t.Errorf("URLs that were not asked for: %v", got)
	}
}

// HAProxy cuts long lines, and long requests in them; what is left of one is
// refused, and not taken for a shorter URL.
func TestHAProxyRequests(t *testing.T) {
	t.Parallel()
	need(t, "haproxy", "it is not tried")
	const each = 5
	for _, c := range []struct {
		name, config string
		whole        int // bytes of a request line that is logged whole
	}{
		{"as it comes", haproxyConfig, 800},
		{"long lines", strings.Replace(haproxyConfig, "log stdout", "log stdout len 4096", 1), 1023},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newSite(t)
			log, stop := startHAProxyAs(t, s, c.config, 2*each)
			whole := "/" + strings.Repeat("a", c.whole-len("GET / HTTP/1.1"))
			for range each {
				s.request(t, "GET", whole)
				s.request(t, "GET", whole+strings.Repeat("b", 1+1023-c.whole))
			}
			stop()
			p, err := weblog.New("haproxy")
			must(t, err)
			var h weblog.Hit
			targets, cut := map[string]int{}, 0
			for line := range bytes.Lines(readFile(t, log)) {
				if err := p.Parse(&h, bytes.TrimSuffix(line, []byte("\n"))); err == nil {
					targets[string(h.Target)]++
				} else if strings.Contains(err.Error(), "ends in its protocol") {
					cut++
				}
			}
			if len(targets) != 1 || targets[whole] != each || cut != each {
				t.Errorf("%d lines cut, targets %v", cut, targets)
			}
		})
	}
}

// Squid leaves queries out of its log unless it is told not to, which the note on
// the format says.
func TestSquidQueries(t *testing.T) {
	t.Parallel()
	need(t, "squid", "it is not tried")
	s := newSite(t)
	conf := s.config(t, "squid.conf", strings.ReplaceAll(squidConfig, "strip_query_terms off", ""))
	squid := launch(t, s.address, exec.Command("squid", "-N", "-f", conf))
	s.request(t, "GET", "/0.html?secret")
	squid.halt()
	text := readFile(t, filepath.Join(s.dir, "access.log"))
	if !bytes.Contains(text, []byte(" http://"+siteHost+"/0.html? ")) || bytes.Contains(text, []byte("secret")) {
		t.Errorf("log:\n%s", text)
	}
}
