package integration

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"dustbuster/internal/oracle"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/urllist"
)

// benchLines are the lines of the largest real log, or of the shipped one.
func benchLines(b *testing.B) [][]byte {
	if dir := os.Getenv("DUSTBUSTER_DATA"); dir != "" {
		return logLines(b, filepath.Join(dir, "logs", "bplogs.log.gz"))
	}
	return logLines(b, "testdata/semicomplete.log.gz")
}

// BenchmarkKnownLine takes lines whose URLs are in the table: from the bytes of
// the line to the updated table. Lines that are not admitted count as well.
func BenchmarkKnownLine(b *testing.B) {
	lines := benchLines(b)
	for i := range lines {
		lines[i] = lines[i][:len(lines[i])-1]
	}
	knownLines(b, "combined", lines)
}

// BenchmarkKnownFormats does the same with the lines of formatLines.
func BenchmarkKnownFormats(b *testing.B) {
	for _, f := range weblog.Formats() {
		b.Run(f.Name, func(b *testing.B) {
			lines := formatLines(&f, 1000)
			b.SetBytes(int64(len(bytes.Join(lines, []byte("\n"))) / len(lines)))
			if known := knownLines(b, f.Name, lines); known < len(lines) {
				b.Errorf("%d of %d lines are read and admitted", known, len(lines))
			}
		})
	}
}

// knownLines returns how many of the lines are read and admitted.
func knownLines(b *testing.B, format string, lines [][]byte) (known int) {
	parser, err := weblog.New(format)
	must(b, err)
	gate, err := admit.New(admit.Defaults())
	must(b, err)
	tab := table.New(table.Options{MaxURLs: 1e7}, urllist.New())
	var h weblog.Hit
	var o evidence.Observation
	fold := func(line []byte) bool {
		if parser.Parse(&h, line) != nil {
			return false
		}
		_, why := gate.Admit(&o, &h)
		if why == admit.Admitted {
			tab.Fold(&o)
		}
		return why == admit.Admitted
	}
	for _, line := range lines {
		if fold(line) {
			known++
		}
	}
	b.ReportAllocs()
	start, i := userTime(b), 0
	for b.Loop() {
		fold(lines[i])
		if i++; i == len(lines) {
			i = 0
		}
	}
	b.ReportMetric(float64((userTime(b)-start).Nanoseconds())/float64(b.N), "user-ns/op")
	return known
}

// BenchmarkMineLog runs whole programs on one log: mine, the batch algorithms of
// the paper in the plain, and GoAccess, which only counts. User seconds and peak
// memory of each.
func BenchmarkMineLog(b *testing.B) {
	log := plainLog(b)
	b.Run("mine", func(b *testing.B) { run(b, program, "mine", "--output", "json", log) })
	b.Run("report", func(b *testing.B) { run(b, program, "mine", "--output", "html", log) })
	b.Run("batch", func(b *testing.B) { batch(b) })
	b.Run("goaccess", func(b *testing.B) {
		if _, err := exec.LookPath("goaccess"); err != nil {
			b.Skip("SKIPPED: GoAccess is not installed")
		}
		run(b, "goaccess", "--log-format=COMBINED", "--no-progress", "-o", filepath.Join(b.TempDir(), "out.json"), log)
	})
}

// BenchmarkMineNames runs mine and GoAccess on logs of many URLs: of random names, each asked for once or ten
// times, of values and Thai titles, each asked for twice, and all real logs together, which have 41,000 URLs that are
// admitted.
func BenchmarkMineNames(b *testing.B) {
	for _, c := range []struct{ name, path string }{{"once", namesLog(b, 1, "/%x")}, {"ten", namesLog(b, 10, "/%x")},
		{"values", namesLog(b, 2, "/view?id=%x")}, {"thai", namesLog(b, 2, "")}, {"real", realLogs(b)}} {
		for range 3 { // in turn
			b.Run(c.name+"/mine", func(b *testing.B) { run(b, program, "mine", "--output", "json", c.path) })
			b.Run(c.name+"/goaccess", func(b *testing.B) {
				run(b, "goaccess", "--log-format=COMBINED", "--no-progress", "-o", filepath.Join(b.TempDir(), "out.json"), c.path)
			})
		}
	}
}

// namesLog writes a log of 50,000 random names, each asked for so many times. Without a form of URLs they are Thai titles.
func namesLog(b *testing.B, times int, form string) (path string) {
	rng := rand.New(rand.NewPCG(1, 1))
	const names = 50_000
	var lines [][]byte
	for range names {
		target, size := fmt.Sprintf(form, rng.Uint64()>>16), 200+rng.IntN(20_000)
		if form == "" {
			target = thaiTitle(rng)
		}
		for range times {
			lines = append(lines, fmt.Appendf(nil, "10.%d.%d.%d - - [%d/Oct/2024:13:00:00 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n",
				rng.IntN(4), rng.IntN(256), rng.IntN(256), 10+rng.IntN(5), target, size))
		}
	}
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	path = filepath.Join(b.TempDir(), "access.log")
	must(b, os.WriteFile(path, bytes.Join(lines, nil), 0o600))
	return path
}

// thaiTitle makes up a title of one to three words of 4,000, and a letter.
func thaiTitle(rng *rand.Rand) string {
	var title []byte
	for range 1 + rng.IntN(3) {
		word := rand.New(rand.NewPCG(uint64(rng.IntN(4000)), 2))
		for range 6 + word.IntN(8) {
			title = utf8.AppendRune(title, rune(0xe01+word.IntN(45)))
		}
		title = append(title, '_')
	}
	return fmt.Sprintf("/wiki/%s%s", url.PathEscape(string(title)), url.PathEscape(string(rune(0xe01+rng.IntN(45)))))
}

// realLogs writes one log of the real logs and of the crawls of the real sites.
func realLogs(b *testing.B) (path string) {
	dir := os.Getenv("DUSTBUSTER_DATA")
	if dir == "" {
		b.Skip("SKIPPED: needs real logs; set DUSTBUSTER_DATA to their folder")
	}
	var all []byte
	for _, name := range []string{"logs/bplogs", "logs/nspw", "logs/semicomplete", "logs/nasa95", "logs/erddap", "sites/docs/access", "sites/gitweb/access"} {
		all = append(all, bytes.Join(logLines(b, filepath.Join(dir, name+".log.gz")), nil)...)
	}
	path = filepath.Join(b.TempDir(), "access.log")
	must(b, os.WriteFile(path, all, 0o600))
	return path
}

// BenchmarkMineSite runs mine on the logs of generated sites, with its learners and with the two
// online ones.
func BenchmarkMineSite(b *testing.B) {
	for _, n := range []int{100_000, 300_000, 1_000_000} {
		path := siteLog(b, n)
		b.Run(fmt.Sprint("all/", n), func(b *testing.B) { run(b, program, "mine", "--output", "json", path) })
		b.Run(fmt.Sprint("online/", n), func(b *testing.B) { run(b, program, "mine", "--output", "json", "--learners", "envelope,params", path) })
	}
}

var sampledURLs = flag.Int("sampledurls", 300_000, "URLs of BenchmarkMineSample")

// BenchmarkMineSample runs mine with 4 GiB for each ten million URLs, which is enough for a sample of them.
func BenchmarkMineSample(b *testing.B) {
	path, memory := siteLog(b, *sampledURLs), fmt.Sprintf("%dMiB", *sampledURLs*4096/10_000_000)
	run(b, program, "mine", "--output", "json", "--memory", memory, path)
}

// siteLog writes the log of a generated site of n URLs.
func siteLog(b *testing.B, n int) (path string) {
	path = filepath.Join(b.TempDir(), "access.log")
	f, err := os.Create(path)
	must(b, err)
	log := bufio.NewWriter(f)
	for i, p := range oracle.Site(1, n) {
		for day, size := range []int64{p.Evidence[0].Min, p.Evidence[0].Max} {
			if day == 0 || size != p.Evidence[0].Min {
				fmt.Fprintf(log, "10.0.0.%d - - [%d/Oct/2024:13:00:00 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", i%251, 10+day, p.URL, size)
			}
		}
	}
	must(b, errors.Join(log.Flush(), f.Close()))
	return path
}

// plainLog is the benchmark's log, not compressed.
func plainLog(b *testing.B) string {
	path := filepath.Join(b.TempDir(), "access.log")
	f, err := os.Create(path)
	must(b, err)
	for _, line := range benchLines(b) {
		if _, err := f.Write(line); err != nil {
			b.Fatal(err)
		}
	}
	must(b, f.Close())
	return path
}

func run(b *testing.B, name string, args ...string) {
	var user time.Duration
	peak := 0
	for b.Loop() {
		cmd := exec.Command(name, args...)
		must(b, cmd.Start())
		done := make(chan error)
		go func() { done <- cmd.Wait() }()
		peak = max(peak, watch(b, cmd.Process.Pid, done))
		user += cmd.ProcessState.UserTime()
	}
	b.ReportMetric(user.Seconds()/float64(b.N), "user-s/op")
	b.ReportMetric(float64(peak)/1e3, "peak-MB")
}

// watch returns the most memory that a process had resident until it is done,
// in KB. (The peak in a child's resource usage begins with its parent's.)
func watch(b *testing.B, pid int, done <-chan error) (peak int) {
	for {
		select {
		case err := <-done:
			must(b, err)
			return peak
		case <-time.After(5 * time.Millisecond):
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)) // gone already: no matter
			if _, rest, ok := bytes.Cut(status, []byte("VmHWM:")); ok {
				var now int
				if _, err := fmt.Sscan(string(rest), &now); err == nil {
					peak = max(peak, now)
				}
			}
		}
	}
}

// batch is the paper's algorithm from nothing, after the same parser and table.
func batch(b *testing.B) {
	lines := benchLines(b)
	start := userTime(b)
	for b.Loop() {
		urls := urllist.New()
		tab := table.New(table.Options{MaxURLs: 1e7}, urls)
		eachObservation(b, lines, func(o *evidence.Observation) { tab.Fold(o) })
		var pages []evidence.Page
		for id := range urls.All() {
			pages = append(pages, evidence.Page{URL: string(urls.Text(id)), Evidence: tab.Evidence(nil, id)})
		}
		o := oracle.DefaultOptions()
		oracle.Refine(oracle.Likely(o, oracle.Supports(o, pages)))
	}
	b.ReportMetric((userTime(b)-start).Seconds()/float64(b.N), "user-s/op")
}

func userTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	must(b, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano())
}
