package offline

import (
	"bytes"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/operators/url/secret"
)

// A shell takes a quoted text as one word, as it is.
func TestShellWord(t *testing.T) {
	for _, s := range []string{"", "www.example.org", "a.example:8080", "[::1]:80", "our shops", "it's", `$(id)"\`, "`id`;&|<>*?", "a\nb", "-x", "\u202ex", "'"} {
		out, err := exec.Command("sh", "-c", "printf '%s|' "+ShellWord(s)).Output()
		if err != nil || string(out) != s+"|" {
			t.Errorf("%q: %q, %v", s, out, err)
		}
	}
	if got := (Applying{"rules.jsonl", []string{"access.log"}}).Export("nginx", "www.example.org", true); got != "dustbuster export nginx --redirect --rules rules.jsonl --site www.example.org --urls access.log > nginx.conf" {
		t.Error(got)
	}
	if got := (Applying{Rules: "of 5.jsonl"}).Export("clean-param", "", false); got != "dustbuster export clean-param --rules 'of 5.jsonl' --site HOST" {
		t.Error(got)
	}
}

// A list explains once how it masks secrets, if it does.
func TestLegendOfMasks(t *testing.T) {
	for _, c := range []struct {
		sites  string
		lifted bool
		want   int
	}{{"drop *** and ***\n", false, 1}, {"drop a\n", false, 0}, {"drop ***\n", true, 0}} {
		var out bytes.Buffer
		p := textPrinter{mining: &mining{o: mineOptions{veil: secret.Veil{Lifted: c.lifted}}}, w: &out}
		p.sites.WriteString(c.sites)
		if err := p.end(); err != nil || strings.Count(out.String(), "*** hides a value") != c.want {
			t.Errorf("%q: %v\n%s", c.sites, err, &out)
		}
	}
}

func TestHostsOf(t *testing.T) {
	groups := map[string][]string{"shops": {"a.example", "*.b.example"}}
	for _, c := range []struct {
		byDomain bool
		site     string
		want     []string
	}{
		{false, "www.example.org", nil},
		{false, "shops", []string{"shops", "a.example", "*.b.example"}},
		{true, "shops", []string{"shops", "a.example", "*.b.example"}},
		{true, "example.org", []string{"example.org", "*.example.org"}},
		{true, "", nil},
	} {
		if got := HostsOf(c.byDomain, groups)(c.site); !slices.Equal(got, c.want) {
			t.Errorf("%v, %q: %q, want %q", c.byDomain, c.site, got, c.want)
		}
	}
}

// A rule that explains the most is shown first only if it is one of the rows that are listed: --top lists 50.
func TestFirstOfManyRows(t *testing.T) {
	var log strings.Builder
	hit := func(url string, size int) {
		fmt.Fprintf(&log, "192.0.2.1 - - [02/Jan/2026:10:00:00 +0000] \"GET %s HTTP/1.1\" 200 %d\n", url, size)
	}
	size := 1000
	for n := range 55 {
		for page := range 12 {
			size += 50
			hit(fmt.Sprintf("/folder%d/page%d", n, page), size)
			hit(fmt.Sprintf("/folder%d/page%d?name%d=value%d", n, page, n, n), size)
		}
	}
	for page := range 100 { // more pages, of which one in seven differs: the rule comes last
		size += 50
		hit(fmt.Sprintf("/many/page%d", page), size)
		hit(fmt.Sprintf("/many/page%d?print", page), size+page%7/6*20000)
	}
	out := report(t, []string{expect.File(t, "access.log", log.String())}, []string{"text"}, func(o *mineOptions) { o.all, o.top, o.brief = false, 50, true }, 1)
	if !strings.Contains(out, "more rules (--top 0)") || !strings.Contains(out, "\n  5  ") || strings.Contains(out, "print") {
		t.Errorf("%s", out)
	}
}
