package main

import (
	"bytes"
	"context"
	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/internal/schema"
	"encoding/json"
	"fmt"
	"io/fs"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// untouched is an origin that fails the test on any connection.
func untouched(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if conn, err := l.Accept(); err == nil {
			t.Errorf("%s was connected to", l.Addr())
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() { _ = l.Close(); <-done })
	return "http://" + l.Addr().String()
}

// writeLibraryLog writes the log of a library.
func writeLibraryLog(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "access.log")
	text := strings.ReplaceAll(hits(books, append(bookForms, "/delete/%d", "/delete-%d")...), "192.0.2.1 ", "www.example.org 192.0.2.1 ")
	must(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// planned are the records of a plan, each checked against the schema.
func planned(t *testing.T, text []byte) (site map[string]any, rules []map[string]any) {
	t.Helper()
	for line := range bytes.Lines(text) {
		must(t, schema.Check("plan", line))
		var members map[string]any
		must(t, json.Unmarshal(line, &members))
		if members["kind"] == "site" {
			site = members
		} else {
			rules = append(rules, members)
		}
	}
	return site, rules
}

// urlIn is the URL of one side of a pair.
func urlIn(pair map[string]any, side string) string {
	return pair[side].(map[string]any)["url"].(string)
}

// urlsOf are the URLs of a planned rule's first pairs.
func urlsOf(rule map[string]any) (all []string) {
	for _, p := range rule["first"].([]any) {
		for _, side := range []string{"u", "v"} {
			all = append(all, urlIn(p.(map[string]any), side))
		}
	}
	return all
}

// A dry run of validate prints the first requests of a real run, and sends no request.
func TestValidateDryRun(t *testing.T) {
	origin := untouched(t)
	log := writeLibraryLog(t, t.TempDir())
	dry := func(args ...string) (string, string) {
		code, out, errs := program(t.Context(), append([]string{"validate", "--fetch-kinds", "any", "--origin", origin, "--hosts", "www.example.org", log}, args...)...)
		if code != 0 {
			t.Fatalf("ended with %d\n%s", code, errs)
		}
		return out.String(), errs.String()
	}
	text, stderr := dry("--dry-run", "--audit", filepath.Join(t.TempDir(), "none", "audit"))
	for _, want := range []string{
		`^www.example.org, from 127.0.0.1:\d+\nFirst http://www.example.org/robots.txt, .*\n +1  `,
		` ignore the parameter from: merges \d+ URLs; about \d+ of \d+ pairs are tested\n +/book/\d+\?from=.  /book/\d+\n`,
		`/delete/\d+ \(never fetched: action\)`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %s in\n%s\n%s", want, text, stderr)
		}
	}
	object, _ := dry("--dry-run=json")
	if also, _ := dry("--dry-run", "-o", "json"); also != object {
		t.Errorf("--dry-run -o json:\n%s\n--dry-run=json:\n%s", also, object)
	}
	site, rules := planned(t, []byte(object))
	if fmt.Sprint(site["robots"]) != "[http://www.example.org/robots.txt]" || len(rules) < 5 {
		t.Fatalf("%v, %d rules", site, len(rules))
	}
	l := &library{}
	r := validateLibrary(t, t.Context(), l, oneHost, "--fetch-total", "6")
	asked := strings.Join(r.asked, " ")
	if first := urlsOf(rules[0]); !strings.Contains(asked, "www.example.org"+first[0]) || !strings.Contains(asked, "www.example.org"+first[2]) {
		t.Errorf("planned %q, asked for %q", first, r.asked)
	}
}

// files are the names and contents of a directory's files.
func contentsOf(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s: %x\n", path, text)
		return err
	})
	must(t, err)
	return b.String()
}

// A dry run plans the daemon's requests from its state, in place of the daemon or beside
// it. It sends no request, and leaves no trace.
func TestRunDryRun(t *testing.T) {
	dir := t.TempDir()
	log, state := writeLibraryLog(t, dir), filepath.Join(dir, "state")
	flags := func(origin string, more ...string) []string {
		return append([]string{"run", "--tail", log, "--state", state, "--window", "0", "--refine-interval", "100ms", "--no-withhold",
			"--admin-listen", "", "--hosts", "www.example.org", "--fetch-kinds", "any", "--origin", origin, "--fetch-delay", "1ms", "--fetch-rate", "0", "--fetch-budget", "0"}, more...)
	}
	dry := func() (site map[string]any, rules []map[string]any) {
		before := contentsOf(t, dir)
		var out, errs bytes.Buffer
		if code := run(t.Context(), flags(untouched(t), "--dry-run=json"), nil, &out, &errs); code != 0 {
			t.Fatalf("ended with %d\n%s", code, &errs)
		}
		if after := contentsOf(t, dir); after != before {
			t.Error("the dry run has changed something")
		}
		return planned(t, out.Bytes())
	}
	site, all := dry()
	if fmt.Sprint(site["robots"]) != "[http://www.example.org/robots.txt]" || len(all) < 5 || len(urlsOf(all[0])) < 6 {
		t.Fatalf("%v, %d rules", site, len(all))
	}

	l := &library{}
	ctx, stop := context.WithCancel(t.Context())
	l.see = func(n int) {
		if n == 60 { // a trial is under way
			stop()
		}
	}
	server := httptest.NewServer(l)
	defer server.Close()
	var out, errs bytes.Buffer
	record := filepath.Join(t.TempDir(), "audit.jsonl")
	if code := run(ctx, flags(server.URL, "--audit", record), nil, &out, &errs); code != 0 {
		t.Fatalf("ended with %d\n%s", code, &errs)
	}
	tried := map[string]bool{}
	for _, p := range kinds(audited(t, record), "pair") {
		tried[fmt.Sprint(urlIn(p, "u"), " ", urlIn(p, "v"))] = true
	}
	_, rest := dry()
	for _, p := range rest[0]["first"].([]any) {
		pair := p.(map[string]any)
		if u, v := urlIn(pair, "u"), urlIn(pair, "v"); tried[u+" "+v] {
			t.Errorf("(%s, %s) has been tried, and is planned again", u, v)
		}
	}
	if len(tried) < 20 {
		t.Errorf("%d pairs were tried", len(tried))
	}
	if slices.Equal(urlsOf(all[0]), urlsOf(rest[0])) {
		t.Errorf("planned %q again", urlsOf(rest[0]))
	}
}

// A link that a single client asked for is never among the pairs. Another value stands in for the client's own, unless
// stand-ins are off: then the pairs are left out, and their number is printed.
func TestDryRunLeavesPrivate(t *testing.T) {
	path := newFile(t, "access.log", from(40, strings.Repeat(hits(30, "/p/%d", "/p/%d?sid=7"), 3)+hits(30, "/p/%d?sid=room%04[1]dab")))
	for _, c := range []struct{ name, flag, want string }{
		{"with stand-ins", "--stand-ins=true", `ignore the parameter sid: merges \d+ URLs; about \d+ of 60 pairs .*\n.* /p/\d+$`},
		{"without", "--stand-ins=false", `ignore the parameter sid: merges \d+ URLs; about \d+ of 30 pairs .*\n +30 more pairs have URLs`},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := program(t.Context(), "validate", c.flag, "--origin", untouched(t), "--dry-run", path)
			if code != 0 || !regexp.MustCompile("(?m)"+c.want).MatchString(out.String()) || strings.Contains(out.String(), "room00") ||
				!strings.Contains(errs.String(), "30 of 90 URLs are never asked for: they may be links given to one visitor") {
				t.Errorf("ended with %d\n%s\n%s", code, out, errs)
			}
		})
	}
}

// validate says what the log cannot tell, for people and as JSON.
func TestValidateSaysNotes(t *testing.T) {
	path := newFile(t, "access.log", hits(40, "/p?id=%d", "/p?sid=7&id=%d"))
	for _, c := range []struct{ output, want string }{
		{"text", `dustbuster: note on "www.example.org": 80 of 80 URLs were requested by a single client`},
		{"json", `{"kind":"note","site":"www.example.org","note":"one_client","urls":80,"of":80,`},
	} {
		code, _, errs := program(t.Context(), "validate", "--fetch-kinds", "any", "--dry-run", "--origin", "http://127.0.0.1:1", "--site", "www.example.org", "--output", c.output, path)
		if code != 0 || strings.Count(errs.String(), c.want) != 1 {
			t.Errorf("%s: ended with %d, and without %s\n%s", c.output, code, c.want, errs)
		}
	}
}

// Flags that a dry run does not support are an error.
func TestDryRunUsage(t *testing.T) {
	log := writeLibraryLog(t, t.TempDir())
	for _, c := range []struct {
		want string
		args []string
	}{
		{"--dry-run and --brokers do not go together", []string{"run", "--brokers", "127.0.0.1:1", "--dry-run"}},
		{"no server to test on", []string{"run", "--tail", log, "--state", t.TempDir(), "--dry-run"}},
		{`--dry-run must be text, json or ""`, []string{"run", "--tail", log, "--dry-run=yes"}},
		{`--dry-run must be text, json or ""`, []string{"validate", log, "--origin", "http://127.0.0.1:1", "--dry-run=yes"}},
	} {
		if code, _, errs := program(t.Context(), c.args...); code != cli.ExitUsage || !strings.Contains(errs.String(), c.want) {
			t.Errorf("%v: ended with %d\n%s", c.args, code, errs)
		}
	}
}
