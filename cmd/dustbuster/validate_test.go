package main

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"dustbuster/cmd/dustbuster/internal/cli"
)

// tryOn runs validate on a small site, with a session parameter and a print view with more
// text than the page.
func tryOn(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return tryLog(t, hits(40, "/p%d", "/p%d?sid=7", "/p%d?sid=9", "/print/p%d"), args...)
}

// tryLog is tryOn with a log of the site.
func tryLog(t *testing.T, log string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	code, out, errs := program(t.Context(), append([]string{"validate", "--fetch-kinds", "any", "--origin", site(t, samePages), "--fetch-delay", "0", newFile(t, "access.log", log)}, args...)...)
	return code, out.String(), errs.String()
}

// validate prints the outcome of each rule, and the valid rules as JSON.
func TestValidate(t *testing.T) {
	code, table, stderr := tryOn(t, "--explain")
	if code != 0 || !strings.Contains(table, "ignore the parameter sid") || !strings.Contains(table, "refuted") || !strings.Contains(stderr, "dustbuster: confirmed: ignore the parameter sid (") || strings.Contains(stderr, "dustbuster: not confirmed:") {
		t.Errorf("ended with %d\n%s%s", code, table, stderr)
	}
	code, list, stderr := tryOn(t, "--output", "json")
	if code != 0 || !strings.Contains(list, `"op":"drop","params":["sid"]`) || strings.Contains(list, "print") || !strings.Contains(stderr, "tested, 1 confirmed;") {
		t.Errorf("ended with %d\n%s%s", code, list, stderr)
	}
}

// The first line says what duplicates cost crawlers by what is proved: of 160 URLs, 40 pages with two more
// URLs each. The print views are other pages.
func TestValidateWaste(t *testing.T) {
	log := strings.ReplaceAll(hits(40, "/p%d", "/p%d?sid=7", "/p%d?sid=9", "/print/p%d"), "Mozilla/5.0", "Googlebot/2.1")
	for _, c := range []struct {
		rules, want string
	}{
		{"sid", `^Search engines and bots fetched 160 URLs but saw only 80 different pages\.\n50 % of the URLs \(80, \d+ kB\) were duplicates; Googlebot fetched all of them\.\nCounted by 1 confirmed rule\.\n\nConfirmed: 1 rule\n  1  ignore the parameter sid  merges 80 URLs, \d+ kB; confirmed by \d+ pages\n\nNext: save the confirmed rules .*\n  dustbuster validate .* -o json=rules\.jsonl .*access\.log\n$`},
		{"print", `^Search engines and bots fetched 160 URLs\.\nNo rule is confirmed yet, so duplicates cannot be counted\.\n\nNot confirmed: [12] rules? that would merge different pages\n  1  .*print.*  \d+ pages? of \d+ differ\n`},
	} {
		list := newFile(t, "likely.jsonl", map[string]string{
			"sid":   `{"schema":2,"site":"","kind":"parameter","op":"drop","params":["sid"],"scope":{},"support":40,"comparable":40}`,
			"print": `{"schema":2,"site":"","kind":"substring","alpha":"/print/","beta":"/","at_start":true,"at_end":false,"scope":{},"support":40,"support_high":40}`,
		}[c.rules]+"\n")
		code, table, stderr := tryLog(t, log, "--rules", list)
		if code != 0 || !regexp.MustCompile(c.want).MatchString(table) {
			t.Errorf("%s: ended with %d\n%s%s", c.rules, code, table, stderr)
		}
	}
}

// As a report, validate shows each verdict, and counts the duplicates by the rules that hold: each
// of 40 pages has two further URLs.
func TestValidateReport(t *testing.T) {
	code, page, stderr := tryOn(t, "--output", "html")
	if code != 0 {
		t.Errorf("ended with %d\n%s", code, stderr)
	}
	_, body, _ := strings.Cut(page, "</style>")
	for _, want := range []string{"80 of 160", "ignore the parameter sid</code>", `<span class="chip good">confirmed</span>`, `<span class="chip bad">not confirmed</span>`, "% of its URLs can be wrong", "Clean-param: sid"} {
		if !strings.Contains(body, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
}

// One run writes the rules and the report. Next names what is still to do, with the flags and the
// files of the run.
func TestValidateOutputs(t *testing.T) {
	dir := t.TempDir()
	list, page := filepath.Join(dir, "of the site.jsonl"), filepath.Join(dir, "report.html")
	next := func(args ...string) string {
		t.Helper()
		code, table, stderr := tryOn(t, append([]string{"-o", "text", "-o", "html=" + page, "--no-params=false", "--never-fetch", "buy,$(id)"}, args...)...)
		if code != 0 || !strings.Contains(table, "ignore the parameter sid") {
			t.Errorf("ended with %d\n%s%s", code, table, stderr)
		}
		report, err := os.ReadFile(page)
		must(t, err)
		_, next, _ := strings.Cut(html.UnescapeString(string(report)), `<h2 id="do">`)
		next, _, _ = strings.Cut(next, "</section>")
		return next
	}
	has := func(next string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if !regexp.MustCompile(text).MatchString(next) {
				t.Errorf("no %s in\n%s", text, next)
			}
		}
	}
	const flags = `--no-params=false --origin http://127\.0\.0\.1:\d+ --never-fetch 'buy,\$\(id\)' --fetch-kinds any --fetch-delay 0`
	with := next("-o", "json="+list)
	has(with, `<code>dustbuster canon --rules '.*/of the site.jsonl' < urls.txt`, `<code>dustbuster run `+flags+` --tail \S*/access.log</code>`)
	if strings.Contains(with, "validate") {
		t.Errorf("the rules are written already:\n%s", with)
	}
	rules, err := os.ReadFile(list)
	must(t, err)
	if bytes.Count(rules, []byte("\n")) != 1 || !bytes.Contains(rules, []byte(`"params":["sid"]`)) {
		t.Errorf("the list is\n%s", rules)
	}
	has(next("--seed", "3"), `<code>dustbuster validate `+flags+` --seed 3 -o json=rules.jsonl \S*/access.log</code>`, `canon --rules rules.jsonl`, `run `+flags+` --tail`)
	early := next("--fetch-total", "60", "-o", "json="+list)
	has(early, `This run ended early\. Test the rest, and complete the test of 1 rule \(about \d+ more requests\):`, `validate `+flags+` -o json='.*/of the site.jsonl' -o html=report.html \S*/access.log</code>`)
	if strings.Contains(early, "--fetch-total") {
		t.Errorf("the rest is tried with the limit of the run:\n%s", early)
	}
}

// The rules may come from a file; others are then not tried.
func TestValidateFile(t *testing.T) {
	path := newFile(t, "likely.jsonl", `{"schema":2,"site":"","kind":"substring","alpha":"/print/","beta":"/","at_start":true,"at_end":false,"scope":{},"support":40,"support_high":40}`+"\n"+
		`{"schema":2,"site":"","kind":"parameter","op":"drop","params":["sid"],"scope":{"path":"/a/*/b"},"support":40,"comparable":40}`+"\n")
	code, table, stderr := tryOn(t, "--explain", "--rules", path)
	if !strings.Contains(stderr, `line 2 is not tested: its path "/a/*/b" has a segment *`) {
		t.Errorf("a path that is no pattern: %s", stderr)
	}
	if code != 0 || !strings.Contains(table, "refuted") || strings.Contains(table, "ignore the parameter sid") {
		t.Errorf("ended with %d\n%s%s", code, table, stderr)
	}
}

func TestValidateUsage(t *testing.T) {
	if code, _, errs := program(t.Context(), "validate", "access.log"); code != cli.ExitUsage || !strings.Contains(errs.String(), "--origin") {
		t.Errorf("ended with %d: %s", code, errs.String())
	}
}

// A server that is down refutes nothing and proves nothing. The output says so, and nothing of rules that
// were tried or left out.
func TestValidateServerDown(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			t.Errorf("asked for %s", r.URL)
		}
		http.Error(w, "down", http.StatusServiceUnavailable)
	}))
	defer site.Close()
	path := newFile(t, "access.log", hits(40, "/p%d", "/p%d?sid=7", "/p%d?sid=9"))
	code, out, errs := program(t.Context(), "validate", "--fetch-kinds", "any", "--origin", site.URL, "--fetch-delay", "0", path)
	if code != cli.ExitFailure || strings.Contains(out.String(), "sid") || !strings.Contains(errs.String(), "cannot read robots.txt, so nothing is fetched: status 503") || strings.Contains(errs.String(), "tested,") {
		t.Errorf("ended with %d\n%s%s", code, out, errs)
	}
}

// Published rules are tried as they stand: with their operation, direction and scope.
func TestValidatePublished(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rules.jsonl")
	for _, c := range []struct{ rule, want string }{
		{`"kind":"parameter","op":"set","params":["sid"],"to":"9","scope":{}`, `valid .* treat every sid=… as sid=9`},
		{`"kind":"substring","alpha":"?sid=7","beta":"?sid=9","at_start":false,"at_end":true,"direction":"beta_to_alpha","scope":{"prefix":"/p"}`, `valid .* write …\?sid=9 as …\?sid=7 where the URL begins with /p`},
	} {
		must(t, os.WriteFile(path, []byte(`{"schema":2,"site":"","id":"1","rank":1,"state":"valid","support":40,`+c.rule+"}\n"), 0o600))
		code, table, stderr := tryOn(t, "--explain", "--rules", path)
		if code != 0 || len(regexp.MustCompile("(?m)^(valid|refuted|undecided) ").FindAllString(table, -1)) != 1 {
			t.Errorf("ended with %d\n%s%s", code, table, stderr)
		}
		outcome{table: table}.has(t, c.want)
	}
}

// If there is nothing to try, the output gives the reason and the remedy.
func TestValidateNothing(t *testing.T) {
	rules := newFile(t, "rules.jsonl", `{"schema":2,"site":"other.example","kind":"parameter","op":"drop","params":["sid"],"scope":{}}`)
	log := hits(40, "/p%d", "/p%d?sid=7")
	for _, c := range []struct {
		log, want string
		args      []string
	}{
		{log, "the log names no host.* --site", []string{"--fetch-scheme", "https", "--contact", "me@example.org"}},
		{log, `site "www.example.org" has no server to fetch from. See --origin`, []string{"--site", "www.example.org", "--site-origin", "other.example=http://127.0.0.1"}},
		{log, "rules are of other sites than the log", []string{"--origin", "http://127.0.0.1", "--rules", rules}},
		{strings.ReplaceAll(log, " 200 ", " 304 "), "none of 80 lines is a GET answered with a whole page: status 80", []string{"--origin", "http://127.0.0.1"}},
		{hits(2, "/p%d"), "none was found in the log. 2 URLs with 2 sizes, no two within 1 %", []string{"--origin", "http://127.0.0.1"}},
		{log, `--site-origin must be such as www.example.org=http://10.0.0.7, got "www.example.org"`, []string{"--site-origin", "www.example.org"}},
		{log, `want http://HOST`, []string{"--origin", "127.0.0.1:8080"}},
	} {
		path := newFile(t, "access.log", c.log)
		code, out, errs := program(t.Context(), append([]string{"validate", path}, c.args...)...)
		if code == 0 || out.Len() > 0 || !regexp.MustCompile(c.want).MatchString(errs.String()) {
			t.Errorf("%v: ended with %d\n%s%s", c.args, code, out, errs)
		}
	}
}

// A site on a port is the site named in the log, whatever name the server uses for itself:
// with or without its port in the log, as one site of several hosts or of one host.
func TestValidatePorts(t *testing.T) {
	var called atomic.Value // the server's name for itself
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch own := called.Load(); {
		case r.Host != own:
			http.Redirect(w, r, fmt.Sprint("http://", own, r.RequestURI), http.StatusMovedPermanently)
		case r.URL.Path == "/robots.txt":
			http.NotFound(w, r)
		default:
			writePage(w, r.URL.Path)
		}
	}))
	defer site.Close()
	address := strings.TrimPrefix(site.URL, "http://")
	port := address[strings.Index(address, ":"):]
	log := hits(20, "/p%d", "/p%d?sid=7", "/p%d?sid=9")
	for _, c := range []struct {
		named, called string
		args          []string
	}{
		{"", address, []string{"--site", "example.org"}},
		{"", "example.org" + port, []string{"--site", "example.org"}},
		{"", "example.org", []string{"--site", "example.org" + port}},
		{"www.example.org" + port, "www.example.org" + port, []string{"--site-by", "domain", "--hosts", "*.example.org"}},
		{"www.example.org" + port, address, []string{"--site-by", "domain", "--hosts", "*.example.org"}},
	} {
		called.Store(c.called)
		text := log
		if c.named != "" {
			text = strings.ReplaceAll(log, "192.0.2.1 ", c.named+" 192.0.2.1 ")
		}
		path := newFile(t, "access.log", text)
		code, out, errs := program(t.Context(), append([]string{"validate", path, "--fetch-kinds", "any", "--origin", site.URL, "--fetch-delay", "0"}, c.args...)...)
		if code != 0 || !regexp.MustCompile(`Confirmed: 1 rule\n  1  ignore the parameter sid`).MatchString(out.String()) {
			t.Errorf("%v: ended with %d\n%s%s", c, code, out, errs)
		}
	}
}

// Rules that change too few URLs for a verdict are not tried. The output says so.
func TestValidateTooFew(t *testing.T) {
	path := newFile(t, "access.log", hits(6, "/p%d", "/p%d?sid=7"))
	site := httptest.NewServer(http.NotFoundHandler())
	defer site.Close()
	code, out, errs := program(t.Context(), "validate", "--fetch-kinds", "any", "--origin", site.URL, "--fetch-delay", "0", path)
	if code != 0 || out.String() != "No known crawler fetched a page.\nVisitors fetched 12 URLs.\nNo rule is confirmed yet, so duplicates cannot be counted.\n" || !strings.Contains(errs.String(), "none of 2 rules has enough URLs for a test") {
		t.Errorf("ended with %d\n%s%s", code, out, errs)
	}
}
