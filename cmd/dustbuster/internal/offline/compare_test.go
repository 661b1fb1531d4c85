package offline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/internal/expect"
	_ "dustbuster/internal/fewgc"
	"dustbuster/internal/schema"
	"dustbuster/operators/learn/papers/compare"
)

// must ends a test at an error.
var must = expect.NoError

// writeShop writes a list of URLs with digests: items under sessions and orders, some of them
// sold under two names, and listings that differ.
func writeShop(t *testing.T) string {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	var b strings.Builder
	for i := range 200 {
		for _, name := range []string{"item", "article"} {
			for range 3 {
				fmt.Fprintf(&b, "/%s/%d?sid=%04x\t200\t%d\t%016x\n", name, i, random.IntN(1<<16), 1000+i%50, 1+i)
			}
		}
		fmt.Fprintf(&b, "/list/%d?page=%d\t200\t%d\t%016x\n", i/20, i%20, 3000+i, 1000+i)
	}
	path := expect.File(t, "shop.tsv", b.String())
	return path
}

// comparisons runs compare, checks each line against the schema, and returns the lines.
func comparisons(t *testing.T, args ...string) (all []comparisonLine) {
	t.Helper()
	var out, told bytes.Buffer
	if code := run(context.Background(), append([]string{"compare", "-o", "json"}, args...), strings.NewReader(""), &out, &told); code != 0 {
		t.Fatalf("exit %d: %s", code, &told)
	}
	for line := range bytes.Lines(out.Bytes()) {
		var l comparisonLine
		must(t, errors.Join(schema.Check("comparison", line), json.Unmarshal(line, &l)))
		all = append(all, l)
	}
	return all
}

// Each learner and split has a line, and the figures agree with each other.
func TestCompare(t *testing.T) {
	all := comparisons(t, "--share", "20,100", "--seeds", "2", writeShop(t))
	names, _ := compare.Learners()
	if want := 3 * (len(names) + 1); len(all) != want {
		t.Errorf("%d lines, want %d", len(all), want)
	}
	covered := 0
	for _, l := range all {
		if l.Raw < l.Supported || l.Supported < l.Loose || l.Loose < l.Strict || l.Forms > l.URLs || l.Seconds <= 0 {
			t.Errorf("%+v", l)
		}
		if got := float64(l.URLs-l.Forms-l.False) / float64(l.URLs-l.Clusters); got != l.Coverage {
			t.Errorf("%s: coverage %v, want %v", l.Learner, l.Coverage, got)
		}
		if l.Coverage > .6 {
			covered++
		}
		if l.Learner == compare.Union && (l.Coverage < .79 || l.False > 0) {
			t.Errorf("the union: %+v", l)
		}
	}
	if covered < 6 {
		t.Errorf("%d results merge the sessions", covered)
	}
}

// The result depends on the seed, and on nothing else.
func TestCompareAgain(t *testing.T) {
	shop := writeShop(t)
	first := comparisons(t, "--share", "30", "--seeds", "2", "--learners", "drops,duster", shop)
	again := comparisons(t, "--share", "30", "--seeds", "2", "--learners", "drops,duster", shop)
	for i := range first {
		first[i].Cost, again[i].Cost = compare.Cost{}, compare.Cost{}
		if a, b := fmt.Sprintf("%+v", first[i]), fmt.Sprintf("%+v", again[i]); a != b {
			t.Errorf("%s, then %s", a, b)
		}
	}
}

// An interrupted comparison fails.
func TestCompareInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	f := &compareFlags{learners: []string{"duster"}, shares: []int{100}, seeds: 1, labels: "digest"}
	var out bytes.Buffer
	cancel()
	err := f.compareSite(ctx, newComparison(f, &crawl{clusters: [][]string{{"/a", "/b"}, {"/c", "/d"}}}, []*cli.Output{{Format: "text", Writer: &out}}), &out)
	if err == nil || out.Len() > 0 {
		t.Errorf("%q, %v", &out, err)
	}
}

// writeArchive writes a crawl whose pages are never equal: a page counts its visits.
func writeArchive(t *testing.T) string {
	t.Helper()
	random := rand.New(rand.NewPCG(2, 1))
	var b strings.Builder
	for i := range 60 {
		var text strings.Builder
		for range 200 {
			fmt.Fprintf(&text, "%x ", random.Uint32())
		}
		for sid := range 4 {
			block := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>%s visit %d", &text, sid)
			fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://Shop.example.org:443/item/%d?sid=%d#top\r\nWARC-Date: 2026-01-02T10:00:00Z\r\n"+
				"WARC-Payload-Digest: sha1:%d-%d\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", i, random.IntN(1<<20), i, sid, len(block), block)
		}
	}
	path := expect.File(t, "crawl.warc", b.String())
	return path
}

// Near-duplicates are one page, for the learners and for the test.
func TestCompareNear(t *testing.T) {
	archive := writeArchive(t)
	for _, by := range []string{"host", "domain"} {
		for _, l := range comparisons(t, "--share", "50", "--seeds", "2", "--learners", "dustbuster", "--labels", "near", "--site-by", by, archive) {
			if l.Labels != "near" || l.URLs != 120 || l.Clusters != 30 || l.Coverage != 1 || l.False != 0 {
				t.Errorf("by %s: %+v", by, l)
			}
		}
	}
	for _, c := range []struct{ args, want string }{{"-", "cannot be one of them"}, {writeShop(t), "needs web archives"}} {
		var out, told bytes.Buffer
		in, err := os.Open(writeShop(t))
		must(t, err)
		if code := run(context.Background(), []string{"compare", "--labels", "near", c.args}, in, &out, &told); code == 0 || out.Len() > 0 || !strings.Contains(told.String(), c.want) {
			t.Errorf("%s: exit %d, %s", c.args, code, &told)
		}
		in.Close()
	}
}

// The page shows the figures of the table.
func TestComparePage(t *testing.T) {
	path := writeShop(t)
	args := []string{"compare", "--learners", "dustbuster,drops", "--share", "50,100", "--seeds", "2", path}
	var table, page, told bytes.Buffer
	if code := run(context.Background(), args, strings.NewReader(""), &table, &told); code != 0 {
		t.Fatalf("exit %d: %s", code, &told)
	}
	if code := run(context.Background(), append(args, "-o", "html"), strings.NewReader(""), &page, &told); code != 0 {
		t.Fatalf("exit %d: %s", code, &told)
	}
	for line := range strings.Lines(table.String()) {
		fields := strings.Fields(line)
		if len(fields) < 12 || fields[len(fields)-1] != "drops" && fields[len(fields)-1] != "dustbuster" {
			continue
		}
		var cells strings.Builder
		fmt.Fprintf(&cells, `<th scope="row">%s</th>`, fields[len(fields)-1])
		for _, f := range fields[:10] { // without precision and cost
			fmt.Fprintf(&cells, `<td class="number">%s</td>`, f)
		}
		if !strings.Contains(page.String(), cells.String()) {
			t.Errorf("the page lacks %s", &cells)
		}
	}
	for _, want := range []string{"all pages are labelled, and are the test</h3>", "means of 2 splits</h3>", "<h2>unnamed site</h2>", "<dt>Duplicates</dt>"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
