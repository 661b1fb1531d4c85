package integration

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/expect"
	"dustbuster/internal/kafkatest"

	"github.com/klauspost/compress/zstd"
)

var (
	onceLines = flag.Int("oncelines", 600_000, "lines of the finished logs")
	onceSites = flag.Int("oncesites", 40, "their sites")
	onceURLs  = flag.Int("onceurls", 1500, "URLs of a site")
	onceAlone = flag.Bool("oncealone", false, "measure one miner and two, before three")
)

// onceLogs writes finished logs of many sites: a directory of rotated generations, and the index of a
// crawl beside it.
func onceLogs(t *testing.T) (paths []string, lines int) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "logs")
	must(t, os.Mkdir(dir, 0o755))
	rng := rand.New(rand.NewPCG(1, 1))
	names := []string{"access.log.4.gz", "access.log.3.zst", "access.log.2.gz", "access.log.1", "access.log"}
	for _, name := range names {
		writeLog(t, filepath.Join(dir, name), func(w io.Writer) {
			for range *onceLines / len(names) {
				site := rng.IntN(*onceSites)
				url, size := onceURL(rng.IntN(*onceURLs))
				fmt.Fprintf(w, "s%d.example:80 10.0.%d.%d - - [02/Jan/2024:10:00:00 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", site, site, rng.IntN(4), url, size)
				lines++
			}
		})
	}
	crawl := filepath.Join(filepath.Dir(dir), "crawl.cdxj")
	writeLog(t, crawl, func(w io.Writer) {
		for n := range 2000 {
			url := []string{"story?id=", "story_"}[n%2] + strconv.Itoa(n/2)
			fmt.Fprintf(w, "example,crawl)/%s 20240102100000 {\"url\": \"http://crawl.example/%s\", \"status\": \"200\", \"mime\": \"text/html\", \"digest\": \"%032d\"}\n", url, url, n/2)
			lines++
		}
	})
	return []string{dir, crawl}, lines
}

// onceURL is a URL of a site, and the size of its page, which has several.
func onceURL(n int) (url string, size int) {
	page := n / 6
	size = 2000 + page*37%90000
	switch n % 6 {
	case 0:
		return fmt.Sprintf("/story?id=%d", page), size
	case 1:
		return fmt.Sprintf("/story_%d", page), size
	case 2:
		return fmt.Sprintf("/story?id=%d&print=1", page), size / 2
	case 3:
		return fmt.Sprintf("/w/index.php?title=Page_%d&action=view&oldid=%d", page, page*7919%9973), size + 300
	case 4:
		return fmt.Sprintf("/w/index.php?title=Page_%d&action=view", page), size + 300
	}
	return fmt.Sprintf("/s/%08x/catalog/%d", uint32(n*2654435761), page/3), 90_000 + page/3*41
}

// writeLog writes a file, packed as its name says.
func writeLog(t *testing.T, path string, give func(io.Writer)) {
	t.Helper()
	file, err := os.Create(path)
	must(t, err)
	buffer := bufio.NewWriterSize(file, 1<<20)
	var w io.WriteCloser
	switch filepath.Ext(path) {
	case ".gz":
		w, err = gzip.NewWriterLevel(buffer, gzip.BestSpeed)
	case ".zst":
		w, err = zstd.NewWriter(buffer)
	}
	must(t, err)
	if w == nil {
		give(buffer)
	} else {
		give(w)
		must(t, w.Close())
	}
	must(t, buffer.Flush())
	must(t, file.Close())
}

// sendOnce starts an agent that sends finished logs.
func sendOnce(t *testing.T, c *kafkatest.Cluster, s deployment, state string, paths ...string) *running {
	t.Helper()
	cmd := exec.Command(program, append([]string{"agent", "--once", "--brokers", strings.Join(c.Brokers, ","), "--topic-prefix", s.group,
		"--state", state, "--checkpoint-interval", "20ms"}, paths...)...)
	cmd.Env = append(os.Environ(), "DUSTBUSTER_KEEP_HASH_KEY="+hashKey)
	return begin(t, "the agent", cmd)
}

var onceRead = regexp.MustCompile(`\ndustbuster: (\d+) lines of (\d+) files read, (\d+) requests counted; Kafka acknowledged (\d+) observations in topic ([^ ;\n]+)(?:; (\d+) files were sent before)?\n`)

// sentence is what an agent has said at its end.
func sentence(t *testing.T, a *running) (n [7]int) {
	t.Helper()
	m := onceRead.FindStringSubmatch("\n" + a.stderr.String())
	if m == nil {
		t.Fatalf("no sentence\n%v", a)
	}
	for i, text := range m[1:] {
		n[i], _ = strconv.Atoi(text)
	}
	return n
}

// An agent sends finished logs, is killed in the middle, and goes on. Three miners then list the
// rules that mine prints, byte for byte. A further run of the agent has nothing to send.
func TestKafkaOnce(t *testing.T) {
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 4)
	paths, lines := onceLogs(t)
	state := t.TempDir()

	size := func() int64 {
		info, err := os.Stat(filepath.Join(state, "journal"))
		if err != nil {
			return 0
		}
		return info.Size()
	}
	a, first := sendOnce(t, c, s, state, paths...), int64(0)
	expect.Poll(patience, func() (any, bool) {
		now := size()
		if first == 0 {
			first = now
		}
		return nil, now > first // something has arrived
	})
	a.kill(t)
	start := time.Now()
	a = sendOnce(t, c, s, state, paths...)
	if <-a.ended; a.err != nil {
		t.Fatalf("the agent ends with %v\n%v", a.err, a)
	}
	n := sentence(t, a)
	if n[0] == 0 || n[0] >= lines || n[1]+n[5] != 6 || n[2] != n[0] || n[3] == 0 {
		t.Errorf("of %d lines, it says\n%v", lines, a)
	}
	t.Logf("after the kill %d of %d lines were sent in %v, by %v of the processor; %d observations", n[0], lines, time.Since(start).Round(time.Millisecond), busy(a), n[3])
	a = sendOnce(t, c, s, state, paths...)
	if <-a.ended; a.err != nil || sentence(t, a) != [7]int{5: 6} {
		t.Errorf("again: %v\n%v", a.err, a)
	}

	cmd := exec.Command(program, append([]string{"mine", "--output", "json"}, paths...)...)
	mined := succeed(t, cmd)
	want := string(met.ReplaceAll(tallies.ReplaceAll([]byte(mined.stdout), nil), []byte(`"meetings":0,"met":0`))) // only mine keeps days
	t.Logf("mine: %d rules in %v, by %v of the processor", strings.Count(want, "\n"), mined.took.Round(time.Millisecond), (mined.state.UserTime() + mined.state.SystemTime()).Round(time.Millisecond))
	if !strings.Contains(want, `,"learner":"`) || !strings.Contains(want, `"crawl.example"`) {
		t.Fatal("no rule of a look, or of the crawl")
	}
	for _, members := range map[bool][]int{false: {3}, true: {1, 2, 3}}[*onceAlone] {
		s.group = kafkatest.Name(t)
		start := time.Now()
		var miners []*running
		for i := range members {
			miners = append(miners, startMiner(t, c, s, fmt.Sprint("miner ", i), "--refine-interval", "2s", "--learn-interval", "2s"))
		}
		awaitList(t, want, miners)
		took := time.Since(start)
		end(t, miners...)
		most := slices.Max(slices.Collect(func(yield func(time.Duration) bool) {
			for _, m := range miners {
				if !yield(busy(m)) {
					return
				}
			}
		}))
		t.Logf("%d miners have the lists of mine after %v; the busiest took %v of the processor", members, took.Round(time.Second), most)
	}
}

// An agent of finished logs fails if not everything could be read, and if it is interrupted.
func TestKafkaOnceFails(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 1)
	bad := write(t, "access.log.gz", []byte("\x1f\x8b\x08 is damaged"))
	a := sendOnce(t, c, s, t.TempDir(), bad, write(t, "access.log", []byte(line("/", 10))))
	if <-a.ended; a.cmd.ProcessState.ExitCode() != 1 || sentence(t, a)[3] != 1 || !strings.Contains(a.String(), "\ndustbuster: some input could not be read; the rest was sent\n") {
		t.Errorf("%v", a)
	}
	fifo := filepath.Join(t.TempDir(), "fifo")
	expect.FIFO(t, fifo)
	a = sendOnce(t, c, s, t.TempDir(), fifo) // to which nobody writes
	a.stderr.awaits(t, "sending finished logs")
	a.signal(t, os.Interrupt)
	if <-a.ended; a.cmd.ProcessState.ExitCode() != 1 || !strings.Contains(a.String(), "\ndustbuster: interrupted: not all lines were sent\n") {
		t.Errorf("%v", a)
	}
}

// busy is the time of the processor that a program took, which has ended.
func busy(r *running) time.Duration {
	return (r.cmd.ProcessState.UserTime() + r.cmd.ProcessState.SystemTime()).Round(10 * time.Millisecond)
}

// awaitList waits until miners that have caught up list some rules. Asking often would keep them busy.
func awaitList(t *testing.T, want string, miners []*running) {
	t.Helper()
	got := ""
	for deadline := time.Now().Add(20 * patience); time.Now().Before(deadline); time.Sleep(2 * time.Second) {
		if slices.ContainsFunc(miners, func(m *running) bool { code, _ := ask(m.admin, "/readyz"); return code != http.StatusOK }) {
			continue
		}
		bySite := map[string]string{}
		for _, m := range miners {
			for line := range strings.Lines(m.get("/api/v1/rules?state=likely")) {
				var rule struct{ Site string }
				_ = json.Unmarshal([]byte(line), &rule)
				bySite[rule.Site] += line
			}
		}
		var all strings.Builder
		for _, site := range slices.Sorted(maps.Keys(bySite)) {
			all.WriteString(bySite[site])
		}
		if got = all.String(); got == want {
			return
		}
	}
	for _, m := range miners {
		t.Logf("%s\n%v", m.get("/api/v1/status"), m)
	}
	t.Fatalf("%d bytes of rules, mine has %d; the first line that differs:\n%s", len(got), len(want), difference(got, want))
}
