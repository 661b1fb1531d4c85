package fetch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// rawServer answers every request except the request for robots.txt by calling write on
// the connection. Head is the head of the request as received.
func rawServer(t *testing.T, write func(conn net.Conn, head string)) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				head := readHead(conn)
				if strings.HasPrefix(head, "GET /robots.txt ") {
					say(conn, "HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
					return
				}
				write(conn, head)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

func readHead(conn net.Conn) string {
	var head strings.Builder
	for r := bufio.NewReader(conn); !strings.HasSuffix(head.String(), "\r\n\r\n"); {
		line, err := r.ReadString('\n')
		if err != nil {
			return ""
		}
		head.WriteString(line)
	}
	return head.String()
}

// endlessly writes until the client closes the connection.
func endlessly(conn net.Conn, piece string) {
	for {
		if _, err := io.WriteString(conn, piece); err != nil {
			return
		}
	}
}

func gzipped(plain []byte) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(plain)
	_ = z.Close()
	return b.String()
}

func TestAbuse(t *testing.T) {
	const limit = 100_000
	ok := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	packed := ok + "Content-Encoding: gzip\r\n"
	bomb := gzipped(make([]byte, 50<<20))
	for name, c := range map[string]struct {
		write     func(net.Conn)
		want      Reason // "" if there is a document
		truncated bool
	}{
		"endless body": {func(c net.Conn) {
			say(c, ok+"\r\n")
			endlessly(c, strings.Repeat("x", 4096))
		}, "", true},
		"endless chunks": {func(c net.Conn) {
			say(c, ok+"Transfer-Encoding: chunked\r\n\r\n")
			endlessly(c, "400\r\n"+strings.Repeat("x", 1024)+"\r\n")
		}, "", true},
		"bomb": {func(c net.Conn) { say(c, packed+"\r\n"+bomb) }, "", true},
		"bomb in a bomb": {func(c net.Conn) {
			say(c, packed+"Content-Encoding: gzip\r\n\r\n"+gzipped([]byte(bomb)))
		}, Encoding, false},
		"endless nothing, compressed": {func(c net.Conn) {
			say(c, packed+"\r\n")
			endlessly(c, gzipped(nil))
		}, "", true},
		"endless gzip header": {func(c net.Conn) {
			say(c, packed+"\r\n\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03")
			endlessly(c, "name")
		}, Encoding, false},
		"encoding not asked":  {func(c net.Conn) { say(c, ok+"Content-Encoding: br\r\n\r\nxx") }, Encoding, false},
		"damaged gzip":        {func(c net.Conn) { say(c, packed+"\r\n"+bomb[:20]+strings.Repeat("\xff", 100)) }, Encoding, false},
		"not gzip":            {func(c net.Conn) { say(c, packed+"\r\n<html>hello hello") }, Encoding, false},
		"gzip cut off":        {func(c net.Conn) { say(c, packed+"\r\n"+gzipped([]byte("hello"))[:15]) }, Network, false},
		"body cut off":        {func(c net.Conn) { say(c, ok+"Content-Length: 100\r\n\r\nhello") }, Network, false},
		"two lengths":         {func(c net.Conn) { say(c, ok+"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello") }, Network, false},
		"endless header":      {func(c net.Conn) { say(c, ok); endlessly(c, "X: "+strings.Repeat("y", 500)+"\r\n") }, Network, false},
		"long header":         {func(c net.Conn) { say(c, ok+"X: "+strings.Repeat("y", 100_000)+"\r\nContent-Length: 0\r\n\r\n") }, Network, false},
		"endless header line": {func(c net.Conn) { say(c, ok+"X: "); endlessly(c, "yyyyyyyyyyyyyyyy") }, Network, false},
		"endless status line": {func(c net.Conn) { endlessly(c, "HTTP/1.1 200 yyyyyyyyyyyy") }, Network, false},
		"endless 103s":        {func(c net.Conn) { endlessly(c, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n") }, Network, false},
		"endless trailer": {func(c net.Conn) {
			say(c, ok+"Transfer-Encoding: chunked\r\n\r\n0\r\n")
			endlessly(c, "X: yyyyyyyyyyyyyyyyyyyyyyyy\r\n")
		}, Network, false},
		"no HTTP": {func(c net.Conn) { say(c, "SSH-2.0-OpenSSH_9.9\r\n") }, Network, false},
		"nothing": {func(net.Conn) {}, Network, false},
		"upgrade": {func(c net.Conn) {
			say(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
		}, Network, false},
		"silence":             {func(c net.Conn) { listen(c) }, Timeout, false},
		"header drop by drop": {func(c net.Conn) { say(c, ok); drip(c, "X: y\r\n") }, Timeout, false},
		"body drop by drop":   {func(c net.Conn) { say(c, ok+"\r\n"); drip(c, "x") }, Timeout, false},
		"body never begun":    {func(c net.Conn) { say(c, ok+"Content-Length: 5\r\n\r\n"); listen(c) }, Timeout, false},
		"redirect to itself":  {func(c net.Conn) { say(c, "HTTP/1.1 302 Found\r\nLocation: ?\r\n\r\n") }, Loop, false},
		"redirect to nothing": {func(c net.Conn) { say(c, "HTTP/1.1 302 Found\r\nLocation: \r\n\r\n") }, "", false},
		"redirect, two places": {func(c net.Conn) {
			say(c, "HTTP/1.1 302 Found\r\nLocation: http://a.test/\r\nLocation: /\r\n\r\n")
		}, OffSite, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := Options{Origin: rawServer(t, func(conn net.Conn, _ string) { c.write(conn) }), MaxBody: limit}
			if c.want == Timeout {
				o.Timeout = time.Second
			}
			f := loopbackFetcher(t, o)
			if c.want == Timeout { // robots.txt has its own limit, so a busy machine does not fail there first
				f.rules.Add(site, rules{robots: parseRobots(nil), until: time.Now().Add(time.Hour)})
			}
			d, err := f.Get(t.Context(), of(site, "/x?y"))
			if reason(err) != c.want {
				t.Fatalf("error %v, want reason %q", err, c.want)
			}
			if d.Truncated != c.truncated || d.Size > limit {
				t.Errorf("document of %d bytes, truncated %v", d.Size, d.Truncated)
			}
			if s := f.Stats(); s.Bytes > limit+1 {
				t.Errorf("%d bytes read", s.Bytes)
			}
		})
	}
}

func drip(conn net.Conn, drop string) {
	for {
		if _, err := io.WriteString(conn, drop); err != nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func TestRedirectChains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			var n int
			if _, err := fmt.Sscanf(r.RequestURI, "/hop/%d", &n); err == nil && n > 0 {
				http.Redirect(w, r, fmt.Sprintf("/hop/%d", n-1), http.StatusMovedPermanently)
				return
			}
			switch r.RequestURI {
			case "/ping":
				http.Redirect(w, r, "/pong", http.StatusFound)
			case "/pong":
				http.Redirect(w, r, "http://EXAMPLE.org.:80/ping#x", http.StatusFound)
			default:
				hello(w, r)
			}
		})
		f := w.fetcher(Options{})
		d := get(t, f, site, "/hop/5")
		if d.Target != "/hop/0" || !d.Redirected || d.place.host != site || d.Status != 200 {
			t.Errorf("%+v", d)
		}
		if d := get(t, f, site, "/hop/2"); !d.Cached || d.Target != "/hop/0" { // both chains share the cached answer
			t.Errorf("%+v", d)
		}
		refused(t, f, site, "/hop/6", Loop)
		refused(t, f, site, "/ping", Loop)
		w.seen(time.Second)
	})
}

func TestSchemes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, map[string]string{"/up": "http://example.org:443/", "/down": "http://example.org/x", "/same": "//example.org/y"}[r.URL.Path], http.StatusFound)
		})
		p := place{site: site, scheme: "https", host: site, path: "/"}
		f := w.fetcher(Options{})
		for location, want := range map[string]Reason{
			"http://example.org/x": OffSite, "https://example.org/x": "", "https://example.org:443/x": "", "//example.org/x": "",
			"https://example.org:8443/x": OffSite, "https://www.example.org/": OffSite, "https://org/": OffSite,
		} {
			if _, err := f.within(p, location); reason(err) != want {
				t.Errorf("https to %s: %v", location, err)
			}
		}
		p.scheme = "http"
		next, err := f.within(p, "https://example.org/x")
		if err != nil || next.url() != "https://example.org/x" {
			t.Errorf("http to https: %v, %v", next, err)
		}
	})
}

// All requests carry the same facts: no cookie, no referer, no credentials, and the
// bytes of the target unchanged.
func TestRequest(t *testing.T) {
	got := make(chan string, 1)
	origin := rawServer(t, func(conn net.Conn, head string) {
		say(conn, "HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n")
		got <- head
	})
	f := loopbackFetcher(t, Options{Origin: origin, Version: "1.2", Contact: "https://example.org/bot"})
	if f.transport(f.standard, site).Proxy != nil || f.transport(nil, site).Proxy != nil { // a proxy from the environment would not be used for loopback anyway
		t.Error("there may be a proxy")
	}
	for _, target := range []string{"/", "/?", "/a?b", "//double//slash", "//evil.test/x?y", "/a%2Fb%zz?%", "/a|b^c{}`[]\\", "/*", "/a?b?c=//d", "/%C3%BC", "/;a=b,c", "/..//./x", "/a:b@c"} {
		get(t, f, site, target)
		want := "GET " + target + " HTTP/1.1\r\nHost: example.org\r\nUser-Agent: dustbuster/1.2 (+https://example.org/bot)\r\n" +
			"Accept: */*\r\nAccept-Encoding: gzip\r\n\r\n"
		if head := <-got; head != want {
			t.Errorf("asked with %q, want %q", head, want)
		}
	}
	for _, target := range []string{"", "x", "/a b", "/a\r\nHost: evil", "/\x00", "/a#b", "/ü", "http://evil.test/", "evil.test/", "/" + strings.Repeat("x", maxTarget), "//%zz"} {
		if _, err := f.Get(t.Context(), of(site, target)); reason(err) != Target {
			t.Errorf("%q: %v", target, err)
		}
	}
}

// The origin of a site without hosts is the site's only host. Within reports the hosts
// of a site.
func TestSites(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/there" {
			http.Redirect(w, r, "http://www.example.org/here", http.StatusFound)
			return
		}
		fmt.Fprint(w, r.Host)
	}))
	defer srv.Close()
	f := loopbackFetcher(t, Options{Origins: map[string]string{"": srv.URL, site: srv.URL}})
	for _, c := range []struct{ site, target, host, end string }{
		{"", "/", strings.TrimPrefix(srv.URL, "http://"), "/"},
		{site, "/", site, "/"},
		{site, "www.example.org/", "www.example.org", "www.example.org/"},
		{site, "example.org/there", "www.example.org", "www.example.org/here"},
	} {
		d := get(t, f, c.site, c.target)
		if string(d.Content.([]byte)) != c.host || d.place.host != c.host || d.Target != c.end {
			t.Errorf("%q of %q: %+v", c.target, c.site, d)
		}
	}
	for want, targets := range map[Reason][]string{Target: {"evil.test/", "notexample.org/", "www.example.org", "x@www.example.org/"}, OffSite: {"/there"}} {
		for _, target := range targets {
			refused(t, f, site, target, want)
		}
	}
	refused(t, f, "other.org", "/", NoOrigin)
	if f.CanFetch("other.org") || !f.CanFetch("") || !f.CanFetch(site) {
		t.Error("CanFetch disagrees with the origins")
	}
	g := loopbackFetcher(t, Options{Scheme: "http"})
	refused(t, g, "", "/", NoOrigin)
}
