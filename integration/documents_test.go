package integration

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha1" //nolint:gosec // web archives name contents by it
	"encoding/base32"
	"flag"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var documents = flag.Uint("documents", 5, "TestDocuments crawls the directories of the docs site, one in so many; 1: all 18,812 URLs, which takes four minutes")

// Rules are tried on the pages that a crawl has kept, without one request.
func TestDocuments(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(dataFolder(t), "sites", "docs")
	origin := setUp(t, folder, "/manual/")
	log := logLines(t, filepath.Join(folder, "access.log.gz"))
	archive := filepath.Join(t.TempDir(), "crawl.warc.gz")
	crawled := crawl(t, origin, log, *documents, archive)

	r := succeed(t, exec.Command(program, "validate", "--pages", archive, "--output", "json"))
	for _, want := range []string{fmt.Sprintf("has the pages of %d URLs", len(crawled)), "confirmed; 0 requests"} {
		if !strings.Contains(r.stderr, want) {
			t.Errorf("validate does not say %q:\n%s", want, r.stderr)
		}
	}
	rules := write(t, "rules.jsonl", []byte(r.stdout))
	part := filepath.Join(t.TempDir(), "bodies.tsv.gz")
	partOf(t, filepath.Join(folder, "bodies.tsv.gz"), crawled, part)
	got, whole := qualityOf(t, part, rules), qualityOf(t, filepath.Join(folder, "bodies.tsv.gz"), rules)
	t.Logf("%d documents, no request: %d rules, coverage %.3f, %.1f false merges per 10,000; of the whole site %.3f and %.1f; %v",
		len(crawled), got.rules, got.coverage, got.wrong, whole.coverage, whole.wrong, r.took.Round(time.Second))
	if got.rules < 3 || got.coverage < 0.4 || got.wrong > 3 {
		t.Errorf("%d rules, coverage %.3f, want 0.4; %.1f false merges per 10,000, at most 3\n%s", got.rules, got.coverage, got.wrong, r.stdout)
	}
	noneFalse(t, filepath.Join(folder, "rules.tsv"), []byte(r.stdout))
}

// crawl fetches the URLs of one directory in so many of a log, once each, and writes the
// responses as a web archive. crawl returns the URLs.
func crawl(t *testing.T, origin string, log [][]byte, share uint, path string) (seen map[string]bool) {
	t.Helper()
	out, err := os.Create(path)
	must(t, err)
	defer out.Close()
	w := bufio.NewWriter(out)
	seen = map[string]bool{}
	for _, line := range log {
		_, rest, _ := strings.Cut(string(line), `"GET `)
		target, _, ok := strings.Cut(rest, " ")
		page, _, _ := strings.Cut(target, "?")
		if !ok || seen[target] || crc32.ChecksumIEEE([]byte(page[:strings.LastIndexByte(page, '/')+1]))%uint32(share) != 0 {
			continue
		}
		seen[target] = true
		must(t, keep(w, origin+target))
	}
	must(t, w.Flush())
	return seen
}

// partOf writes the lines of a site's pages that are about the crawled URLs.
func partOf(t *testing.T, bodies string, crawled map[string]bool, path string) {
	t.Helper()
	var part bytes.Buffer
	z := gzip.NewWriter(&part)
	for _, line := range logLines(t, bodies) {
		url, _, _ := strings.Cut(string(line), "\t")
		_, rest, _ := strings.Cut(url, "://")
		if at := strings.IndexByte(rest, '/'); at >= 0 && crawled[rest[at:]] {
			if _, err := z.Write(line); err != nil {
				t.Fatal(err)
			}
		}
	}
	must(t, z.Close())
	writeFile(t, path, part.Bytes())
}

// keep fetches a URL and writes the response as a record in a gzip member of its own.
func keep(w io.Writer, url string) error {
	resp, err := http.DefaultTransport.RoundTrip(request(url))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	var block bytes.Buffer
	fmt.Fprintf(&block, "HTTP/1.1 %s\r\n", resp.Status)
	resp.Header.Del("Transfer-Encoding")
	resp.Header.Set("Content-Length", fmt.Sprint(len(body)))
	if err := resp.Header.Write(&block); err != nil {
		return err
	}
	block.WriteString("\r\n")
	block.Write(body)
	sum := sha1.Sum(body) //nolint:gosec // as above
	z := gzip.NewWriter(w)
	fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Payload-Digest: sha1:%s\r\n"+
		"Content-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", url, base32.StdEncoding.EncodeToString(sum[:]), block.Len(), &block)
	return z.Close()
}

func request(url string) *http.Request {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		panic(err) // the log of a crawl has URLs that were fetched
	}
	return r
}

// Pages of an archive are compared whatever their URLs look like, since nothing is requested: a
// parameter that holds a long session number is tried.
func TestDocumentsOfSessions(t *testing.T) {
	t.Parallel()
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		for n := range 200 + len(r.URL.Path)*7 {
			fmt.Fprintf(w, "<p>%s says %d</p>\n", r.URL.Path, n)
		}
	}))
	var crawl bytes.Buffer
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 60 {
		page := fmt.Sprintf("%s/story/%d%s", server.URL, i, strings.Repeat("-and-more", i%7))
		for _, url := range []string{page, fmt.Sprintf("%s?sid=%016x%016x", page, rng.Uint64(), rng.Uint64())} {
			must(t, keep(&crawl, url))
		}
	}
	r := succeed(t, exec.Command(program, "validate", "--pages", write(t, "crawl.warc.gz", crawl.Bytes()), "--output", "json"))
	if !strings.Contains(r.stdout, `"op":"drop","params":["sid"]`) {
		t.Errorf("sid is not dropped\n%v", r)
	}
	if strings.Contains(r.stderr, "never asked") || strings.Contains(r.stderr, "fetched") {
		t.Errorf("nothing is fetched, yet validate speaks of it:\n%s", r.stderr)
	}
}
