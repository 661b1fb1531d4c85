package integration

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"dustbuster/internal/oracle"
	"dustbuster/operators/publish/jsonl"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/rule"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
)

// logLines are the lines of a gzipped log, each with its newline.
func logLines(t testing.TB, path string) (lines [][]byte) {
	t.Helper()
	f, err := os.Open(path)
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	in := bufio.NewReader(z)
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			lines = append(lines, line)
		}
		if err == io.EOF {
			return lines
		}
		must(t, err)
	}
}

// mineLines returns the online rules that mine finds in lines given on standard input.
func mineLines(t testing.TB, lines [][]byte, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(program, append([]string{"mine", "--output", "json", "--no-withhold", "-"}, args...)...)
	cmd.Stdin = bytes.NewReader(bytes.Join(lines, nil))
	return onlineRules([]byte(succeed(t, cmd).stdout))
}

// With a window of 24 hours over a log of 14 days, what is left is what the
// batch makes of the newest twelve panes, and the order of the lines has no say.
func TestMineWindow(t *testing.T) {
	t.Parallel()
	lines := logLines(t, filepath.Join(dataFolder(t), "logs", "nspw.log.gz"))
	want := batchOfWindow(t, lines)
	if len(want) == 0 {
		t.Fatal("the window has no rules")
	}
	var first []byte
	rng := rand.New(rand.NewPCG(1, 1))
	for range 4 {
		got := mineLines(t, lines, "--window", "24h")
		if first == nil {
			first = got
			compare(t, ruleLines(t, got, "substring", substringFields), want)
			t.Logf("%d rules in the window", bytes.Count(got, []byte("\n")))
		}
		if !bytes.Equal(got, first) {
			t.Fatal("another order of the lines gives other bytes")
		}
		rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	}
}

// batchOfWindow is figures 1 and 2 over the newest twelve panes of two hours, as
// the program would print it.
func batchOfWindow(t *testing.T, lines [][]byte) []string {
	t.Helper()
	var all []oracle.Observation
	eachObservation(t, lines, func(o *evidence.Observation) {
		var e evidence.Spans
		if o.Max > 0 {
			e = evidence.Spans{{Min: o.Min, Max: o.Max}}
		}
		all = append(all, oracle.Observation{URL: string(o.URL), Pane: o.Time / int64(2*time.Hour/time.Second), Evidence: e})
	})
	o := oracle.DefaultOptions()
	pages := oracle.Window(all, 12, 0, nil)
	var rules []rule.Likely
	for _, r := range oracle.Refine(oracle.Likely(o, oracle.Supports(o, pages))) {
		rules = append(rules, rule.Likely{Support: r.Support, SupportHigh: r.High,
			Rule: rule.Rule{Edit: rule.Substring{From: r.Alpha, To: r.Beta, AtStart: r.AtStart, AtEnd: r.AtEnd}}})
	}
	var out bytes.Buffer
	must(t, jsonl.Write(&out, rules))
	return ruleLines(t, out.Bytes(), "substring", substringFields)
}

// eachObservation calls f with what the lines of a combined log say.
func eachObservation(t testing.TB, lines [][]byte, f func(o *evidence.Observation)) {
	t.Helper()
	eachAdmitted(t, "combined", admit.Defaults(), lines, func(_ string, o *evidence.Observation) { f(o) })
}

// eachAdmitted calls f with what the lines of a log in a format say, and of which site.
func eachAdmitted(t testing.TB, format string, options admit.Options, lines [][]byte, f func(site string, o *evidence.Observation)) {
	t.Helper()
	p, err := weblog.New(format)
	must(t, err)
	g, err := admit.New(options)
	must(t, err)
	var h weblog.Hit
	var o evidence.Observation
	for _, line := range lines {
		if p.Parse(&h, bytes.TrimSuffix(line, []byte("\n"))) != nil {
			continue
		}
		if site, why := g.Admit(&o, &h); why == admit.Admitted {
			f(site, &o)
		}
	}
}
