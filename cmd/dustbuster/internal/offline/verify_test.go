package offline

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/config"
	"dustbuster/operators/read/crawler"
)

// oneName is a DNS in which one address is Googlebot's.
type oneName struct{}

func (oneName) LookupAddr(_ context.Context, address string) ([]string, error) {
	if address == "203.0.113.1" {
		return []string{"crawl-1.googlebot.com."}, nil
	}
	return nil, &net.DNSError{IsNotFound: true}
}

func (oneName) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{netip.MustParseAddr("203.0.113.1")}, nil
}

// crawled is a log of Googlebot, of clients that use its name, and of a browser.
func crawled(t *testing.T) (path string) {
	var log strings.Builder
	for _, c := range []struct{ client, url, agent string }{
		{"203.0.113.1", "/by-it", "Googlebot/2.1"}, {"203.0.113.2", "/by-another", "Googlebot/2.1"}, {"203.0.113.2", "/by-both", "Googlebot/2.1"},
		{"203.0.113.1", "/by-both", "Googlebot/2.1"}, {"203.0.113.2", "/by-people", "Mozilla/5.0 (X11; Linux) Firefox/140.0"}, {"203.0.113.3", "/by-another", "GPTBot/1.2"},
	} {
		fmt.Fprintf(&log, "%s - - [17/May/2015:10:05:03 +0000] \"GET %s HTTP/1.1\" 200 700 \"-\" \"%s\"\n", c.client, c.url, c.agent)
	}
	path = filepath.Join(t.TempDir(), "access.log")
	must(t, os.WriteFile(path, []byte(log.String()), 0o600))
	return path
}

// askers returns who asked for each URL.
func askers(r *Reading) map[string]uint32 {
	all, families := map[string]uint32{}, r.Sites.Of("").Families()
	for _, page := range r.Sites.Of("").Reach().Pages() {
		all[page.URL] = families[page.Number]
	}
	return all
}

func TestVerify(t *testing.T) {
	c := config.MineDefaults()
	o := OptionsOf(&c, nil)
	o.Resolver = oneName{}
	var said bytes.Buffer
	read, err := Read(t.Context(), []string{crawled(t)}, o, &said)
	must(t, err)
	google, gpt := crawler.Family([]byte("Googlebot")), crawler.Family([]byte("GPTBot"))
	got := askers(read)
	want := map[string]uint32{"/by-it": google, "/by-another": crawler.Fake | gpt, "/by-both": google | crawler.Fake, "/by-people": crawler.People}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if want := "dustbuster: of 2 addresses that use the name of a crawler, the DNS confirms 1, denies 1 (fake crawlers), and does not answer for 0\n"; !strings.Contains(said.String(), want) {
		t.Errorf("%s", &said)
	}
	if lines := read.Counts.Lines; lines != 6 {
		t.Errorf("%d lines, want 6: the first reading counts", lines)
	}
}

// Lists of addresses decide before the DNS is asked.
func TestVerifyBesideLists(t *testing.T) {
	c := config.MineDefaults()
	o := OptionsOf(&c, nil)
	o.Resolver = oneName{}
	o.Records.Admit.Denies = func(client []byte, _ uint32) bool { return string(client) == "203.0.113.1" }
	read, err := Read(t.Context(), []string{crawled(t)}, o, &bytes.Buffer{})
	must(t, err)
	if got := askers(read)["/by-it"]; got != crawler.Fake {
		t.Errorf("%b, want that of fake crawlers", got)
	}
}

func TestVerifyTwice(t *testing.T) {
	c := config.MineDefaults()
	o := OptionsOf(&c, strings.NewReader(""))
	o.Resolver = oneName{}
	if _, err := Read(t.Context(), []string{"-"}, o, &bytes.Buffer{}); err == nil || !strings.Contains(err.Error(), `"-" can be read only once: name a file`) {
		t.Errorf("standard input: %v", err)
	}
}
