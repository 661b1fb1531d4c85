package main

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"dustbuster/sinks/export"
)

// onlyAmpersand are the formats in which ; separates nothing.
var onlyAmpersand = []string{"dud", "clearurls", "clean-param", "no-vary-search", "algolia"}

// validate prints the parameter separators of the site. export leaves out a rule if a
// format does not know all of them. With only & as separator, duplicate-url-discarder's
// drop of sid would take /p?sid=9;id=1 and /p?sid=9;id=2 for one page.
func TestExportWhatSeparates(t *testing.T) {
	for _, c := range []struct {
		separators string
		forms      []string
	}{
		{"", []string{"/p%d", "/p%[1]d?sid=7", "/p%[1]d?sid=9"}},
		{"&", []string{"/p?id=%d", "/p?sid=7&id=%d", "/p?sid=9&id=%d"}},
		{";", []string{"/p?id=%d", "/p?sid=7;id=%d", "/p?sid=9;id=%d"}},
		{"&;", []string{"/p?id=%d", "/p?sid=7;id=%d", "/p?sid=9;id=%d", "/search?q=%d&page=2"}},
	} {
		t.Run(c.separators, func(t *testing.T) {
			list := validated(t, hits(40, c.forms...))
			if want := fmt.Sprintf("%q:%q", "separators", c.separators); strings.Count(list, "\n") == 0 || strings.Count(list, want) != strings.Count(list, "\n") {
				t.Fatalf("want %s in each of\n%s", want, list)
			}
			for _, format := range onlyAmpersand {
				checkExport(t, format, list, !strings.Contains(c.separators, ";"))
			}
			checkExport(t, "nutch", list, true)
		})
	}
}

var pageNumber = regexp.MustCompile(`(?:/p|[?;&]id=|[?]q=)(\d+)`)

// validated returns the rules that validate finds valid on a site whose pages differ only
// in their numbers.
func validated(t *testing.T, log string) string {
	t.Helper()
	origin := site(t, func(w http.ResponseWriter, r *http.Request) {
		id := pageNumber.FindStringSubmatch(r.URL.String())
		if id == nil {
			http.NotFound(w, r)
			return
		}
		writePage(w, "/p"+id[1])
	})
	path := newFile(t, "access.log", log)
	code, out, errs := program(t.Context(), "validate", "--fetch-kinds", "any", "--origin", origin, "--site", "www.example.org", "--fetch-delay", "0", "--output", "json", path)
	if code != 0 || !strings.Contains(out.String(), `"op":"drop","params":["sid"]`) {
		t.Fatalf("ended with %d\n%s%s", code, out, errs)
	}
	return out.String()
}

// checkExport exports a list that drops sid. The rule is in the output, or is reported as
// left out.
func checkExport(t *testing.T, format, list string, whole bool) {
	t.Helper()
	path := newFile(t, "rules.jsonl", list)
	code, out, errs := program(t.Context(), "export", format, "--rules", path, "--rounds", "1")
	named := strings.Contains(errs.String(), "ignore the parameter sid: the site has queries with ;, which")
	if code != 0 || named == whole || strings.Contains(out.String(), "sid") != whole {
		t.Errorf("%s: ended with %d\n%s%s", format, code, out, errs)
	}
}

// A list of rules that becomes many expressions is written with a warning.
func TestExportWarnsOfManyExpressions(t *testing.T) {
	for _, c := range []struct {
		rules int
		warns bool
	}{{40, false}, {60, true}} { // nine times each
		var list strings.Builder
		for i := range c.rules {
			fmt.Fprintf(&list, `{"schema":2,"site":"www.example.org","id":"%d","rank":%d,"state":"valid","kind":"parameter","op":"drop","params":["p%d"],"in":"path","scope":{}}`+"\n", i, i+1, i)
		}
		path := newFile(t, "rules.jsonl", list.String())
		var out, report bytes.Buffer
		if code := run(t.Context(), []string{"export", "nutch", "--rules", path}, nil, &out, &report); code != 0 {
			t.Fatalf("exit code %d\n%s", code, &report)
		}
		if warned := strings.Contains(report.String(), fmt.Sprintf("%d rules written 9 times are %d expressions", c.rules, 9*c.rules)); warned != c.warns {
			t.Errorf("%d rules: %s", c.rules, &report)
		}
	}
}

// The exports of a daemon are those of the command on its list and its log, and the page shows them.
func TestExportOfDaemon(t *testing.T) {
	t.Parallel()
	origin := site(t, samePages)
	log := newFile(t, "access.log", hits(60, "/p%[1]d", "/p%[1]d?sid=7", "/p%[1]d?sid=8&sid=9", "/p%[1]d?a=1&sid=9&b=2&sid=9"))
	stop, stderr := inside(t, nil, "--tail", log, "--state", t.TempDir(), "--window", "0", "--admin-listen", "127.0.0.1:0",
		"--fetch-kinds", "any", "--origin", origin, "--fetch-delay", "1ms", "--fetch-rate", "0", "--fetch-budget", "0", "--hold-share", "1", "--provisional=false")
	defer stop()
	awaitRules(t, stderr)
	now := regexp.MustCompile(`time .*Z`)
	for _, f := range export.Formats() {
		for _, redirect := range []string{"no", "yes"}[:map[bool]int{false: 1, true: 2}[f.Server]] {
			query := "site=&format=" + f.Name + "&redirect=" + redirect
			until(t, query, func() (any, bool) { // the list may grow between the two
				code, want, errs := program(t.Context(), "export", f.Name, "--rules", "http://"+stderr.address(t), "--urls", log, "--redirect="+fmt.Sprint(redirect == "yes"))
				got := asked(t, stderr, "/api/v1/export?"+query)
				return fmt.Sprintf("%d, %s\n%s\nwant\n%s", code, errs, got, want), code == 0 && now.ReplaceAllString(got, "") == now.ReplaceAllString(want.String(), "")
			}, stderr)
			if page := asked(t, stderr, "/export?"+query); f.Server && (strings.Contains(page, "as far as the 240 URLs of the log need them") != (redirect == "no") || !strings.Contains(page, "sid")) {
				t.Errorf("the page of %s:\n%s", query, page)
			}
		}
	}
}
