package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"testing"
)

var (
	dashboardOf = regexp.MustCompile(`(?m)^dashboard  (http://\S+)$`)
	wasteOf     = regexp.MustCompile(`(?m)^\d+:\d\d  (\w+), round \d+: \d+ URLs of 241 pages; \d+ \((\d+) %\) were duplicates$`)
)

// The demo publishes rules of all six kinds, of which the first comes soon. Then a crawler that
// applies them asks for hardly a page twice, and one without rules goes on as before. Nothing is left on the
// disk.
func TestDemo(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out, errs output
	ended := make(chan int, 1)
	go func() { ended <- run(ctx, []string{"demo", "--admin-listen", "127.0.0.1:0"}, nil, &out, &errs) }()
	out.awaits(t, "dashboard  ")
	awaitLines(t, &out, `\d:\d\d  published: .*index\.html`, `published: .*parameter from`, `published: .*parameter utm_source`,
		`published: .*/story\.php`, `published: .*/print`, `published: .*order of the parameters`,
		`CCBot, round \d+: \d+ URLs of 241 pages; \d+ \([0-5] %\) were duplicates$`)
	t.Logf("all is published, and applied:\n%s", &out)
	answer, err := http.Get(dashboardOf.FindStringSubmatch(out.String())[1])
	must(t, err)
	defer answer.Body.Close()
	if page, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != http.StatusOK || !regexp.MustCompile(`site\?site=127\.0\.0\.1`).Match(page) {
		t.Errorf("the dashboard shows no site: %d, %v", answer.StatusCode, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("while the demo runs, its directory has %v, %v", entries, err)
	}
	stop()
	if code := <-ended; code != 0 || errs.String() != "" {
		t.Errorf("ended with %d: %s", code, &errs)
	}
	for _, m := range wasteOf.FindAllStringSubmatch(out.String(), -1) {
		if share, err := strconv.Atoi(m[2]); err != nil || m[1] == "Googlebot" && share < 60 {
			t.Errorf("a crawler without rules: %s", m[0])
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("the demo left %v, %v", entries, err)
	}
}

// awaitLines waits for lines that match expressions.
func awaitLines(t *testing.T, out *output, want ...string) {
	t.Helper()
	until(t, "lines", func() (missing string, ok bool) {
		for _, line := range want {
			if !regexp.MustCompile(`(?m)` + line).MatchString(out.String()) {
				missing = line
			}
		}
		return missing, missing == ""
	}, out)
}

// The demo ends by itself, and refuses a dashboard that others could reach.
func TestDemoEnds(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	code, out, errs := program(t.Context(), "demo", "--for", "200ms", "--admin-listen", "127.0.0.1:0")
	if code != 0 || errs.Len() > 0 || !dashboardOf.MatchString(out.String()) {
		t.Errorf("ended with %d\n%s%s", code, out, errs)
	}
	for _, args := range [][]string{{"demo", "--admin-listen", "0.0.0.0:9464"}, {"demo", "site"}, {"demo", "--for", "long"}} {
		if code, _, errs := program(t.Context(), args...); code != 2 {
			t.Errorf("%v ended with %d: %s", args, code, errs)
		}
	}
}
