package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
)

// report returns the report of a log. Secrets are not masked, since a mask would change the
// shape of a page.
func report(t testing.TB, command, log string, args ...string) []byte {
	t.Helper()
	var errs bytes.Buffer
	cmd := exec.Command(program, append([]string{command, "--no-withhold", "--output", "html", log}, args...)...)
	cmd.Stderr = &errs
	page, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	return page
}

// shop returns the log of a made-up site of 120 items, whose items have a second folder, and a
// parameter without effect. The two texts are the name of the second folder and of the parameter.
func shop(folder, param string) string {
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	add := func(target string, size int) {
		fmt.Fprintf(&b, "10.0.%d.%d - - [%s] \"GET %s HTTP/1.1\" 200 %d \"-\" \"robot\"\n", rng.IntN(9), rng.IntN(250), stamp, target, size)
	}
	for i := range 120 {
		size := 2000 + 137*i
		for range 1 + rng.IntN(4) {
			add(fmt.Sprintf("/item/%d", i), size)
		}
		add(fmt.Sprintf("/%s/%d", folder, i), size)
		add(fmt.Sprintf("/item/%d?%s=%d", i, param, rng.IntN(1_000_000)), size)
		add(fmt.Sprintf("/list/%d?page=%d", i/10, i%10), 900+rng.IntN(40_000))
	}
	fmt.Fprintf(&b, "10.0.0.1 - - [%s] \"POST /basket HTTP/1.1\" 200 9 \"-\" \"robot\"\n", stamp)
	for i := range 30 {
		add(fmt.Sprintf("/gone/%d", i), 512) // one size: an error page with status 200
	}
	return b.String()
}

// serve serves a page.
func serve(t testing.TB, page []byte) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/"
}

// Texts of logs that are made to break out of a page. The parameters hold no & and no ;, which
// would separate parameters.
var breakers = []string{
	`<script>alert(1)</script>`, `"onload="alert(1)`, `'><b>x</b><img src=x onerror=alert(1)>`, `</code></title></style></svg><iframe src=x>`,
	`{{.Data}}`, `javascript:alert(1)`, "\u202egnp.exe", `%3Cscript%3Ealert(1)`, `%E2%80%AE%E2%80%AEx`, `<!--`, strings.Repeat("x<b>", 60),
}

// A report opens in light and dark, on a wide and on a narrow window and in print, without an
// error, a request elsewhere, a script, or a line that is wider than the window; axe-core finds
// no violation.
func TestReport(t *testing.T) {
	source := axe(t)
	hostile := serve(t, report(t, "mine", file(t, shop(breakers[0]+strings.Repeat("y", 1000), breakers[2]))))
	benign := serve(t, report(t, "mine", file(t, shop("article", "sid"))))
	b := open(t, benign)
	for _, c := range []struct{ name, url string }{{"report", benign}, {"report-hostile", hostile}} {
		b.origin = c.url
		b.everyLook(c.name, c.url, source, func(string, int64) {})
	}
}

// nodes is an expression for the number of elements of each kind with their attributes.
const nodes = `JSON.stringify(Array.from(document.querySelectorAll("*")).reduce(function (all, e) {
	const kind = e.tagName + " " + e.getAttributeNames().sort().join(" ");
	all[kind] = (all[kind] || 0) + 1;
	return all;
}, {}))`

// harmless returns a text of the same shape as a breaker: each character that means something in
// markup becomes a character of the same kind and length that means nothing.
func harmless(breaker string) string {
	return strings.NewReplacer("<", "%28", ">", "%29", `"`, "%28", " ", "%29", "%3C", "%28", "%3E", "%29", "'", "!", "{", "|", "}", "|",
		"\u202e", "\u0e01", "%E2%80%AE", "%E0%B8%81", "script", "scrypt", "onerror", "onterra", "onload", "onland").Replace(breaker)
}

// A log made to break out of the page gives the page of a log of the same shape: the same
// elements with the same attributes, as many of each, and more only of text.
func TestHostileReport(t *testing.T) {
	b := open(t, "")
	count := func(text string) (all map[string]int, shown string) {
		b.origin = serve(t, report(t, "mine", file(t, shop(text, text))))
		b.visit(b.origin)
		must(t, json.Unmarshal([]byte(eval[string](b, nodes)), &all))
		b.check(b.origin)
		return all, b.text()
	}
	for _, text := range breakers {
		got, shown := count(text)
		want, other := count(harmless(text))
		if !maps.Equal(got, want) {
			for kind := range want {
				if got[kind] != want[kind] {
					t.Errorf("%.60q makes %d elements %s, want %d", text, got[kind], kind, want[kind])
				}
			}
			for kind := range got {
				if want[kind] == 0 {
					t.Errorf("%.60q makes %d elements %s", text, got[kind], kind)
				}
			}
			t.Logf("%s\n\n%s", shown, other)
		}
		all := 0
		for _, n := range got {
			all += n
		}
		if shown == other || all < 300 {
			t.Errorf("%.60q: %d elements, and the text of its twin", text, all)
		}
	}
}

// Without scripts a report is the same but for the buttons that copy and save: everything can be read, and what is
// folded opens.
func TestReportWithoutScripts(t *testing.T) {
	b := open(t, "")
	b.origin = serve(t, report(t, "mine", file(t, shop("article", "sid"))))
	read := func(scripts bool) string {
		call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
		b.visit(b.origin)
		if shown := eval[bool](b, `Array.from(document.querySelectorAll("button.tool")).some(e => getComputedStyle(e).display !== "none")`); shown != scripts {
			t.Errorf("scripts %v: the buttons are shown: %v", scripts, shown)
		}
		eval[int](b, `document.querySelectorAll("button.tool").forEach(e => e.remove()), document.querySelector("summary").click(), 0`)
		b.check("report")
		return b.text()
	}
	without := read(false)
	if with := read(true); with != without {
		t.Errorf("without scripts:\n%s\nwith scripts:\n%s", without, with)
	}
	for _, want := range []string{"Duplicates", "ignore the parameter sid", "What to do", "Test the rules first", "Lines that do not count", "/item/"} {
		if !strings.Contains(without, want) {
			t.Errorf("%q cannot be read:\n%s", want, without)
		}
	}
}

// The first rule and what to do stand on the first screen of a wide window, side by side. The buttons copy the texts and
// save the tables.
func TestReportTools(t *testing.T) {
	b := open(t, "")
	b.origin = serve(t, report(t, "mine", file(t, shop("article", "sid"))))
	b.look(1440, "light")
	b.visit(b.origin)
	tops := eval[[]float64](b, `["ol.most li", "#do", "#do ~ pre"].map(s => document.querySelector(s).getBoundingClientRect().top)`)
	if t.Logf("the first rule, what to do and the first command stand at %.0f", tops); slices.Max(tops) > 600 {
		t.Error("what to do is not on the first screen")
	}
	got := eval[string](b, `(async () => {
		const blobs = [];
		document.execCommand = () => { window.copied = document.getSelection().toString(); return true; };
		Object.defineProperty(navigator, "clipboard", { value: undefined });
		URL.createObjectURL = b => { blobs.push(b); return "data:,"; };
		HTMLAnchorElement.prototype.click = () => {};
		document.querySelector("#do ~ button.tool").click();
		document.querySelector("#rules-1 th code").textContent = '=1+"2"';
		document.querySelector("[data-csv=rules]").click();
		return [window.copied, document.querySelector("#do ~ button.tool").textContent, await blobs[0].text()].join("|");
	})()`)
	for _, want := range []string{"dustbuster validate ", "|Copied|", `"No.","Rule","Test","URLs"`, `"'=1+""2""","not tested"`} {
		if !strings.Contains(got, want) {
			t.Errorf("the buttons give no %s:\n%s", want, got)
		}
	}
	b.check("tools")
}

// The report of validate shows verdicts.
func TestReportOfTrials(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(town))
	defer site.Close()
	url := serve(t, report(t, "validate", file(t, visits()), "--origin", site.URL, "--fetch-delay", "0"))
	b := open(t, url)
	for _, width := range []int64{1440, 360} {
		b.look(width, "light")
		b.visit(url)
		b.shoot(fmt.Sprintf("trials-%d", width))
		b.check(url)
		b.checkAxe(url, axe(t))
		b.faults = nil
	}
	if text := b.text(); !strings.Contains(text, "confirmed") || !strings.Contains(text, "match, 0 differ") {
		t.Errorf("no verdict:\n%s", text)
	}
}

// The page of compare keeps to the window too: its wide tables scroll by themselves.
func TestComparisonPage(t *testing.T) {
	var crawl strings.Builder
	for i := range 200 {
		for _, sid := range []string{"", "?sid=1", "?sid=2"} {
			fmt.Fprintf(&crawl, "/item/%d%s\t200\t%d\t%016x\n", i, sid, 1000+i%50, i+1)
		}
	}
	cmd := exec.Command(program, "compare", "--seeds", "2", "--learners", "dustbuster,duster,drops", "--output", "html", file(t, crawl.String()))
	page, err := cmd.Output()
	must(t, err)
	url := serve(t, page)
	b := open(t, url)
	for _, width := range []int64{1440, 360} {
		b.look(width, "dark")
		b.visit(url)
		if wide := eval[int64](b, "document.documentElement.scrollWidth"); wide > width {
			t.Errorf("the page is %d wide, not %d", wide, width)
		}
		b.shoot(fmt.Sprintf("comparison-%d", width))
		b.check(url)
		b.checkAxe(url, axe(t))
		b.faults = nil
	}
}
