package fetch_test

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"dustbuster/stream/fetch"
)

func TestAbuse(t *testing.T) {
	const limit = 100_000
	ok := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
	packed := ok + "Content-Encoding: gzip\r\n"
	bomb := gzipped(make([]byte, 50<<20))
	for _, c := range []struct {
		name      string
		write     func(net.Conn)
		want      fetch.Reason // "" if there is a document
		truncated bool
	}{
		{"endless body", func(c net.Conn) {
			say(c, ok+"\r\n")
			endlessly(c, strings.Repeat("x", 4096))
		}, "", true},
		{"endless chunks", func(c net.Conn) {
			say(c, ok+"Transfer-Encoding: chunked\r\n\r\n")
			endlessly(c, "400\r\n"+strings.Repeat("x", 1024)+"\r\n")
		}, "", true},
		{"bomb", func(c net.Conn) { say(c, packed+"\r\n"+bomb) }, "", true},
		{"bomb in a bomb", func(c net.Conn) {
			say(c, packed+"Content-Encoding: gzip\r\n\r\n"+gzipped([]byte(bomb)))
		}, fetch.Encoding, false},
		{"endless nothing, compressed", func(c net.Conn) {
			say(c, packed+"\r\n")
			endlessly(c, gzipped(nil))
		}, "", true},
		{"endless gzip header", func(c net.Conn) {
			say(c, packed+"\r\n\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03")
			endlessly(c, "name")
		}, fetch.Encoding, false},
		{"encoding not asked", func(c net.Conn) { say(c, ok+"Content-Encoding: br\r\n\r\nxx") }, fetch.Encoding, false},
		{"damaged gzip", func(c net.Conn) { say(c, packed+"\r\n"+bomb[:20]+strings.Repeat("\xff", 100)) }, fetch.Encoding, false},
		{"not gzip", func(c net.Conn) { say(c, packed+"\r\n<html>hello hello") }, fetch.Encoding, false},
		{"gzip cut off", func(c net.Conn) { say(c, packed+"\r\n"+gzipped([]byte("hello"))[:15]) }, fetch.Network, false},
		{"body cut off", func(c net.Conn) { say(c, ok+"Content-Length: 100\r\n\r\nhello") }, fetch.Network, false},
		{"two lengths", func(c net.Conn) { say(c, ok+"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello") }, fetch.Network, false},
		{"endless header", func(c net.Conn) { say(c, ok); endlessly(c, "X: "+strings.Repeat("y", 500)+"\r\n") }, fetch.Network, false},
		{"long header", func(c net.Conn) { say(c, ok+"X: "+strings.Repeat("y", 100_000)+"\r\nContent-Length: 0\r\n\r\n") }, fetch.Network, false},
		{"endless header line", func(c net.Conn) { say(c, ok+"X: "); endlessly(c, "yyyyyyyyyyyyyyyy") }, fetch.Network, false},
		{"endless status line", func(c net.Conn) { endlessly(c, "HTTP/1.1 200 yyyyyyyyyyyy") }, fetch.Network, false},
		{"endless 103s", func(c net.Conn) { endlessly(c, "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n") }, fetch.Network, false},
		{"endless trailer", func(c net.Conn) {
			say(c, ok+"Transfer-Encoding: chunked\r\n\r\n0\r\n")
			endlessly(c, "X: yyyyyyyyyyyyyyyyyyyyyyyy\r\n")
		}, fetch.Network, false},
		{"no HTTP", func(c net.Conn) { say(c, "SSH-2.0-OpenSSH_9.9\r\n") }, fetch.Network, false},
		{"nothing", func(net.Conn) {}, fetch.Network, false},
		{"upgrade", func(c net.Conn) {
			say(c, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n")
		}, fetch.Network, false},
		{"silence", func(c net.Conn) { listen(c) }, fetch.Timeout, false},
		{"header drop by drop", func(c net.Conn) { say(c, ok); drip(c, "X: y\r\n") }, fetch.Timeout, false},
		{"body drop by drop", func(c net.Conn) { say(c, ok+"\r\n"); drip(c, "x") }, fetch.Timeout, false},
		{"body never begun", func(c net.Conn) { say(c, ok+"Content-Length: 5\r\n\r\n"); listen(c) }, fetch.Timeout, false},
		{"redirect to itself", func(c net.Conn) { say(c, "HTTP/1.1 302 Found\r\nLocation: ?\r\n\r\n") }, fetch.Loop, false},
		{"redirect to nothing", func(c net.Conn) { say(c, "HTTP/1.1 302 Found\r\nLocation: \r\n\r\n") }, "", false},
		{"redirect, two places", func(c net.Conn) {
			say(c, "HTTP/1.1 302 Found\r\nLocation: http://a.test/\r\nLocation: /\r\n\r\n")
		}, fetch.OffSite, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := fetch.Options{Origin: rawServer(t, func(conn net.Conn, _ string) { c.write(conn) }), MaxBody: limit}
			if c.want == fetch.Timeout {
				o.Timeout = time.Second
			}
			f := loopbackFetcher(t, o)
			if c.want == fetch.Timeout { // robots.txt has its own limit, so a busy machine does not fail there first
				f.Trust(site)
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
		f := w.fetcher(fetch.Options{})
		d := get(t, f, site, "/hop/5")
		if d.Target != "/hop/0" || !d.Redirected || d.Resolve("", "http://"+site+"/z") != "/z" || d.Status != 200 {
			t.Errorf("%+v", d)
		}
		if d := get(t, f, site, "/hop/2"); !d.Cached || d.Target != "/hop/0" { // both chains share the cached answer
			t.Errorf("%+v", d)
		}
		refused(t, f, site, "/hop/6", fetch.Loop)
		refused(t, f, site, "/ping", fetch.Loop)
		w.seen(time.Second)
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
	f := loopbackFetcher(t, fetch.Options{Origin: origin, Version: "1.2", Contact: "https://example.org/bot"})
	for _, target := range []string{"/", "/?", "/a?b", "//double//slash", "//evil.test/x?y", "/a%2Fb%zz?%", "/a|b^c{}`[]\\", "/*", "/a?b?c=//d", "/%C3%BC", "/;a=b,c", "/..//./x", "/a:b@c"} {
		t.Run("asked, "+target, func(t *testing.T) {
			get(t, f, site, target)
			want := "GET " + target + " HTTP/1.1\r\nHost: example.org\r\nUser-Agent: dustbuster/1.2 (+https://example.org/bot)\r\n" +
				"Accept: */*\r\nAccept-Encoding: gzip\r\n\r\n"
			if head := <-got; head != want {
				t.Errorf("asked with %q, want %q", head, want)
			}
		})
	}
	for _, target := range []string{"", "x", "/a b", "/a\r\nHost: evil", "/\x00", "/a#b", "/ü", "http://evil.test/", "evil.test/", "/" + strings.Repeat("x", fetch.MaxTarget), "//%zz"} {
		t.Run(fmt.Sprintf("refused, %.40q", target), func(t *testing.T) {
			if _, err := f.Get(t.Context(), of(site, target)); reason(err) != fetch.Target {
				t.Errorf("%q: %v", target, err)
			}
		})
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
	f := loopbackFetcher(t, fetch.Options{Origins: map[string]string{"": srv.URL, site: srv.URL}})
	for _, c := range []struct{ name, site, target, host, end, beside string }{ // beside: the page /z of the same host
		{"no site", "", "/", strings.TrimPrefix(srv.URL, "http://"), "/", "/z"},
		{"a site", site, "/", site, "/", "/z"},
		{"a host of the site", site, "www.example.org/", "www.example.org", "www.example.org/", "www.example.org/z"},
		{"a redirect to another host of the site", site, "example.org/there", "www.example.org", "www.example.org/here", "www.example.org/z"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := get(t, f, c.site, c.target)
			if string(d.Content.([]byte)) != c.host || d.Resolve("", "http://"+c.host+"/z") != c.beside || d.Target != c.end {
				t.Errorf("%q of %q: %+v", c.target, c.site, d)
			}
		})
	}
	for _, c := range []struct {
		name, target string
		want         fetch.Reason
	}{
		{"another host", "evil.test/", fetch.Target},
		{"a longer name", "notexample.org/", fetch.Target},
		{"no path", "www.example.org", fetch.Target},
		{"a user", "x@www.example.org/", fetch.Target},
		{"a redirect from a site without hosts", "/there", fetch.OffSite},
	} {
		t.Run(c.name, func(t *testing.T) { refused(t, f, site, c.target, c.want) })
	}
	refused(t, f, "other.org", "/", fetch.NoOrigin)
	if f.CanFetch("other.org") || !f.CanFetch("") || !f.CanFetch(site) {
		t.Error("CanFetch disagrees with the origins")
	}
	g := loopbackFetcher(t, fetch.Options{Scheme: "http"})
	refused(t, g, "", "/", fetch.NoOrigin)
}
