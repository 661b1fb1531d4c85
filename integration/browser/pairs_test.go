package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// breaker is a text of a page that is made to break out of the dashboard, to turn its lines and to widen it.
var breaker = `&lt;img src=x onerror=alert(1)&gt; &lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt; ` + "\u202egnp.exe \u2066 \xff\xfe {{.}} " + strings.Repeat("wide", 75) + ` password: hunter2 ann@example.org javascript:alert(1)`

// shelf serves items whose views by v differ in a few words, and whose first view names a hostile canonical page.
func shelf(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(w, itemPage(r.URL.Path, r.URL.RawQuery))
}

func itemPage(path, query string) string {
	seed := uint64(0)
	fmt.Sscanf(path, "/item/%d", &seed)
	if query == "" {
		return "<p>plain " + text(seed)
	}
	return `<link rel=canonical href="/'onmouseover=alert(1)//` + query + `"><p>` + breaker + text(seed+5000)
}

// shelved is the log of a crawl of the shelf, in which both views of an item have one size.
func shelved() string {
	var b strings.Builder
	for i := range 100 {
		path := fmt.Sprintf("/item/%d", i)
		for j, target := range []string{path, path + "?v=1"} {
			fmt.Fprintf(&b, "10.0.%d.%d - - [%s] \"GET %s HTTP/1.1\" 200 %d \"-\" \"robot\"\n", j, i, stamp, target, len(itemPage(path, "")))
		}
	}
	return b.String()
}

// The pairs of a refuted rule show what hostile pages said as text, side by side, on wide and narrow windows. An
// operator may look again.
func TestPairs(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(shelf))
	defer server.Close()
	d := start(t, shelved(), "--fetch-kinds", "any", "--origin", server.URL, "--fetch-delay", "1ms", "--fetch-rate", "0", "--fetch-budget", "0", "--window", "0")
	b := open(t, d.url)
	b.visitUntil(d.url+"verdicts?site=&state=refuted", "of pages</a>")
	if text := b.text(); !strings.Contains(text, "a pair matches from") {
		t.Errorf("a refuted rule does not show its pair first:\n%s", text)
	}
	id := regexp.MustCompile(`pairs\?site=&id=([0-9a-f]+)`).FindStringSubmatch(eval[string](b, `document.querySelector("a[href*=pairs]").getAttribute("href")`))
	if id == nil {
		t.Fatal("no link to the pairs")
	}
	pairs, source := d.url+"pairs?site=&id="+id[1], axe(t)
	b.visit(pairs)
	b.submit(map[string]string{"do": "look", "pair": "0"})
	if !strings.Contains(b.text(), "A new look at") {
		t.Errorf("no new look:\n%s", b.text())
	}
	b.everyLook("pairs", pairs, source, b.onlyTemplates)
	shown := b.text()
	for _, want := range []string{"<script>alert(1)</script>", `\u202e`, "password: ***", "plain", "names as canonical", "status 200", "further words"} {
		if !strings.Contains(shown, want) {
			t.Errorf("the pairs do not show %q:\n%s", want, shown)
		}
	}
	if strings.ContainsAny(shown, "\u202e\u2066") || strings.Contains(shown, "hunter2") || strings.Contains(shown, "ann@") {
		t.Errorf("a character turns others, or a secret is shown:\n%s", shown)
	}
	if link := eval[string](b, `document.querySelector(".opened a").href`); !strings.HasPrefix(link, server.URL+"/item/") {
		t.Errorf("a page's link leads to %q", link)
	}
}
