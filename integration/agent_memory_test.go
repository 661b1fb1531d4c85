package integration

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// newsLog writes a log of so many lines each of which is news: a URL of its own, of some length.
func newsLog(b *testing.B, lines, length int) string {
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
