package offline

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/internal/worlds"

	"github.com/klauspost/compress/zstd"
)

// report returns all that mine prints in some forms, with the statistics that depend on the lines alone.
func report(t *testing.T, paths []string, outputs []string, change func(o *mineOptions), workers int) string {
	t.Helper()
	var all bytes.Buffer
	for _, output := range outputs {
		var o mineOptions
		flags, _ := o.flags()
		c, err := flags.Config()
		must(t, errors.Join(err, o.outputs.Set(output)))
		o.ReadOptions, o.given, o.stats, o.all, o.top = OptionsOf(&c, strings.NewReader("")), flags, true, true, 0
		o.Miner.Tally = true
		o.Workers = workers
		change(&o)
		var out, told bytes.Buffer
		err = mine(context.Background(), paths, o, &out, &told)
		fmt.Fprintln(&all, err)
		all.Write(out.Bytes())
		for line := range strings.Lines(told.String()) {
			if name, _, _ := strings.Cut(line, " "); !strings.Contains(" seconds heap_bytes peak_resident_bytes user_seconds ", " "+name+" ") {
				all.WriteString(line)
			}
		}
	}
	return all.String()
}

// sameByAll fails if several workers do not print what one prints.
func sameByAll(t *testing.T, name string, paths, outputs []string, change func(o *mineOptions)) (want string) {
	t.Helper()
	want = report(t, paths, outputs, change, 1)
	for _, workers := range []int{3, 2, 8}[:worlds.Rounds(1, 3)] {
		if got := report(t, paths, outputs, change, workers); got != want {
			at := 0
			for at < min(len(got), len(want)) && got[at] == want[at] {
				at++
			}
			t.Fatalf("%s: %d workers print at byte %d\n%.300s\nwant\n%.300s", name, workers, at, got[max(0, at-100):], want[max(0, at-100):])
		}
	}
	return want
}

// forms are lines in several formats, of a time, a client, a URL and a size. Some are of other
// programs, some in no format.
var forms = []string{
	"192.0.2.%[2]d - - [%02[1]d/Jan/2024:15:04:05 +0000] \"GET %[3]s HTTP/1.1\" 200 %[4]d \"-\" \"Mozilla\"\n",
	"192.0.2.%[2]d - - [%02[1]d/Jan/2024:15:04:05 +0000] \"GET %[3]s HTTP/1.1\" 200 %[4]d\n",
	"www.h%[2]d.example:80 192.0.2.%[2]d - - [%02[1]d/Jan/2024:15:04:05 +0000] \"GET %[3]s HTTP/1.1\" 200 %[4]d \"-\" \"Mozilla\"\n",
	"{\"time\":\"2024-01-%02[1]dT00:00:07+00:00\",\"remote_addr\":\"192.0.2.%[2]d\",\"request\":\"GET %[3]s HTTP/1.1\",\"status\":\"200\",\"body_bytes_sent\":%[4]d}\n",
	"<190>Jan  2 15:04:05 www nginx: 192.0.2.%[2]d - - [%02[1]d/Jan/2024:15:04:05 +0000] \"GET %[3]s HTTP/1.1\" 200 %[4]d \"-\" \"Mozilla\"\n",
	"<190>Jan  2 15:04:05 www sshd[%[2]d]: accepted %02[1]d%[3]s %[4]d\n",
	"2024-01-%02[1]dT15:04:05.678901234Z stdout F 192.0.2.%[2]d - - [%02[1]d/Jan/2024:15:04:05 +0000] \"GET %[3]s HTTP/1.1\" 200 %[4]d \"-\" \"Mozilla\"\n",
	"2024-01-%02[1]dT15:04:05.678901234Z stdout P 192.0.2.%[2]d - - %[3]s %[4]d\n",
	"#Fields: date time c-ip cs-method cs-uri-stem sc-status sc-bytes\n2024-01-%02[1]d 15:04:05 192.0.2.%[2]d GET %[3]s 200 %[4]d\n",
	"nothing %[2]d %02[1]d %[3]s %[4]d\n",
	"192.0.2.%[2]d - - [%02[1]d/Jan/2024:15:04:05 +0000] \"POST %[3]s HTTP/1.1\" 404 %[4]d \"-\" \"Mozilla\"\n",
	"192.0.2.%[2]d - - [%02[1]d/Jan/2024:15:04:05 +0000] \"GET %[3]s\n",
	"\n",
}

// writeStream writes a log of parts in several formats, with other lines between.
func writeStream(r *rand.Rand) []byte {
	var b bytes.Buffer
	for range 1 + r.IntN(4) {
		main, noise := r.IntN(9), []float64{0, .02, .3}[r.IntN(3)]
		if r.IntN(2) == 0 {
			main = r.IntN(2)
		}
		for range r.IntN(700) {
			form := forms[main]
			if r.Float64() < noise {
				form = forms[r.IntN(len(forms))]
			}
			n, url := r.IntN(30), ""
			switch r.IntN(3) {
			case 0:
				url = fmt.Sprintf("/item/%d?s=%d", n, r.IntN(40))
			case 1:
				url = fmt.Sprintf("/%s/%d/x", []string{"story", "story.php", "print"}[r.IntN(3)], n)
			case 2:
				url = fmt.Sprintf("/%d%s", n, strings.Repeat("y", r.IntN(2)*r.IntN(200)))
			}
			fmt.Fprintf(&b, form, 1+r.IntN(20), 1+r.IntN(20), url, 1000+n+r.IntN(2)*r.IntN(50))
		}
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// writeFile writes a log as it is, or compressed, or damaged.
func writeFile(t *testing.T, r *rand.Rand, name string) string {
	text, path := writeStream(r), filepath.Join(t.TempDir(), name)
	var b bytes.Buffer
	switch r.IntN(6) {
	case 0, 1:
		w := gzip.NewWriter(&b)
		_, err := w.Write(text)
		must(t, errors.Join(err, w.Close()))
		text = b.Bytes()
		if r.IntN(4) == 0 {
			text = text[:len(text)/2]
		}
	case 2:
		w, err := zstd.NewWriter(&b)
		must(t, err)
		_, err = w.Write(text)
		must(t, errors.Join(err, w.Close()))
		text = b.Bytes()
	case 3:
		if r.IntN(4) == 0 {
			text = []byte("PK\x03\x04 is not read")
		}
	}
	must(t, os.WriteFile(path, text, 0o600))
	return path
}

// Several workers print what one prints: of lines in changing formats, malformed, too long and of
// other programs, in many files, some of them damaged, and if bounds are reached before anything is
// shed. Reads in batches of a few lines try all the ways in which lines are shared out.
func TestWorkers(t *testing.T) {
	hits, further := 0, 0
	for seed := range worlds.Rounds(20, 2000) {
		r := rand.New(rand.NewPCG(seed, 33))
		var paths []string
		for i := range 1 + r.IntN(5) {
			paths = append(paths, writeFile(t, r, fmt.Sprintf("%d.log", i)))
		}
		bound, format, debug := r.IntN(4), r.IntN(8), r.IntN(4) == 0
		window := r.IntN(6) / 5 * 24 * 3600
		printed := sameByAll(t, fmt.Sprintf("seed %d", seed), paths, []string{"json"}, func(o *mineOptions) {
			o.Files.MaxLine, o.Files.BatchSize = 300, 600
			o.Miner.Table.Window, o.Miner.Table.Pane = int64(window), 7200
			switch bound {
			case 0:
				o.Miner.Table.MaxURLs = 3000
			case 1:
				o.MaxSites = 60
			case 2:
				o.Memory = 8 << 20
			}
			if format == 0 {
				o.Records.Format = "combined"
			}
			if debug {
				o.Records.Malformed = func(path string, line []byte, err error) {}
			}
		})
		hits += strings.Count(printed, "\nhits_admitted") - strings.Count(printed, "\nhits_admitted                0")
		further += strings.Count(printed, "in another format")
	}
	if hits < 15 || further < 10 {
		t.Errorf("%d readings have hits, %d further formats were found, want more", hits, further)
	}
}

// If memory is short, every form of the output says that the list was found in a sample. Any number of
// workers say so.
func TestSampleIsSaid(t *testing.T) {
	var log bytes.Buffer
	for i, p := range oracle.Site(2, 20_000) {
		fmt.Fprintf(&log, forms[0], 1+i%20, 1+i%20, p.URL, p.Evidence[0].Min)
	}
	path := filepath.Join(t.TempDir(), "access.log")
	must(t, os.WriteFile(path, log.Bytes(), 0o600))
	for _, c := range []struct{ output, want string }{
		{"text", `figures are of a sample\.\n(?s:.*)\nNote: (\d+) of about (2\d{4}|19\d{3}) URLs, with \d+ % of the requests, are the sample in which these rules were found`},
		{"json", `{"kind":"note","site":"","note":"sample","urls":(\d+),"of":(2\d{4}|19\d{3}),"hits":\d+,"of_hits":20000,"text":`},
		{"html", `<b>[\d,]+ of about (2\d|19),\d{3} URLs, with \d+ % of the requests, are the sample in which these rules were found`},
	} {
		for _, workers := range []int{1, 3} {
			printed := report(t, []string{path}, []string{c.output}, func(o *mineOptions) { o.Memory = 8 << 20 }, workers)
			if is, err := regexp.MatchString(c.want, printed); err != nil || !is {
				t.Errorf("%s by %d workers does not say that the list is of a sample: %.2000s", c.output, workers, printed)
			}
			if whole := report(t, []string{path}, []string{c.output}, func(*mineOptions) {}, workers); strings.Contains(whole, "sample of pages") {
				t.Errorf("%s by %d workers says that a whole list is of a sample", c.output, workers)
			}
		}
	}
}

// All real logs are read alike by any number of workers.
func TestWorkersRealLogs(t *testing.T) {
	logs, err := filepath.Glob(worlds.Data(t, "logs", "*.gz"))
	must(t, err)
	for _, log := range logs {
		sameByAll(t, log, []string{log}, []string{"json", "text", "html"}, func(*mineOptions) {})
	}
	sameByAll(t, "all", logs, []string{"json"}, func(o *mineOptions) { o.Records.Admit.ByDomain = true })
}
