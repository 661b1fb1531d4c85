package integration

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/oracle/pages"
)

var (
	nearDocuments = flag.Int("near", 5000, "TestNear compares so many made-up documents; a million take some minutes")
	nearFlags     = flag.String("nearflags", "--memory 256MiB", "the flags of TestNear")
)

const madeUpURL = "http://www.example.org/page/"

// near finds the planted near-duplicates of made-up pages. Resemblances near the threshold
// may be misjudged without --exact; with it, none is.
func TestNear(t *testing.T) {
	t.Parallel()
	for _, flags := range []string{*nearFlags, *nearFlags + " --exact"} {
		t.Run(strings.ReplaceAll(flags, " ", "_"), func(t *testing.T) { nearMadeUp(t, strings.Fields(flags)) })
	}
}

func nearMadeUp(t *testing.T, flags []string) {
	world := pages.World{Seed: 11, Documents: *nearDocuments, Threshold: 0.9}
	cmd := exec.Command(program, append([]string{"near", "--output", "json", "--stats", "-"}, flags...)...)
	in, out := pipes(t, cmd)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	began := time.Now()
	must(t, cmd.Start())
	truth, made := make([]pages.Document, 0, world.Documents), make(chan error, 1)
	go func() {
		w := bufio.NewWriterSize(in, 1<<20)
		for d := range world.All() {
			writePage(w, d)
			d.Body = nil
			truth = append(truth, d)
		}
		err := w.Flush()
		in.Close()
		made <- err
	}()
	found, err := clustersOf(out, world.Documents)
	if err := <-made; err != nil {
		t.Error(err)
	}
	if wait := cmd.Wait(); err != nil || wait != nil {
		t.Fatalf("near: %v, %v\n%s", err, wait, &stderr)
	}
	took, peak := time.Since(began), parseStats(stderr.String())["peak_resident_bytes"]
	want := make([]int, len(truth))
	for i, d := range truth {
		want[i] = d.Cluster
	}
	recall, precision := pairsInCommon(found, want)
	t.Logf("%d documents: recall %.4f, precision %.4f of the pairs in clusters; %v, %v of processor time, %d MiB peak", len(truth), recall, precision,
		took.Round(time.Second/10), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(time.Second/10), peak>>20)
	t.Logf("planted pairs in one cluster, by resemblance:\n%s", byResemblance(truth, found))
	t.Logf("%s", &stderr)
	exact := slices.Contains(flags, "--exact")
	if exact && recall < 0.999 || recall < 0.7 || exact && precision < 0.999 || precision < 0.7 {
		t.Errorf("recall %.4f, precision %.4f", recall, precision)
	}
}

func pipes(t *testing.T, cmd *exec.Cmd) (io.WriteCloser, io.Reader) {
	t.Helper()
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	return in, out
}

// writePage writes a page as a record of a web archive.
func writePage(w io.Writer, d pages.Document) {
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
	fmt.Fprintf(w, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s%d\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n\r\n%s%s\r\n\r\n",
		madeUpURL, d.Index, len(head)+len(d.Body), head, d.Body)
}

// clustersOf reads the lines of near, and returns a number for the cluster of each page.
func clustersOf(out io.Reader, n int) (cluster []int, err error) {
	cluster = make([]int, n)
	for i := range cluster {
		cluster[i] = -1 - i // alone
	}
	lines := json.NewDecoder(out)
	for c := 0; ; c++ {
		var line struct {
			Pages []struct{ URL string }
		}
		if err := lines.Decode(&line); err == io.EOF {
			return cluster, nil
		} else if err != nil {
			return nil, err
		}
		for _, d := range line.Pages {
			i, err := strconv.Atoi(strings.TrimPrefix(d.URL, madeUpURL))
			if err != nil {
				return nil, err
			}
			cluster[i] = c
		}
	}
}

// pairsInCommon compares the pairs of documents within a cluster.
func pairsInCommon(found, want []int) (recall, precision float64) {
	pairs := func(of func(i int) [2]int) (n float64) {
		size := map[[2]int]float64{}
		for i := range want {
			size[of(i)]++
		}
		for _, s := range size {
			n += s * (s - 1) / 2
		}
		return n
	}
	both := pairs(func(i int) [2]int { return [2]int{found[i], want[i]} })
	return both / max(1, pairs(func(i int) [2]int { return [2]int{want[i]} })), both / max(1, pairs(func(i int) [2]int { return [2]int{found[i]} }))
}

// byResemblance returns the share of pages that are in a cluster with the first page of their
// family, by their resemblance to it.
func byResemblance(truth []pages.Document, found []int) string {
	const step = 0.01
	var pairs, together [101]int
	for i, d := range truth {
		if d.Base == i {
			continue
		}
		bin := int(d.Resemblance / step)
		pairs[bin]++
		if found[i] == found[d.Base] {
			together[bin]++
		}
	}
	var b strings.Builder
	for bin, n := range pairs {
		if n > 0 && bin >= 80 {
			fmt.Fprintf(&b, "%.2f: %.4f of %d\n", float64(bin)*step, float64(together[bin])/float64(n), n)
		}
	}
	return b.String()
}

// The clusters of the docs site, by near, agree with the digests of its pages: pages of one
// digest are in one cluster.
func TestNearOnDocs(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(dataFolder(t), "sites", "docs")
	origin := setUp(t, folder, "/manual/")
	archive := filepath.Join(t.TempDir(), "crawl.warc.gz")
	crawled := crawl(t, origin, logLines(t, filepath.Join(folder, "access.log.gz")), 4**documents, archive)
	for _, flags := range [][]string{nil, {"--exact"}} {
		near := succeed(t, exec.Command(program, append([]string{"near", "--output", "json", "--stats", archive}, flags...)...))
		cluster, n := map[string]int{}, 0
		byDigest := map[string]int{}
		for line := range strings.Lines(near.stdout) {
			var c struct {
				Pages []struct{ URL, Digest string }
			}
			must(t, json.Unmarshal([]byte(line), &c))
			n++
			for _, d := range c.Pages {
				cluster[d.URL] = n
				if other, ok := byDigest[d.Digest]; ok && other != n {
					t.Errorf("%s: the digest is in two clusters", d.URL)
				}
				byDigest[d.Digest] = n
			}
		}
		t.Logf("%v: %d URLs crawled, %d in %d clusters\n%s", flags, len(crawled), len(cluster), n, near.stderr)
		if len(cluster) < len(crawled)/4 || n < 10 {
			t.Errorf("%d URLs in %d clusters", len(cluster), n)
		}
	}
}
