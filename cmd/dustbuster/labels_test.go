package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// labelsOf returns a table of duplicates: numbers of pages, by two patterns.
func labelsOf(pages int, u, v string) string {
	var b strings.Builder
	for i := range pages {
		fmt.Fprintf(&b, u+";"+v+"\n", i)
	}
	return b.String()
}

// A log whose pages change has no likely rules. The rules that a table of duplicates suggests are tested, and the end
// says how many duplicates the confirmed rules explain.
func TestLabels(t *testing.T) {
	t.Parallel()
	origin := site(t, func(w http.ResponseWriter, r *http.Request) { writePage(w, "item"+r.URL.Query().Get("ref")+r.URL.Path) })
	log := newFile(t, "access.log", changing(40, "/p%d", "/p%[1]d?fbid=%[1]d", "/p%[1]d?ref=%[1]d"))
	const host = "https://www.example.org"
	table := newFile(t, "table.csv", "Address;Canonical Link Element 1\n"+labelsOf(50, host+"/p%[1]d?fbid=%[1]d", host+"/p%[1]d")+
		labelsOf(20, host+"/p%[1]d?ref=%[1]d", "/p%[1]d")+host+"/p1;"+host+"/p1\nmailto:x;y\n"+host+"/p2;https://shop.example.net/\n")
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no table", nil, 0, " 0 confirmed;"},
		{"a table", []string{"--labels", table}, 0, "Of 70 duplicates in the table, 50 are explained by the confirmed rules, 20 are not (/p0?ref=0, /p1?ref=1, /p2?ref=2, ...). Your log has 60 of them; 1 more leads to another host."},
		{"a table, its skips", []string{"--labels", table}, 0, `, line 73: "mailto:x" is not the URL of a page`},
		{"no file", []string{"--labels", table + ".none"}, 1, "no such file"},
		{"no table at all", []string{"--labels", newFile(t, "x.html", "<html>\n<body>")}, 1, "no columns of URLs and canonical URLs"},
		{"a table of nothing", []string{"--labels", newFile(t, "x.csv", "URL,Canonical\nhttps://www.example.org/,\n")}, 1, "no row names a canonical URL"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "rules.jsonl")
			code, _, errs := program(t.Context(), append([]string{"validate", "--origin", origin, "--fetch-delay", "0", "--fetch-kinds", "any", "-o", "text", "-o", "json=" + out, log}, c.args...)...)
			if code != c.code || !strings.Contains(errs.String(), c.want) {
				t.Fatalf("ended with %d, want %d and %q:\n%s", code, c.code, c.want, errs)
			}
			if rules, err := os.ReadFile(out); strings.Contains(c.want, "50 are") && (err != nil || !strings.Contains(string(rules), `"params":["fbid"]`) || strings.Contains(string(rules), `"ref"`)) {
				t.Errorf("%v\n%s", err, rules)
			}
		})
	}
}

// A daemon takes the rules that a table suggests as candidates, too.
func TestLabelsOfDaemon(t *testing.T) {
	t.Parallel()
	log := newFile(t, "access.log", changing(60, "/p%d", "/p%[1]d?fbid=%[1]d"))
	table, dir := newFile(t, "table.csv", labelsOf(60, "/p%[1]d?fbid=%[1]d", "/p%[1]d")+"nothing;\n"), t.TempDir()
	stop, stderr := inside(t, nil, "--tail", log, "--state", dir, "--admin-listen", "", "--no-withhold", "--window", "0", "--refine-interval", "100ms", "--learn-interval", "100ms",
		"--no-validate", "--labels", table)
	defer stop()
	stderr.awaits(t, "line 61: ", "is not the URL of a page")
	awaitText(t, filepath.Join(dir, "rules.jsonl"), `"params":["fbid"]`, `"learner":"labels"`)
}

// A daemon says at its end what validate, or without trials mine, says of lists and tables.
func TestHintsOfDaemon(t *testing.T) {
	t.Parallel()
	origin := site(t, func(w http.ResponseWriter, r *http.Request) { writePage(w, "item"+r.URL.Query().Get("ref")+r.URL.Path) })
	log := newFile(t, "access.log", hits(40, "/p%d", "/p%[1]d?fbid=%[1]d", "/p%[1]d?ref=%[1]d"))
	table := newFile(t, "table.csv", labelsOf(40, "/p%[1]d?fbid=%[1]d", "/p%[1]d")+labelsOf(20, "/p%[1]d?ref=%[1]d", "/p%[1]d"))
	list := newFile(t, "list.txt", "fbid\nref\nunseen\n")
	for _, c := range []struct {
		name string
		args []string
		wait string // in the list of rules
		want []string
	}{
		{"trials", []string{"--origin", origin, "--fetch-delay", "0", "--fetch-kinds", "any", "--publish-interval", "1s", "--fetch-budget", "0"}, `"state":"valid"`,
			[]string{"Of 2 names on the list that your log has, 1 holds here, ", "Of 60 duplicates in the table, 40 are explained by the confirmed rules, 20 are not (/p0?ref=0, "}},
		{"no trials", []string{"--no-validate"}, `"op":"drop"`,
			[]string{"Of 2 names on the list that your log has, 2 look right here, ", "Of 60 duplicates in the table, 60 are explained by the suggested rules, 0 are not. Your log has 60 of them."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			stop, stderr := inside(t, nil, append([]string{"--tail", log, "--state", dir, "--admin-listen", "", "--no-withhold", "--window", "0", "--refine-interval", "100ms", "--learn-interval", "100ms",
				"--labels", table, "--lists", list}, c.args...)...)
			awaitText(t, filepath.Join(dir, "rules.jsonl"), `"params":["fbid"]`, c.wait)
			stop()
			for _, want := range c.want {
				stderr.awaits(t, want)
			}
		})
	}
}
