package drops

import (
	"bufio"
	"compress/gzip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dustbuster/operators/rule"
	"dustbuster/operators/window/evidence"
)

// TestExpected learns from the logs of two crawls, whose rules other programs have
// computed. DUSTBUSTER_DATA names the folder that holds sites and expected/drops.
func TestExpected(t *testing.T) {
	data := os.Getenv("DUSTBUSTER_DATA")
	if data == "" {
		t.Skip("SKIPPED: set DUSTBUSTER_DATA to the data folder to compare with expected/drops")
	}
	for _, site := range []string{"docs", "gitweb"} {
		pages := readCrawl(t, filepath.Join(data, "sites", site, "access.log.gz"))
		rules, _ := Learn(defaults, pages, nil)
		got := lines(rules)
		want, err := os.ReadFile(filepath.Join(data, "expected/drops", site+".rules.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s, %d pages:\n got %s\nwant %s", site, len(pages), got, want)
		}
	}
}

var defaults = Options{Similarity: evidence.Similarity{Tolerance: 0.01}}

func lines(rules []rule.Likely) string {
	var b strings.Builder
	for _, r := range rules {
		b.WriteString(line(&r))
	}
	return b.String()
}

var crawlLine = regexp.MustCompile(`"GET (/\S*) HTTP/1\.1" (2\d\d) (\d+|-)`)

// readCrawl reads the pages of a log without hosts, errors and sloppy clients.
func readCrawl(t testing.TB, file string) []evidence.Page {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	sizes := map[string]evidence.Spans{}
	for in := bufio.NewScanner(z); in.Scan(); {
		m := crawlLine.FindStringSubmatch(in.Text())
		if m == nil || m[2] == "204" || m[2] == "206" {
			continue
		}
		url, _, _ := strings.Cut(m[1], "#")
		n, _ := strconv.ParseInt(m[3], 10, 64)
		e := sizes[url]
		if n > 0 {
			e = e.Join(evidence.Span{Min: n, Max: n})
		}
		sizes[url] = e
	}
	return pagesOf(sizes)
}

// pagesOf returns the pages of a map in the order of their URLs.
func pagesOf(m map[string]evidence.Spans) (pages []evidence.Page) {
	for url, e := range m {
		pages = append(pages, evidence.Page{URL: url, Evidence: e})
	}
	slices.SortFunc(pages, func(a, b evidence.Page) int { return strings.Compare(a.URL, b.URL) })
	return pages
}
