package integration

import (
	"bytes"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/operators/rule/dust"
)

// crawled is what a crawl saw: the bodies' digests by path and query.
type crawled map[string]string

// crawlIndex writes a crawl down as the index of its archive (CDXJ).
func crawlIndex(t *testing.T, bodies, path string) crawled {
	t.Helper()
	seen := crawled{}
	var index bytes.Buffer
	for _, line := range logLines(t, bodies) {
		f := bytes.Split(bytes.TrimSuffix(line, []byte("\n")), []byte("\t"))
		sum, err := hex.DecodeString(string(f[3]))
		if err != nil || len(f) < 8 {
			t.Fatalf("%q: %v", line, err)
		}
		capture, err := json.Marshal(map[string]string{"url": string(f[0]), "mime": string(f[7]), "status": string(f[1]), "digest": base32.StdEncoding.EncodeToString(sum)})
		must(t, err)
		fmt.Fprintf(&index, "- 20261120094425 %s\n", capture)
		if host := bytes.IndexByte(f[0][len("http://"):], '/'); string(f[1]) == "200" {
			seen[string(f[0][len("http://")+host:])] = string(f[3])
		}
	}
	writeFile(t, path, index.Bytes())
	return seen
}

// ofCrawl writes down the lines of a log whose URLs the index has: the server was
// asked for some more.
func (c crawled) ofCrawl(t *testing.T, log, path string) {
	t.Helper()
	var kept bytes.Buffer
	for _, line := range logLines(t, log) {
		_, request, _ := bytes.Cut(line, []byte(`"GET `))
		if url, _, _ := bytes.Cut(request, []byte(` HTTP/`)); c[string(url)] != "" {
			kept.Write(line)
		}
	}
	writeFile(t, path, kept.Bytes())
}

// instances counts the pairs of crawled pages that a rule is about, and those of
// one content.
func (c crawled) instances(p dust.Pair) (all, same int) {
	for url, body := range c {
		if !strings.Contains(url, p.Alpha) {
			continue
		}
		for other := range p.Replacements(new([]byte), []byte(url)) {
			if b, ok := c[string(other)]; ok {
				all++
				if b == body {
					same++
				}
			}
		}
	}
	return all, same
}

// likelyPairs are the substring rules that mine finds, without phase 2.
func likelyPairs(t *testing.T, args ...string) (pairs map[dust.Pair]bool) {
	t.Helper()
	pairs = map[dust.Pair]bool{}
	for line := range bytes.Lines(mineOnline(t, append([]string{"--no-refine", "--no-params"}, args...)...)) {
		var r struct {
			Alpha, Beta string
			AtStart     bool `json:"at_start"`
			AtEnd       bool `json:"at_end"`
		}
		must(t, json.Unmarshal(line, &r))
		pairs[dust.Pair{Alpha: r.Alpha, Beta: r.Beta, AtStart: r.AtStart, AtEnd: r.AtEnd}] = true
	}
	return pairs
}

// One crawl, mined from its archive's index and from the server's log: by digests
// every rule is found that by equal sizes is found and that holds to the byte, none
// that is not found by sizes, and less than half as many that do not hold. Rules
// between pages of one text in other bytes, such as a listing in another order, are
// what digests cannot show.
func TestCrawlIndexAgainstAccessLog(t *testing.T) {
	t.Parallel()
	data := filepath.Join(dataFolder(t), "sites", "docs")
	bodies, dir := filepath.Join(data, "bodies.tsv.gz"), t.TempDir()
	log, index := filepath.Join(dir, "access.log"), filepath.Join(dir, "docs.cdxj")
	seen := crawlIndex(t, bodies, index)
	seen.ofCrawl(t, filepath.Join(data, "access.log.gz"), log)
	bySize, byDigest := likelyPairs(t, "--size-tolerance", "0", log), likelyPairs(t, index)
	for p := range byDigest {
		if !bySize[p] {
			t.Errorf("found by digests alone: %+v", p)
		}
	}
	var holds, wrong, missed, whole int // holds and wrong: to the byte, in 95 of 100 instances
	var holdsToo, wrongToo int          // of them, found by digests
	for p := range bySize {
		all, same := seen.instances(p)
		switch good := all >= 3 && same*20 >= all*19; {
		case good && byDigest[p]:
			holds, holdsToo = holds+1, holdsToo+1
		case good:
			holds++
		case byDigest[p]:
			wrong, wrongToo = wrong+1, wrongToo+1
		default:
			wrong++
		}
		if all >= 3 && same == all {
			whole++
			if !byDigest[p] {
				missed++
				t.Errorf("holds in all %d instances, and not found by digests: %+v", all, p)
			}
		}
	}
	t.Logf("before phase 2, judged by bytes: sizes %d that hold, %d that do not; digests %d, %d; %d hold in every instance, of which digests miss %d",
		holds, wrong, holdsToo, wrongToo, whole, missed)
	if whole < 1000 || holdsToo < holds || wrongToo*2 > wrong {
		t.Error("digests find less that holds, or not much less that does not")
	}
	sizes, digests := judgeMined(t, bodies, "--size-tolerance", "0", log), judgeMined(t, bodies, index)
	t.Logf("after phase 2, judged by text: sizes %+v; digests %+v", sizes, digests)
	if digests.wrong > sizes.wrong || (digests.rules-digests.valid)*2 > sizes.rules-sizes.valid || digests.coverage < 0.4 {
		t.Error("digests are no better evidence than sizes")
	}
}

// judgeMined has the rules that mine finds validated and judged offline.
func judgeMined(t *testing.T, bodies string, args ...string) quality {
	t.Helper()
	path := write(t, "rules.jsonl", mineOnline(t, args...))
	old, ok := sayAsEvaluate(t, path)
	if !ok {
		t.Fatalf("%s has rules that evaluate.py cannot say", path)
	}
	return evaluate(t, bodies, old)
}
