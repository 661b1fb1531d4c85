package integration

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"
)

var long = flag.Bool("long", false, "feed hostile input in full length: many gigabytes, some minutes; ask appliers and exports for all URLs and lists; try the rules of all live sites")

// rounds returns how often something is done: less often without -long.
func rounds(usual, whole int) int {
	if *long {
		return whole
	}
	return usual
}

// sampled returns one of every so many.
func sampled[T any](all []T, every int) (some []T) {
	for i := 0; i < len(all); i += every {
		some = append(some, all[i])
	}
	return some
}

// outcome is what a run of the program came to.
type outcome struct {
	ran
	stats map[string]int // of --stats
	peak  int            // bytes resident at the most
}

// mineStats runs mine with --stats. stdin may be nil.
func mineStats(t testing.TB, stdin io.Reader, args ...string) outcome {
	t.Helper()
	cmd := exec.Command(program, append([]string{"mine", "--stats", "--output", "json"}, args...)...)
	cmd.Stdin = stdin
	o := outcome{ran: finish(t, cmd)}
	o.stats = parseStats(o.stderr)
	o.peak = o.stats["peak_resident_bytes"]
	if usage, ok := o.state.SysUsage().(*syscall.Rusage); ok && o.peak == 0 {
		o.peak = int(usage.Maxrss) << 10 // or that of this test, if it had more
	}
	if strings.Contains(o.stderr, "panic:") || strings.Contains(o.stderr, "goroutine ") {
		t.Fatalf("mine %v crashed:\n%s", args, o.stderr)
	}
	return o
}

func parseStats(text string) map[string]int {
	stats := map[string]int{}
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) == 2 {
			if n, err := strconv.Atoi(words[1]); err == nil {
				stats[words[0]] = n
			}
		}
	}
	return stats
}

// counted fails unless there were so many lines and each has one reason.
func (o outcome) counted(t testing.TB, lines int) {
	t.Helper()
	sum := o.stats["hits_admitted"]
	for name, n := range o.stats {
		if strings.HasPrefix(name, "lines_") || strings.HasPrefix(name, "refused_") {
			sum += n
		}
	}
	if o.stats["lines"] != lines || sum != lines {
		t.Errorf("%d lines, of which %d have a reason; want %d\n%s", o.stats["lines"], sum, lines, o.stderr)
	}
}

// expect fails on another exit code, or if standard error lacks a text.
func (o outcome) expect(t testing.TB, code int, text string) {
	t.Helper()
	if o.code != code || !strings.Contains(o.stderr, text) {
		t.Errorf("exit code %d, want %d; standard error, in which %q is wanted:\n%s", o.code, code, text, o.stderr)
	}
}

// within fails on more memory than that.
func (o outcome) within(t testing.TB, megabytes int) {
	t.Helper()
	t.Logf("%.1f s, peak %d MB", o.took.Seconds(), o.peak>>20)
	if o.peak > megabytes<<20 {
		t.Errorf("peak memory %d MB, want at most %d MB", o.peak>>20, megabytes)
	}
}

func record(url string, size int) string {
	return fmt.Sprintf("192.0.2.1 - - [02/Jan/2026:10:00:00 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"-\"\n", url, size)
}

// goodLog is a log of one likely pair and nothing else.
func goodLog() string {
	var b strings.Builder
	for i := range 4 {
		b.WriteString(record(fmt.Sprintf("/story?id=%d", i), 1000<<i) + record(fmt.Sprintf("/story_%d", i), 1000<<i))
	}
	return b.String()
}

const goodRule = `{"schema":2,"site":"","kind":"substring","alpha":"/story?id=","beta":"/story_","at_start":true,"at_end":false,"scope":{},"support":4,"support_high":4}` + "\n"

// good fails unless the rule of goodLog, and no other, was found.
func (o outcome) good(t testing.TB) {
	t.Helper()
	if string(onlineRules([]byte(o.stdout))) != goodRule {
		t.Errorf("rules %q, want %q\n%s", o.stdout, goodRule, o.stderr)
	}
}

func write(t testing.TB, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, text, 0o644))
	return path
}

// noise is random bytes, the same each time.
func noise(n int) []byte {
	b := make([]byte, n)
	rng := rand.NewChaCha8([32]byte{1})
	_, _ = rng.Read(b)
	return b
}

// Files that are no logs are told so, or counted if the user insists; logs
// beside them are read.
func TestBinaryFiles(t *testing.T) {
	t.Parallel()
	elf, err := exec.LookPath("sh") // our own program holds lines of logs, as examples
	must(t, err)
	for _, c := range []struct{ name, path string }{{"noise", write(t, "noise", noise(1<<20))}, {"elf", elf}, {"nuls", write(t, "nuls", make([]byte, 1<<20))}} {
		t.Run(c.name, func(t *testing.T) {
			data := readFile(t, c.path)
			lines := bytes.Count(data, []byte("\n"))
			if data[len(data)-1] != '\n' {
				lines++
			}
			o := mineStats(t, nil, c.path, write(t, "good", []byte(goodLog())))
			o.counted(t, lines+8)
			o.good(t)
			o.within(t, 100)
			if o.stats["lines_oversized"] < lines { // else there is nothing to tell a format of
				o.expect(t, 1, "in no known format")
			}
			o = mineStats(t, nil, "--format", "combined", c.path)
			o.expect(t, 1, "dustbuster: ")
			o.counted(t, lines)
		})
	}
}

// shipped is the shipped log, unpacked.
func shipped(t *testing.T) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(readFile(t, "testdata/semicomplete.log.gz")))
	must(t, err)
	text, err := io.ReadAll(r)
	must(t, err)
	return text
}

// Lines cut and glued anywhere, as crashes, rotation and full disks leave them.
func TestTornLines(t *testing.T) {
	t.Parallel()
	text := shipped(t)
	rng := rand.New(rand.NewPCG(1, 1))
	var torn []byte
	for line := range bytes.Lines(text) {
		switch rng.IntN(20) {
		case 0:
			torn = append(torn, line[:rng.IntN(len(line))]...)
		case 1:
			torn = append(append(torn, line[rng.IntN(len(line)):]...), '\n')
		case 2:
			torn = append(append(torn, make([]byte, rng.IntN(5000))...), line...)
		default:
			torn = append(torn, line...)
		}
	}
	path := write(t, "torn.log", torn)
	o := mineStats(t, nil, path)
	o.expect(t, 0, "")
	o.counted(t, bytes.Count(torn, []byte("\n")))
	if n := o.stats["hits_admitted"]; n < 7000 || o.stats["lines_malformed"] == 0 {
		t.Errorf("%d of 10,000 lines admitted, %d malformed", n, o.stats["lines_malformed"])
	}
}

// Real logs with torn lines, foreign protocols and scanners' bytes.
func TestTornRealLogs(t *testing.T) {
	t.Parallel()
	data := dataFolder(t)
	paths, err := filepath.Glob(filepath.Join(data, "formats", "rawquirks", "*.log"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no logs in %s: %v", data, err)
	}
	for _, path := range append(paths, filepath.Join(data, "logs", "erddap.log.gz")) {
		o := mineStats(t, nil, path)
		want := 0
		if o.stats["hits_admitted"] == 0 {
			want = 1 // no line counts, which is said
		}
		if o.code != want || o.stats["lines"] == 0 {
			t.Errorf("%s: exit code %d\n%s", path, o.code, o.stderr)
		}
		o.counted(t, o.stats["lines"])
		if bad := o.stats["lines_malformed"]; 10*bad > o.stats["lines"] {
			t.Errorf("%s: %d of %d lines are malformed", path, bad, o.stats["lines"])
		}
	}
}

// endless is n bytes without a newline.
func endless(n int64) io.Reader { return io.LimitReader(repeat{}, n) }

type repeat struct{}

func (repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

// A line of 100 MB is left out and counted wherever it stands, in little memory.
func TestEndlessLine(t *testing.T) {
	t.Parallel()
	const huge = 100 << 20
	newline := func() io.Reader { return strings.NewReader("\n") }
	for _, c := range []struct {
		name  string
		stdin io.Reader
		lines int
	}{
		{"first", io.MultiReader(endless(huge), newline(), strings.NewReader(goodLog())), 9},
		{"last", io.MultiReader(strings.NewReader(goodLog()), endless(huge)), 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := mineStats(t, c.stdin, "-")
			o.expect(t, 0, "")
			o.counted(t, c.lines)
			o.good(t)
			o.within(t, 100)
			if o.stats["lines_oversized"] != 1 {
				t.Errorf("%d lines oversized, want 1", o.stats["lines_oversized"])
			}
		})
	}
	o := mineStats(t, endless(huge), "-")
	o.expect(t, 1, "no line counts")
	o.within(t, 100)
}

// generate makes lines on the fly.
func generate(n int, line func(w *bufio.Writer, i int)) io.Reader {
	r, w := io.Pipe()
	go func() {
		b := bufio.NewWriterSize(w, 1<<16)
		for i := range n {
			line(b, i)
		}
		w.CloseWithError(b.Flush())
	}()
	return r
}

// URLs of 10,000 tokens, each of them new: refused and counted, in little
// memory. With -long a million of them, 20 GB.
func TestHugeURLs(t *testing.T) {
	t.Parallel()
	n := rounds(20_000, 1_000_000)
	rest := strings.Repeat("/ab", 5_000)
	lines := generate(n, func(w *bufio.Writer, i int) {
		fmt.Fprintf(w, "192.0.2.1 - - [02/Jan/2026:10:00:00 +0000] \"GET /%d%s HTTP/1.1\" 200 1000 \"-\" \"-\"\n", i, rest)
	})
	o := mineStats(t, io.MultiReader(strings.NewReader(goodLog()), lines), "--max-urls", "1000", "-")
	o.expect(t, 0, "")
	o.counted(t, n+8)
	o.good(t)
	o.within(t, 100)
	if o.stats["refused_too_many_bytes"] != n {
		t.Errorf("%d refused, want %d", o.stats["refused_too_many_bytes"], n)
	}
}

// The same where the user lets URLs of any size in: of a site as many as
// --max-urls are kept, the others shed.
func TestFloodOfHugeURLs(t *testing.T) {
	t.Parallel()
	n := rounds(2_000, 100_000)
	rest := strings.Repeat("/ab", 2_000)
	lines := generate(n, func(w *bufio.Writer, i int) {
		_, _ = w.WriteString(record(fmt.Sprintf("/%d%s", i, rest), 1000+7*i))
	})
	o := mineStats(t, lines, "--max-urls", "8", "--max-url-bytes", "60000", "--max-url-tokens", "10000", "-")
	o.expect(t, 0, "hits left out: their sites have more than 8 URLs (--max-urls)")
	o.counted(t, n)
	o.within(t, 100)
	if o.stats["urls"] != 8 {
		t.Errorf("%d URLs kept, want 8", o.stats["urls"])
	}
}

// A flood of new URLs of common size is shed too.
func TestFloodOfURLs(t *testing.T) {
	t.Parallel()
	n := rounds(100_000, 10_000_000)
	lines := generate(n, func(w *bufio.Writer, i int) {
		_, _ = w.WriteString(record(fmt.Sprintf("/shop/item.php?id=%d&ref=%x", i, i*7919), 1000+i%50_000))
	})
	o := mineStats(t, lines, "--max-urls", "1000", "-")
	o.expect(t, 0, "hits left out")
	o.counted(t, n)
	o.within(t, 100)
	if o.stats["urls"] != 1000 {
		t.Errorf("%d URLs kept, want 1000", o.stats["urls"])
	}
}

// The longest URLs that are admitted, made to be as dear as can be: nearly all
// tokens in common, before and behind one that is new. They are more than an
// envelope's list keeps, which is where the index holds the most for each.
func TestLongestURLs(t *testing.T) {
	t.Parallel()
	n := rounds(30, 10_000)
	side := strings.Repeat("/a", 99) // 398 of 400 tokens in all
	lines := generate(n, func(w *bufio.Writer, i int) {
		_, _ = w.WriteString(record(fmt.Sprintf("%s/x%d%s", side, i, side), 1000))
	})
	o := mineStats(t, lines, "-")
	o.expect(t, 0, "")
	o.counted(t, n)
	if o.stats["urls"] != n {
		t.Errorf("%d URLs kept, want %d", o.stats["urls"], n)
	}
	o.within(t, 400)
}

// Interrupted, the program prints the rules of what it has read.
func TestInterrupt(t *testing.T) {
	cmd := exec.Command(program, "mine", "--output", "json", "-")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	stdin, err := cmd.StdinPipe()
	must(t, err)
	must(t, cmd.Start())
	// More than is under way between the pipe and the table.
	if _, err := io.WriteString(stdin, goodLog()+strings.Repeat(record("/a", 77), 200_000)); err != nil {
		t.Fatal(err)
	}
	must(t, cmd.Process.Signal(os.Interrupt))
	err = cmd.Wait()
	want := "dustbuster: interrupted\ndustbuster: some input could not be read; the rules are those of the rest\n"
	if cmd.ProcessState.ExitCode() != 1 || stderr.String() != want {
		t.Errorf("%v, standard error %q, want %q", err, stderr.String(), want)
	}
	if string(onlineRules(stdout.Bytes())) != goodRule {
		t.Errorf("rules %q, want %q", stdout.String(), goodRule)
	}
}

// Whoever reads only the first line gets it, and no noise.
func TestClosedOutput(t *testing.T) {
	for _, output := range []string{"text", "json"} {
		cmd := exec.Command(program, "mine", "--no-refine", "--all", "--expand", "--top", "0", "--output", output, "testdata/semicomplete.log.gz")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		stdout, err := cmd.StdoutPipe()
		must(t, err)
		must(t, cmd.Start())
		line, err := bufio.NewReaderSize(stdout, 16).ReadString('\n')
		if err != nil || line == "" {
			t.Errorf("%s: first line %q, %v", output, line, err)
		}
		stdout.Close()
		if err := cmd.Wait(); err == nil || stderr.Len() > 0 {
			t.Errorf("%s: %v, standard error %q", output, err, stderr.String())
		}
	}
}

// A named pipe whose writer is slow, and writes pieces of lines, is read to its
// end. Nothing of a progress bar is seen where there is no terminal.
func TestSlowPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	must(t, syscall.Mkfifo(path, 0o600))
	wrote := make(chan error, 1)
	go func() { wrote <- drip(path, goodLog()) }()
	if r := finish(t, exec.Command(program, "mine", "--output", "json", path)); r.code != 0 || string(onlineRules([]byte(r.stdout))) != goodRule || r.stderr != "" {
		t.Error(r)
	}
	if err := <-wrote; err != nil {
		t.Error(err)
	}
}

// drip writes text in ten pieces.
func drip(path, text string) error {
	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	for piece := range chunks(text, len(text)/10+1) {
		time.Sleep(30 * time.Millisecond)
		if _, err := io.WriteString(w, piece); err != nil {
			return errors.Join(err, w.Close())
		}
	}
	return w.Close()
}

func chunks(text string, n int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for len(text) > 0 && yield(text[:min(n, len(text))]) {
			text = text[min(n, len(text)):]
		}
	}
}
