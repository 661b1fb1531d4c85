package main

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// changing is a log in which two in five pages change between two visits, so that no rule seems likely.
func changing(pages int, forms ...string) string {
	var b strings.Builder
	for i := range pages {
		for j, form := range forms {
			bytes := size(i)
			if i%5 >= 3 {
				bytes += j * bytes / 2
			}
			fmt.Fprintf(&b, "192.0.2.1 - - [17/May/2015:10:05:03 +0000] \"GET "+form+" HTTP/1.1\" 200 %d \"-\" \"Mozilla/5.0\"\n", i, bytes)
		}
	}
	return b.String()
}

// A log whose pages change has no likely rules. With a list, its names are tested; the end says which hold.
func TestLists(t *testing.T) {
	t.Parallel()
	origin := site(t, func(w http.ResponseWriter, r *http.Request) { writePage(w, "item"+r.URL.Query().Get("ref")+r.URL.Path) })
	log := newFile(t, "access.log", changing(40, "/p%d", "/p%[1]d?fbid=%[1]d", "/p%[1]d?ref=%[1]d")+changing(2, "/q%d", "/q%[1]d?hsa_x=%[1]d"))
	list := newFile(t, "list.txt", "fbid\nREF\nunseen\nnot a name\n$removeparam=/^hsa_/\n")
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no list", nil, 0, " 0 confirmed;"},
		{"a list", []string{"--lists", list}, 0, "Of 3 names on the list that your log has, 1 holds here, 1 is wrong (ref), 1 was not tested."},
		{"a list, its skips", []string{"--lists", list}, 0, `, line 4: "not a name" is neither the name of a parameter`},
		{"no parameters", []string{"--lists", list, "--no-params"}, 0, " 0 confirmed;"},
		{"no file", []string{"--lists", list + ".none"}, 1, "no such file"},
		{"no list at all", []string{"--lists", newFile(t, "x.html", "<html>\n<body>")}, 1, "it names no parameter (2 lines left out)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "rules.jsonl")
			code, _, errs := program(t.Context(), append([]string{"validate", "--origin", origin, "--fetch-delay", "0", "--fetch-kinds", "any", "-o", "text", "-o", "json=" + out, log}, c.args...)...)
			if code != c.code || !strings.Contains(errs.String(), c.want) {
				t.Fatalf("ended with %d, want %d and %q:\n%s", code, c.code, c.want, errs)
			}
			if rules, err := os.ReadFile(out); strings.Contains(c.want, "1 holds") && (err != nil || !strings.Contains(string(rules), `"params":["fbid"]`) || strings.Contains(string(rules), `"ref"`)) {
				t.Errorf("%v\n%s", err, rules)
			}
		})
	}
	code, _, errs := program(t.Context(), "mine", "--lists", list, log)
	if want := "Of 3 names on the list that your log has, 0 look right here, 0 look wrong, of 3 the log cannot tell."; code != 0 || !strings.Contains(errs.String(), want) {
		t.Errorf("mine ended with %d, want %q:\n%s", code, want, errs)
	}
}

// A daemon takes the names of a list as candidates, too.
func TestListsOfDaemon(t *testing.T) {
	t.Parallel()
	log := newFile(t, "access.log", changing(60, "/p%d", "/p%[1]d?fbid=%[1]d"))
	list, dir := newFile(t, "list.txt", "fbid\nnot a name\n"), t.TempDir()
	stop, stderr := inside(t, nil, "--tail", log, "--state", dir, "--admin-listen", "", "--no-withhold", "--window", "0", "--refine-interval", "100ms", "--learn-interval", "100ms",
		"--no-validate", "--lists", list)
	defer stop()
	stderr.awaits(t, "line 2: ", "is neither the name of a parameter")
	awaitText(t, filepath.Join(dir, "rules.jsonl"), `"params":["fbid"]`, `"learner":"lists"`)
}
