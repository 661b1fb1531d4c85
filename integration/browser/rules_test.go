package browser

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Numbers of rules of the site of blocks.
const (
	manyRules      = 280
	mostPublished  = 256 // of a site
	rulesOfOnePage = 50
)

// block is a made-up site of blocks of flats. The flats of a block have two doors.
func block(w http.ResponseWriter, r *http.Request) {
	var door byte
	var i, k int
	if n, err := fmt.Sscanf(r.URL.Path, "/%c%d/flat%d", &door, &i, &k); n != 3 || err != nil || i >= manyRules {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(text(uint64(16*i + k))))
}

// flats returns the log of a crawl of the blocks.
func flats() string {
	var b strings.Builder
	for i := range manyRules {
		for k := range 12 {
			for _, door := range "ab" {
				fmt.Fprintf(&b, "10.0.%d.%d - - [%s] \"GET /%c%d/flat%d HTTP/1.1\" 200 %d \"-\" \"-\"\n", i%7, k+i%190, stamp, door, i, k, len(text(uint64(16*i+k))))
			}
		}
	}
	return b.String()
}

// With as many published rules as a site may have, the pages of the site are cut, the first
// paint comes soon, nothing is said on the console, and the keyboard alone reaches every link,
// button and field of the pages in their order, each with a visible focus.
func TestManyRules(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(block))
	defer site.Close()
	d := start(t, flats(), "--fetch-kinds", "any", "--origin", site.URL, "--fetch-delay", "1ms", "--fetch-rate", "0", "--fetch-budget", "0", "--hold-share", "1", "--publish-interval", "2s")
	d.await("rules", func(s *status) bool { return s.Trials.Rules == mostPublished })
	b := open(t, d.url)
	b.look(1440, "light")
	for _, c := range []struct{ name, path string }{{"overview", ""}, {"site", "site?site="}, {"rules", "rules?site="}, {"last rules", "rules?site=&page=6"}, {"history", "history?site="}, {"verdicts", "verdicts?site="}, {"try", "try?url=/b7/flat3"}} {
		best := 1e9
		for range 3 {
			b.visit(d.url + c.path)
			best = min(best, b.firstPaint())
		}
		cards := eval[int](b, `document.querySelectorAll(".card").length`)
		t.Logf("%s: first paint after %.0f ms, %d cards, %d elements", c.name, best, cards, eval[int](b, `document.querySelectorAll("*").length`))
		if want := map[string]int{"rules": rulesOfOnePage, "last rules": mostPublished % rulesOfOnePage, "history": rulesOfOnePage, "verdicts": rulesOfOnePage}[c.name]; cards != want {
			t.Errorf("%s has %d cards, want %d", c.name, cards, want)
		}
		b.checkKeyboard(c.name)
		b.check(c.name)
	}
}

// firstPaint returns when the page was first painted, in milliseconds since its address was opened.
func (b *tab) firstPaint() float64 {
	b.t.Helper()
	return eval[float64](b, `new Promise(function (done) {
		new PerformanceObserver(all => all.getEntriesByName("first-contentful-paint").forEach(e => done(e.startTime))).observe({type: "paint", buffered: true});
	})`)
}

// checkKeyboard presses the key Tab until the focus leaves the page.
func (b *tab) checkKeyboard(where string) {
	b.t.Helper()
	want := eval[int](b, `window.parts = Array.from(document.querySelectorAll("a[href], button, input:not([type=hidden]), summary, [tabindex='0']"));
		window.at = () => parts.indexOf(document.activeElement); document.activeElement.blur(); parts.length`)
	for i := range want {
		b.do(chromedp.KeyEvent("\t"))
		got := eval[struct {
			At      int
			Text    string
			Visible bool
		}](b, `(function () {
			const e = document.activeElement, style = getComputedStyle(e), box = e.getBoundingClientRect();
			return {At: at(), Text: e.outerHTML.slice(0, 100), Visible: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2 &&
				box.width > 0 && box.height > 0 && box.left >= 0 && box.bottom > 0 && box.top < innerHeight};
		})()`)
		if got.At != i || !got.Visible {
			b.t.Fatalf("%s: after %d tabs the focus is at part %d, want %d, of %d; visible %v: %s", where, i+1, got.At, i, want, got.Visible, got.Text)
		}
	}
	b.t.Logf("%s: the keyboard reaches %d parts", where, want)
}
