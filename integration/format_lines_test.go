package integration

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/operators/read/weblog"
)

var (
	formatLogs    = flag.String("formatlogs", "", "folder for one generated log of each format; empty: none is written")
	formatLogSize = flag.Int("formatlines", 500_000, "lines of each generated log")
)

// browsers are agents of usual lengths.
var browsers = [...]string{
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
	"Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
	"Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0",
	"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4.1 Safari/605.1.15",
	"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
	"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
	"Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
	"curl/8.5.0",
}

// formatLines returns n lines like a format's example, in the order of time: of 500 URLs, and of 100 clients, each with one
// browser, of which 24 are there at a time. The same n gives the same lines.
func formatLines(f *weblog.Format, n int) (lines [][]byte) {
	rng := rand.New(rand.NewPCG(1, 1))
	blank := " "
	switch {
	case f.Name == "w3c":
		blank = "+"
	case strings.HasPrefix(f.Name, "cloudfront"):
		blank = "%20"
	}
	for i := range n {
		page, client, second := rng.IntN(500), (i/10+rng.IntN(24))%100, i*3600/n
		line := strings.NewReplacer(
			"/a", fmt.Sprintf("/articles/%d/how-to-%d.html", 2006+page%12, page*977),
			"b=1", fmt.Sprint("ref=feed&page=", page%7),
			"192.0.2.7", fmt.Sprint("192.0.2.", client),
			"Mozilla/5.0", strings.ReplaceAll(browsers[client%len(browsers)], " ", blank),
			"51234", fmt.Sprint(32768+rng.IntN(28000)), // a client's port
			"5120", fmt.Sprint(3000+page*page%50_000),
			":04:05", fmt.Sprintf(":%02d:%02d", second/60, second%60),
			"1136239445", fmt.Sprint(1136239445+second),
			"20060102220405", fmt.Sprintf("2006010222%02d%02d", second/60, second%60),
		).Replace(f.Example)
		lines = append(lines, []byte(line))
	}
	return lines
}

// Each line that formatLines makes is read, and has all that the example has.
func TestFormatLines(t *testing.T) {
	t.Parallel()
	for _, f := range weblog.Formats() {
		p, err := weblog.New(f.Name)
		must(t, err)
		clients, targets := map[string]bool{}, map[string]bool{}
		for _, line := range formatLines(&f, 500) {
			var h weblog.Hit
			if err := p.Parse(&h, line); err != nil || h.Status != 200 {
				t.Fatalf("%s: %s: %+v, %v", f.Name, line, h, err)
			}
			clients[string(h.Client)], targets[string(h.Target)] = true, true
		}
		if len(targets) < 100 || f.Fields&weblog.HasClient != 0 && len(clients) < 50 {
			t.Errorf("%s: %d clients and %d targets", f.Name, len(clients), len(targets))
		}
	}
	if dir := *formatLogs; dir != "" {
		writeFormatLogs(t, dir)
	}
}

// writeFormatLogs writes the logs that other programs are measured with.
func writeFormatLogs(t *testing.T, dir string) {
	t.Helper()
	must(t, os.MkdirAll(dir, 0o755))
	for _, f := range weblog.Formats() {
		log := append(bytes.Join(formatLines(&f, *formatLogSize), []byte("\n")), '\n')
		must(t, os.WriteFile(filepath.Join(dir, f.Name+".log"), log, 0o600))
	}
}
