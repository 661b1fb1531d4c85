package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCrawlerAddresses(t *testing.T) {
	for _, c := range []struct{ name, file, text, wrong string }{
		{"a list", "googlebot.json", `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`, ""},
		{"a second list of a crawler", "gptbot-search.json", `{"prefixes": [{"ipv6Prefix": "2001:db8::/32"}], "more": 1}`, ""},
		{"no crawler", "special.json", `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`, `"special" names no crawler of the list`},
		{"no JSON", "bingbot.json", `192.0.2.0/24`, "no list of networks in JSON"},
		{"an empty list", "bingbot.json", `{"prefixes": []}`, "no networks: want"},
		{"no network", "bingbot.json", `{"prefixes": [{"ipv4Prefix": "192.0.2.7"}]}`, "192.0.2.7"},
		{"too long", "bingbot.json", strings.Repeat(" ", mostListBytes+1), "more than 4194304 bytes"},
	} {
		dir := t.TempDir()
		must(t, os.WriteFile(filepath.Join(dir, c.file), []byte(c.text), 0o600))
		r := Read{CrawlerAddresses: dir}
		if wrong := r.readCrawlers(); !strings.Contains(wrong, c.wrong) || (wrong == "") != (c.wrong == "") || (r.crawlers == nil) != (c.wrong != "") {
			t.Errorf("%s: %q, want %q", c.name, wrong, c.wrong)
		}
	}
	none := Config{}
	if none.Read.readCrawlers() != "" || none.Admit(Input{}, [2]uint64{}).Denies != nil || none.Head([2]uint64{}).Crawlers != 0 {
		t.Error("without a directory crawlers are checked")
	}
}

// Denied are only clients with an address that no list of the crawler has.
func TestDenying(t *testing.T) {
	r := Read{CrawlerAddresses: "testdata/crawlers"}
	if wrong := r.readCrawlers(); wrong != "" {
		t.Fatal(wrong)
	}
	denies := denying(r.crawlers)
	const google, bing = 1 << 2, 1 << 3
	got := fmt.Sprint(denies([]byte("192.0.2.127"), google), denies([]byte("192.0.2.128"), google), denies([]byte("2001:db8:1::5"), google), denies([]byte("::ffff:192.0.2.1"), google),
		denies([]byte("2001:db8:2::5"), google), denies([]byte("198.51.100.1"), bing), denies([]byte("crawl.example.org"), google), denies(nil, google))
	if want := "false true false false true false false false"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
