package main

import (
	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/internal/planted"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// vault is a site whose URLs hold secrets, requested by many clients, and its log.
type vault struct {
	log   string
	asked atomic.Int64
}

func newVault(t *testing.T) *vault {
	var b strings.Builder
	lines := 0
	add := func(page int, url string) {
		for range 2 { // two clients each
			lines++
			fmt.Fprintf(&b, "192.0.2.%d - - [17/May/2015:10:05:03 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", 1+lines%40, url, size(page))
		}
	}
	page := 0
	for range 40 {
		page++
		add(page, fmt.Sprintf("/p%d", page))
		add(page, fmt.Sprintf("/p%d?sid=7", page))
		add(page, fmt.Sprintf("/p%d?sid=9", page))
	}
	for _, s := range planted.Secrets {
		for range 5 {
			page++
			add(page, fmt.Sprintf("/p%d", page))
			add(page, fmt.Sprintf("/p%d?sid=7", page))
			add(page, fmt.Sprintf("/p%d?key=%s", page, s))
			add(page, fmt.Sprintf("/p%d/%s?sid=7", page, s))
			add(page, fmt.Sprintf("/p%d/%s", page, s))
		}
		fmt.Fprintf(&b, "192.0.2.1 - - [no time] \"GET /broken?key=%s HTTP/1.1\" 200 5 \"-\" \"-\"\n", s)
	}
	v := &vault{log: filepath.Join(t.TempDir(), "access.log")}
	must(t, os.WriteFile(v.log, []byte(b.String()), 0o600))
	return v
}

// ServeHTTP redirects some pages to addresses that hold secrets.
func (v *vault) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if n := v.asked.Add(1); n%7 == 0 && r.URL.Path != "/robots.txt" {
		all := make([]string, 0, len(planted.Secrets))
		for _, s := range planted.Secrets {
			all = append(all, s)
		}
		http.Redirect(w, r, "/login?session="+all[int(n/7)%len(all)], http.StatusFound)
		return
	}
	writePage(w, r.URL.Path)
}

// ran returns the output of a command, with the files in a folder.
func ran(t *testing.T, dir string, args ...string) string {
	t.Helper()
	code, out, errs := program(t.Context(), args...)
	if code != 0 && code != 3 {
		t.Errorf("%v ended with %d\n%s", args, code, errs)
	}
	return out.String() + errs.String() + contents(t, dir)
}

// contents are the files of a folder, other than a state.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var all strings.Builder
	files, err := filepath.Glob(filepath.Join(dir, "*.*"))
	must(t, err)
	for _, path := range files {
		text, err := os.ReadFile(path)
		must(t, err)
		all.Write(text)
	}
	return all.String()
}

// No command prints a secret. With --no-withhold, each command prints the secrets left out
// before.
func TestSecretsStayIn(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	server := httptest.NewServer(v)
	defer server.Close()
	trial := []string{"--fetch-kinds", "any", "--origin", server.URL, "--fetch-delay", "0", "--fetch-rate", "0", "--fetch-budget", "0"}
	likely := newFile(t, "likely.jsonl", minedJSON(t, v.log, "--no-withhold"))
	for _, c := range []struct {
		name  string
		args  []string
		least int // kinds of secrets printed with --no-withhold
	}{
		{"mine", []string{"mine", "--expand", "--all", "--top", "0", v.log}, len(planted.Secrets)},
		{"mine debug", []string{"mine", "--top", "1", "--debug", "--stats", v.log}, 9}, // of the malformed lines, ten are shown
		{"validate", append([]string{"validate", "--audit", "DIR/audit.jsonl", v.log}, trial...), 1},
		{"validate json", append([]string{"validate", "--output", "json", v.log}, trial...), 0},
		{"validate rules", append([]string{"validate", "--rules", likely, v.log}, trial...), 0},
		{"validate dry run", append([]string{"validate", "--dry-run", v.log}, trial...), 1},
		{"validate dry run json", append([]string{"validate", "--dry-run=json", v.log}, trial...), 1},
		{"run dry run", append([]string{"run", "--dry-run=json", "--tail", v.log, "--window", "0", "--state", "DIR/state", "--log-level", "debug"}, trial...), 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, lifted := range []bool{false, true} {
				dir := t.TempDir()
				var args []string
				for _, a := range c.args {
					args = append(args, strings.Replace(a, "DIR", dir, 1))
				}
				if lifted {
					args = append(args, "--no-withhold")
				}
				text := ran(t, dir, args...)
				names := planted.In(text)
				if lifted && len(names) < c.least || !lifted && len(names) > 0 {
					t.Errorf("veil lifted %v: told %v\n%s", lifted, names, text)
				}
			}
		})
	}
}

// The JSON of mine marks the rules that look like secrets, and no others, and hides their texts unless
// the operator asks for them.
func TestMineMarksSecrets(t *testing.T) {
	log := newVault(t).log
	for line := range strings.Lines(minedJSON(t, log, "--no-withhold")) {
		if marked := strings.Contains(line, `,"secret":true}`); marked != (len(planted.In(line)) > 0 || strings.Contains(line, "%40example")) {
			t.Errorf("marked: %v, told %v: %s", marked, planted.In(line), line)
		}
	}
	marks := 0
	for line := range strings.Lines(minedJSON(t, log)) {
		marked := strings.Contains(line, `,"secret":true}`)
		if marks += btoi(marked); marked != strings.Contains(line, "***") || len(planted.In(line)) > 0 || strings.Contains(line, "%40example") {
			t.Errorf("marked: %v, told %v: %s", marked, planted.In(line), line)
		}
	}
	if marks == 0 {
		t.Error("no rule is marked")
	}
}

func btoi(is bool) int {
	if is {
		return 1
	}
	return 0
}

// minedJSON returns all likely rules of a log.
func minedJSON(t *testing.T, log string, flags ...string) string {
	t.Helper()
	code, out, errs := program(t.Context(), append([]string{"mine", "--output", "json", log}, flags...)...)
	if code != 0 {
		t.Fatalf("ended with %d\n%s", code, errs)
	}
	return out.String()
}

// The daemon reveals no secret: not in its files, nor in its log, nor by its listener.
func TestDaemonKeepsSecrets(t *testing.T) {
	t.Parallel()
	v := newVault(t)
	server := httptest.NewServer(v)
	defer server.Close()
	for _, lifted := range []bool{false, true} {
		dir := t.TempDir()
		args := []string{"--tail", v.log, "--state", filepath.Join(dir, "state"), "--rules", filepath.Join(dir, "rules.jsonl"), "--events", filepath.Join(dir, "events.jsonl"),
			"--audit", filepath.Join(dir, "audit.jsonl"), "--window", "0", "--refine-interval", "100ms", "--admin-listen", "127.0.0.1:0", "--log-format", "json", "--log-level", "debug",
			"--fetch-kinds", "any", "--origin", server.URL, "--fetch-delay", "1ms", "--fetch-rate", "0", "--fetch-budget", "0", "--hold-share", "1"}
		if lifted {
			args = append(args, "--no-withhold")
		}
		stop, stderr := inside(t, nil, args...)
		probe(t, stderr, http.StatusOK)
		awaitRules(t, stderr)
		text := asked(t, stderr, "/metrics", "/api/v1/status", "/api/v1/rules", "/api/v1/rules?state=likely", "/api/v1/export?format=apache&site=", "/export?site=", "/readyz", "/")
		stop()
		text += contents(t, dir) + stderr.String()
		if names := planted.In(text); !lifted && len(names) > 0 || lifted && len(names) < len(planted.Secrets) {
			t.Errorf("veil lifted %v: told %v\n%s", lifted, names, text)
		}
	}
}

// awaitRules waits until a daemon shows its published rules.
func awaitRules(t *testing.T, stderr *output) {
	t.Helper()
	stderr.awaits(t, "rules published")
	until(t, "rules", func() (any, bool) { return nil, asked(t, stderr, "/api/v1/rules?state=valid") != "" }, stderr)
}

// asked returns the answers of a daemon's admin listener at some paths.
func asked(t *testing.T, stderr *output, paths ...string) string {
	t.Helper()
	var all strings.Builder
	address := stderr.address(t)
	for _, path := range paths {
		answer, err := http.Get("http://" + address + path)
		must(t, err)
		_, err = io.Copy(&all, answer.Body)
		_ = answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Errorf("%s: %d, %v", path, answer.StatusCode, err)
		}
	}
	return all.String()
}

// Exports leave out rules that look like secrets, and name them without the secret.
func TestExportHidesSecrets(t *testing.T) {
	var list strings.Builder
	rank := 0
	for _, s := range planted.Secrets {
		rank++
		alpha, err := json.Marshal("?key=" + s)
		must(t, err)
		fmt.Fprintf(&list, `{"schema":2,"id":"%020x","site":"www.example.org","rank":%d,"state":"valid","kind":"substring","alpha":%s,"beta":"","at_start":false,"at_end":true,"direction":"alpha_to_beta","scope":{},"support":5}`+"\n", rank, rank, alpha)
	}
	fmt.Fprintf(&list, `{"schema":2,"id":"%020x","site":"www.example.org","rank":%d,"state":"valid","kind":"parameter","op":"drop","params":["sid"],"scope":{},"support":5,"separators":"&"}`+"\n", rank+1, rank+1)
	path := newFile(t, "rules.jsonl", list.String())
	for _, format := range []string{"jsonl", "nginx", "apache", "htaccess", "haproxy", "cloudflare", "cloudfront", "nutch", "heritrix", "stormcrawler", "dud", "clean-param", "no-vary-search", "clearurls", "algolia"} {
		text := ran(t, t.TempDir(), "export", format, "--rules", path)
		if names := planted.In(text); len(names) > 0 || !strings.Contains(text, "sid") || strings.Count(text, "it looks like a secret") != len(planted.Secrets) {
			t.Errorf("%s: told %v\n%s", format, names, text)
		}
	}
	if text := ran(t, t.TempDir(), "export", "jsonl", "--no-withhold", "--rules", path); len(planted.In(text)) != len(planted.Secrets) {
		t.Errorf("with --no-withhold only %v\n%s", planted.In(text), text)
	}
	if code, _, _ := program(t.Context(), "export", "jsonl", "--strict", "--rules", path); code != cli.ExitFailure {
		t.Errorf("--strict ended with %d", code)
	}
}

// The name of a git object is exported in a rule that a trial found valid.
func TestExportShowsObjects(t *testing.T) {
	const line = `{"schema":2,"id":"00000000000000000001","site":"www.example.org","rank":1,"state":"valid","kind":"substring",` +
		`"alpha":";hb=8e239a75e2936434cffb6ced8b6dac6afb0c6679","beta":";hb=HEAD","at_start":false,"at_end":true,"direction":"alpha_to_beta","scope":{},"support":5}`
	path := newFile(t, "rules.jsonl", line+"\n")
	if text := ran(t, t.TempDir(), "export", "jsonl", "--strict", "--rules", path); !strings.Contains(text, "8e239a75e2936434cffb6ced8b6dac6afb0c6679") {
		t.Errorf("not exported:\n%s", text)
	}
}
