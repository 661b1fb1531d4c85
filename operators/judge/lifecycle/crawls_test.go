package lifecycle_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"

	"github.com/cespare/xxhash/v2"
)

var rewriteCrawls = flag.Bool("rewrite-crawls", false, "write what the lives of crawled sites do to testdata/crawls.json")

// A life on a crawled site asks for the same pairs and does the same acts as when testdata/crawls.json was written:
// docs, and if the test is long gitweb too, with three keys, for 300 fetches. A change that is meant rewrites the file
// and says so.
func TestCrawlsAreAsBefore(t *testing.T) {
	const file = "testdata/crawls.json"
	want, got := map[string]string{}, map[string]string{}
	text, err := os.ReadFile(file)
	must(t, err)
	must(t, json.Unmarshal(text, &want))
	for _, site := range []string{"docs", "gitweb"} {
		if site != "docs" && !*long && !*rewriteCrawls {
			continue
		}
		w, mined := readWorld(t, site, false), mineSite(t, site)
		for seed := range uint64(3) {
			l := siteLife(w, mined, func(o *book.Options) { o.Key = [2]uint64{seed, 7} })
			l.most, l.each = 300, func() {}
			requests, acts := xxhash.New(), xxhash.New()
			l.asked = func(line string) { fmt.Fprintln(requests, line) }
			l.run()
			n := 0
			for _, a := range l.m.Acts() {
				fmt.Fprintf(acts, "%s", a.Encode())
				n++
			}
			got[fmt.Sprint(site, " ", seed)] = fmt.Sprintf("%d pairs %016x, %d acts %016x", l.tests, requests.Sum64(), n, acts.Sum64())
		}
	}
	if *rewriteCrawls {
		text, err := json.MarshalIndent(got, "", "\t")
		must(t, err)
		must(t, os.WriteFile(file, append(text, '\n'), 0o600))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if got[name] != want[name] {
			t.Errorf("%s: %s, want %s", name, got[name], want[name])
		}
	}
}
