package admit

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"dustbuster/operators/read/crawler"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/window/evidence"
)

func gate(t testing.TB, o Options) *Gate {
	t.Helper()
	if o.MaxBytes == 0 {
		o.MaxBytes, o.MaxTokens = Defaults().MaxBytes, Defaults().MaxTokens
	}
	g, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func hit(target string) weblog.Hit {
	return weblog.Hit{Method: []byte("GET"), Target: []byte(target), Status: 200, Size: 10, Client: []byte("192.0.2.1")}
}

// Which records are admitted, with which mined string.
func TestAdmit(t *testing.T) {
	for _, c := range []struct {
		target, want string
		why          Reason
	}{
		{"/", "/", Admitted},
		{"/a?b=c#d", "/a?b=c", Admitted},
		{"/a#\x01", "/a", Admitted},
		{"/#", "/", Admitted},
		{"#a", "", Target},
		{"", "", Target},
		{"*", "", Target},
		{"example.org:443", "", Target},
		{"ftp://example.org/", "", Target},
		{"http:///a", "", Target},
		{"/a\x01b", "", Control},
		{"/a\x7f", "", Control},
		{"/a\tb", "", Control},
		{"/a b\"<>", "/a%20b%22%3C%3E", Admitted},
		{"/\xc3\xa9%c3%a9", "/%C3%A9%c3%a9", Admitted},
		{"/\\x", "/\\x", Admitted},
		{"http://example.org", "/", Admitted},
		{"HTTPS://Example.ORG/a", "/a", Admitted},
		{"http://example.org?x=1", "/?x=1", Admitted},
		{"http://example.org#x", "/", Admitted},
		{"http://me@example.org/a", "/a", Admitted},
		{"http://exa mple/a", "", Host},
		{"//a", "//a", Admitted},
		{"/" + strings.Repeat("a", 2047), "/" + strings.Repeat("a", 2047), Admitted},
		{"/" + strings.Repeat("a", 2048), "", TooLong},
		{"/" + strings.Repeat("\"", 700), "", TooLong},
		{strings.Repeat("/", 400), strings.Repeat("/", 400), Admitted},
		{strings.Repeat("/", 401), "", TooMany},
		{"/" + strings.Repeat("<", 399), "/" + strings.Repeat("%3C", 399), Admitted},
		{"/" + strings.Repeat("<", 400), "", TooMany},
		{"/" + strings.Repeat("\xe9", 600), "/" + strings.Repeat("%E9", 600), Admitted},
		{"/" + strings.Repeat("a", 1100), "/" + strings.Repeat("a", 1100), Admitted},
	} {
		g := gate(t, Options{})
		var o evidence.Observation
		h := hit(c.target)
		_, why := g.Admit(&o, &h)
		if why != c.why || why == Admitted && string(o.URL) != c.want {
			t.Errorf("%.60q: %v as %.60q, want %v as %.60q", c.target, why, o.URL, c.why, c.want)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		change func(h *weblog.Hit)
		want   Reason
	}{
		{func(*weblog.Hit) {}, Admitted},
		{func(h *weblog.Hit) { h.Method = []byte("get") }, Method},
		{func(h *weblog.Hit) { h.Method = []byte("HEAD") }, Method},
		{func(h *weblog.Hit) { h.Method = nil }, Method},
		{func(h *weblog.Hit) { h.Status = 204 }, Status},
		{func(h *weblog.Hit) { h.Status = 206 }, Status},
		{func(h *weblog.Hit) { h.Status = 203 }, Admitted},
		{func(h *weblog.Hit) { h.Status = 304 }, Status},
		{func(h *weblog.Hit) { h.Status = 199 }, Status},
		{func(h *weblog.Hit) { h.Status = 0 }, Status},
		{func(h *weblog.Hit) { h.Size = 0 }, Admitted},
		{func(h *weblog.Hit) { h.Agent = []byte("dustbuster/1.0 (+x)") }, Validator},
		{func(h *weblog.Hit) { h.Agent = []byte(`"dustbuster/1.0 (+x)"`) }, Validator},
		{func(h *weblog.Hit) { h.Agent = []byte(`'dustbuster/1.0'`) }, Validator},
		{func(h *weblog.Hit) { h.Agent = []byte(`\"dustbuster/1.0\"`) }, Validator},
		{func(h *weblog.Hit) { h.Agent = []byte("not dustbuster/1.0") }, Admitted},
		{func(h *weblog.Hit) { h.Client = []byte("192.0.2.9") }, Client},
		{func(h *weblog.Hit) { h.Host = []byte("<script>") }, Host},
	} {
		g := gate(t, Options{Ignore: func(c []byte) bool { return string(c) == "192.0.2.9" }})
		h := hit("/")
		c.change(&h)
		var o evidence.Observation
		if _, why := g.Admit(&o, &h); why != c.want {
			t.Errorf("%+v: %v, want %v", h, why, c.want)
		}
	}
}

// The site of a record, and the beginning of its mined string.
func TestSites(t *testing.T) {
	groups := map[string][]string{"ours": {"a.example", "*.b.example"}}
	for _, c := range []struct {
		o                 Options
		host, target      string
		wantSite, wantURL string
	}{
		{Options{}, "", "/x", "", "/x"},
		{Options{Site: "Here.Example."}, "", "/x", "here.example", "/x"},
		{Options{Site: "here.example"}, "There.Example:80", "/x", "there.example", "/x"},
		{Options{Site: "here.example"}, ":80", "/x", "here.example", "/x"},
		{Options{}, "h.example:443", "/x", "h.example", "/x"},
		{Options{}, "h.example.:443", "/x", "h.example", "/x"},
		{Options{}, "h.example:8080", "/x", "h.example:8080", "/x"},
		{Options{}, "[2001:DB8::1]:80", "/x", "[2001:db8::1]", "/x"},
		{Options{}, "h.example", "http://Other.Example/x", "other.example", "/x"},
		{Options{ByDomain: true}, "", "/x", "", "/x"},
		{Options{ByDomain: true, Site: "www.example.org"}, "", "/x", "example.org", "www.example.org/x"},
		{Options{ByDomain: true}, "www.example.co.uk", "/x", "example.co.uk", "www.example.co.uk/x"},
		{Options{ByDomain: true}, "www.example.co.uk:8080", "/x y", "example.co.uk", "www.example.co.uk:8080/x%20y"},
		{Options{ByDomain: true}, "co.uk", "/", "co.uk", "co.uk/"},
		{Options{ByDomain: true}, "localhost:81", "/", "localhost", "localhost:81/"},
		{Options{ByDomain: true}, "192.0.2.1", "/", "192.0.2.1", "192.0.2.1/"},
		{Options{ByDomain: true}, "x", "http://a.example.org?q", "example.org", "a.example.org/?q"},
		{Options{Groups: groups}, "A.example", "/x", "ours", "a.example/x"},
		{Options{Groups: groups}, "a.example:8080", "/x", "ours", "a.example:8080/x"},
		{Options{Groups: groups}, "Ours", "/x", "ours", "ours/x"},
		{Options{}, "h.example..", "/x", "h.example", "/x"},
		{Options{}, "h.example:80.", "/x", "h.example", "/x"},
		{Options{}, "[::1]:8080", "/x", "[::1]:8080", "/x"},
		{Options{Groups: groups}, "x.y.b.example", "/x", "ours", "x.y.b.example/x"},
		{Options{Groups: groups}, "b.example", "/x", "b.example", "/x"},
		{Options{Groups: groups, ByDomain: true}, "a.b.example", "/x", "ours", "a.b.example/x"},
	} {
		g := gate(t, c.o)
		for range 2 { // the second time from memory
			var o evidence.Observation
			h := hit(c.target)
			h.Host = []byte(c.host)
			site, why := g.Admit(&o, &h)
			if why != Admitted || site != c.wantSite || string(o.URL) != c.wantURL {
				t.Errorf("%+v, host %q: %v, site %q, URL %q; want site %q, URL %q", c.o, c.host, why, site, o.URL, c.wantSite, c.wantURL)
			}
		}
	}
}

// Records of hosts outside Options.Hosts are refused before their host becomes a site. A
// record without a host belongs to the operator's site.
func TestHosts(t *testing.T) {
	for _, c := range []struct {
		o    Options
		host string
		want Reason
	}{
		{Options{}, "x.example", Admitted},
		{Options{Hosts: []string{"a.example", "*.b.example"}}, "A.example:8080", Admitted},
		{Options{Hosts: []string{"a.example", "*.b.example"}}, "x.y.b.example", Admitted},
		{Options{Hosts: []string{"a.example", "*.b.example"}}, "b.example", OtherHost},
		{Options{Hosts: []string{"a.example", "*.b.example"}}, "x.a.example", OtherHost},
		{Options{Hosts: []string{"a.example"}}, "", Admitted},
		{Options{Hosts: []string{"a.example"}, Site: "a.example"}, "", Admitted},
		{Options{Hosts: []string{"a.example"}, Site: "b.example"}, "", OtherHost},
		{Options{Hosts: []string{"a.example"}, ByDomain: true}, "b.example", OtherHost},
		{Options{Hosts: []string{"a.example"}, Groups: map[string][]string{"g": {"a.example", "b.example"}}}, "b.example", OtherHost},
	} {
		g := gate(t, c.o)
		for range 2 { // the second time from memory
			var o evidence.Observation
			h := hit("/")
			h.Host = []byte(c.host)
			if _, why := g.Admit(&o, &h); why != c.want {
				t.Errorf("%+v, host %q: %v, want %v", c.o, c.host, why, c.want)
			}
		}
	}
	if _, err := New(Options{Hosts: []string{"a b"}}); err == nil {
		t.Error("no error for what is not the name of a host")
	}
}

func TestBadGroups(t *testing.T) {
	for _, c := range []struct {
		want   string
		groups map[string][]string
	}{
		{`read group "g": "a b" is not the name of a host`, map[string][]string{"g": {"a b"}}},
		{`read group "g": "" is not the name of a host`, map[string][]string{"g": {""}}},
		{`read group "g": "*." is not the name of a host`, map[string][]string{"g": {"*."}}},
		{`is in group`, map[string][]string{"g": {"a.example"}, "h": {"A.example"}}},
	} {
		if _, err := New(Options{Groups: c.groups}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("groups %v: error %v, want %q", c.groups, err, c.want)
		}
	}
	if _, err := New(Options{Site: "a/b"}); err == nil {
		t.Error("no error for a site that is no host")
	}
}

// A log's host may be more than package urlnorm accepts: empty, with dots behind the port,
// and with either default port.
func TestNormalHost(t *testing.T) {
	for _, c := range []struct{ logged, want string }{{"", ""}, {".", ""}, {":80", ""}, {":8080", ""}, {"A.:80", "a"}, {"a:80.", "a"}, {"a:443", "a"},
		{"a:80", "a"}, {"a.:81", "a:81"}, {"[::1].", "[::1]"}} {
		if name, ok := normalHost(c.logged); !ok || name != c.want {
			t.Errorf("%q: %q (%v), want %q", c.logged, name, ok, c.want)
		}
	}
	for _, logged := range []string{":", "::80", "a:", "a b", ".a"} {
		if name, ok := normalHost(logged); ok {
			t.Errorf("%q is the host %q", logged, name)
		}
	}
}

// An observation holds all fields of an admitted hit, and no reference to the log's
// bytes.
func TestObservation(t *testing.T) {
	g := gate(t, Options{Key: [2]uint64{1, 2}})
	clients := map[uint16]bool{}
	for i := range 40 {
		h := weblog.Hit{Host: []byte("h.example"), Method: []byte("GET"), Target: []byte("/x"), Status: 200,
			Client: fmt.Appendf(nil, "192.0.2.%d", i), Agent: []byte([]string{"Firefox", "curl/8", ""}[i%3]), Size: 7, Class: 3, Digest: 9, Time: 11}
		var o evidence.Observation
		site, _ := g.Admit(&o, &h)
		want := evidence.Observation{URL: []byte("/x"), Time: 11, Class: 3, Min: 7, Max: 7, DigestMin: 9, DigestMax: 9,
			Clients: o.Clients, Families: []uint32{crawler.People, crawler.Other, 0}[i%3]}
		if site != "h.example" || !reflect.DeepEqual(o, want) {
			t.Fatalf("site %q, observation %+v, want %+v", site, o, want)
		}
		clients[o.Clients] = true
		copy(h.Host, "x.example") // the log's buffer is filled with new bytes
	}
	if len(clients) < 12 || clients[0] {
		t.Errorf("40 clients have the masks %v", clients)
	}
	if _, err := New(Options{MaxTokens: mostTokens + 1}); err == nil {
		t.Error("no error for more tokens than can be counted")
	}
}

// A log of very many hosts does not fill the memory, and the operator's own site stays
// known.
func TestManyHosts(t *testing.T) {
	g := gate(t, Options{Site: "own.example"})
	for i := range 3 * rememberedHosts {
		h := hit("/")
		h.Host = []byte(strings.Repeat("a", i%200) + "." + strings.Repeat("b", i/200) + ".example")
		var o evidence.Observation
		g.Admit(&o, &h)
		h.Host = nil
		if site, _ := g.Admit(&o, &h); site != "own.example" {
			t.Fatalf("after %d hosts: site %q", i, site)
		}
	}
	if len(g.sites.known) > rememberedHosts {
		t.Errorf("%d hosts remembered", len(g.sites.known))
	}
}

// For any bytes, an admitted mined string is printable and has no space. The string
// begins with a slash after its prefix. Admitting the string again returns the same
// string.
func FuzzAdmit(f *testing.F) {
	f.Add("/a b", "example.org")
	f.Add("http://h?x#y", "")
	f.Add("/\x80\"", "x:80")
	f.Fuzz(func(t *testing.T, target, host string) {
		g := gate(t, Options{})
		h := hit(target)
		h.Host = []byte(host)
		var o evidence.Observation
		if _, why := g.Admit(&o, &h); why != Admitted {
			return
		}
		url := string(o.URL)
		for i := range len(url) {
			if url[i] <= ' ' || url[i] > '~' || strings.IndexByte("\"<>#", url[i]) >= 0 {
				t.Fatalf("byte %q in %q", url[i], url)
			}
		}
		again := hit(url)
		if _, why := g.Admit(&o, &again); url[0] != '/' || why != Admitted || string(o.URL) != url {
			t.Fatalf("%q became %q (%v)", url, o.URL, why)
		}
	})
}

func TestAdmitAllocations(t *testing.T) {
	g := gate(t, Options{Site: "example.org"})
	for _, target := range []string{"/story?id=12", "/a b"} {
		h := hit(target)
		var o evidence.Observation
		g.Admit(&o, &h)
		if n := testing.AllocsPerRun(100, func() { g.Admit(&o, &h) }); n != 0 {
			t.Errorf("%q: %v allocations, want none", target, n)
		}
	}
}

func BenchmarkAdmit(b *testing.B) {
	g := gate(b, Options{})
	h := hit("/archive/2015/03/some-title.html?commentlimit=0")
	var o evidence.Observation
	b.ReportAllocs()
	for b.Loop() {
		g.Admit(&o, &h)
	}
}

func TestRefuses(t *testing.T) {
	l := Limits{MaxBytes: 20, MaxTokens: 10}
	for _, c := range []struct {
		url  string
		want bool
	}{
		{"/?/?/?/?/%2F", false}, {"/" + strings.Repeat("a", 19), false}, // 10 tokens, 20 bytes
		{"", true}, {"/ ", true}, {"/\x00", true}, {"/\x7f", true}, {"/é", true}, {`/"`, true}, {"/<", true}, {"/>", true},
		{"/" + strings.Repeat("a", 20), true}, {"/?/?/?/?/??", true},
	} {
		if l.Refuses([]byte(c.url)) != c.want {
			t.Errorf("%q: refused is not %v", c.url, c.want)
		}
	}
}

// A label stands in the place of a digest. A record without a digest has none.
func TestLabel(t *testing.T) {
	g := gate(t, Options{Label: func(digest uint64) uint64 { return digest + 1 }})
	for _, digest := range []uint64{0, 7} {
		h := hit("/a")
		h.Digest = digest
		var o evidence.Observation
		if _, why := g.Admit(&o, &h); why != Admitted || o.DigestMin != digest/7*8 || o.DigestMax != o.DigestMin {
			t.Errorf("digest %d becomes %d to %d: %v", digest, o.DigestMin, o.DigestMax, why)
		}
	}
}
