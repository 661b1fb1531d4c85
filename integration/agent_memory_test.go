package integration

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// newsLog writes a log of so many lines each of which is news: a URL of its own, of some length.
func newsLog(b testing.TB, lines, length int) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), "access.log")
	f, err := os.Create(path)
	must(b, err)
	out := bufio.NewWriter(f)
	tail := strings.Repeat("x", length)
	now := time.Now().Format("02/Jan/2006:15:04:05 -0700")
	for i := range lines {
		fmt.Fprintf(out, "192.0.2.1 - - [%s] \"GET /%08d%s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", now, i, tail, 1000+i%5000)
	}
	must(b, out.Flush())
	must(b, f.Close())
	return path
}

// BenchmarkAgentNews is the worst that lines can do to an agent: each is news, and more of them come than the
// agent remembers. It reports the most memory that the agent took, its processor time for a line, and what it
// sends for one.
func BenchmarkAgentNews(b *testing.B) {
	c, k := sharedKafka(b)
	const lines = 1_000_000
	for _, length := range []int{20, 200, 1000} {
		b.Run(fmt.Sprint(length), func(b *testing.B) {
			log := newsLog(b, lines, length)
			for b.Loop() {
				to := topicOf(b, k, 12, nil)
				a := startAgent(b, c, to, "--state", b.TempDir(), "--tail", log, "--site", "www.example.org")
				for s := (status{}); s.Lines["all"] < lines || s.Waiting > 0 || s.Sent.Observations < lines; time.Sleep(20 * time.Millisecond) {
					s, _ = a.status(b)
				}
				b.ReportMetric(float64(peakOf(a.pid()))/1e6, "peak-MB")
				b.ReportMetric(float64(c.Size(b, to))/lines, "disk-B/line")
				a.end(b)
				busy := a.cmd.ProcessState.UserTime() + a.cmd.ProcessState.SystemTime()
				b.ReportMetric(float64(busy.Microseconds())/lines, "cpu-us/line")
			}
		})
	}
}

// An agent keeps to its limit of memory, however much of its lines is news. Without a limit it takes 300 MB here.
func TestAgentMemory(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	const lines, limit = 700_000, 160 << 20
	to := topicOf(t, k, 12, nil)
	admin := freeAddress(t)
	cmd := exec.Command(program, "agent", "--brokers", strings.Join(c.Brokers, ","), "--observations-topic", to, "--state", t.TempDir(),
		"--tail", newsLog(t, lines, 200), "--site", "www.example.org", "--admin-listen", admin)
	cmd.Env = append(os.Environ(), "DUSTBUSTER_KEEP_HASH_KEY="+hashKey, fmt.Sprintf("DUSTBUSTER_KEEP_MEMORY=%d", limit))
	a := begin(t, "the agent", cmd)
	a.admin = admin
	await(t, patience, "all lines", func() (int, bool) { s, _ := a.status(t); return s.Sent.Observations, s.Sent.Observations == lines }, a)
	if peak := peakOf(a.pid()); peak > limit*3/2 {
		t.Errorf("%d MB with a limit of %d", peak>>20, limit>>20)
	} else {
		t.Logf("%d MB with a limit of %d", peak>>20, limit>>20)
	}
	a.end(t)
}
