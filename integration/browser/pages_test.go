package browser

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// paths are all pages of the town's daemon.
var paths = map[string]string{
	"overview": "", "site": "site?site=", "rules": "rules?site=", "history": "history?site=", "verdicts": "verdicts?site=", "likely": "likely?site=",
	"export": "export?site=", "caddy": "export?site=&format=caddy&redirect=yes", "lines": "export?site=&format=clean-param",
	"inputs": "inputs", "left": "left", "try": "try", "tried": "try?url=/story%3Fid%3D7%26sid%3D9", "lost": "site?site=nobody.example",
}

// Every page opens in light and dark, on a wide and on a narrow window, without an error, a
// request elsewhere, or a line that is wider than the window; axe-core finds no violation. The
// log, its name and the rules are made to break out of the pages.
func TestPages(t *testing.T) {
	d := startTown(t)
	b := open(t, d.url)
	d.await("trial", func(s *status) bool { return s.Trials.Sites[""].Trial != nil })
	b.look(1440, "light")
	b.visit(d.url + "site?site=")
	b.shoot("trial-1440-light")
	d.idle()
	source := axe(t)
	for name, path := range paths {
		b.everyLook(name, d.url+path, source, func(where string, width int64) {
			b.onlyTemplates(where, width)
			if name == "lost" {
				b.faults = nil // Chromium notes the status 404
			}
		})
	}
	b.visit(d.url + "inputs")
	if text := b.text(); !strings.Contains(text, `<img src=x onerror=alert(1)>\u202egol.log`) {
		t.Errorf("the name of the log is not shown as text:\n%s", text)
	}
	b.visit(d.url + "verdicts?site=")
	if text := b.text(); !strings.Contains(text, "'onmouseover=alert(1)//") && !strings.Contains(text, "{{.}}`$x") {
		t.Errorf("no rule has a name made to break out:\n%s", text)
	}
	if source == "" {
		t.Skip("all but accessibility was checked: no axe-core")
	}
}

// Without scripts every page shows what it shows with scripts: the daemon writes the whole page.
func TestPagesWithoutScripts(t *testing.T) {
	d := startTown(t)
	b := open(t, d.url)
	d.idle()
	for name, path := range paths {
		read := func(scripts bool) string {
			call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
			b.visit(d.url + path)
			eval[int](b, `document.querySelectorAll("button.tool").forEach(e => e.remove()), 0`) // which only copy and save
			return b.text()
		}
		with, without := read(true), read(false)
		if with != without || len(without) < 200 {
			t.Errorf("%s without scripts:\n%s\nwith scripts:\n%s", name, without, with)
		}
	}
}

// foreignNodes is an expression for the elements that are not of the templates.
const foreignNodes = `Array.from(document.querySelectorAll("*")).filter(function (e) {
	return ["IMG", "IFRAME", "OBJECT", "EMBED", "BASE", "B-OBOT"].includes(e.tagName) ||
		e.tagName === "SCRIPT" && !/\/live-[0-9a-f]+\.js$/.test(e.src) ||
		Array.from(e.attributes).some(a => a.name.startsWith("on") || a.name === "style") ||
		(e.href || e.action || "").toString().startsWith("javascript:");
}).map(e => e.outerHTML.slice(0, 200))`

// An open page shows what happens without being loaded again, and leaves alone the part in
// which the reader works.
func TestLive(t *testing.T) {
	d := start(t, visits())
	d.await("URLs", func(s *status) bool { return s.CaughtUp && len(s.Sites) == 1 })
	b := open(t, d.url)
	b.visit(d.url)
	before := b.text()
	eval[int](b, `window.same = true; document.querySelector("#q").value = "typed"; document.querySelector("#q").focus(); 0`)
	time.Sleep(4 * time.Second) // the page has been loaded anew once, after the stream began
	more := strings.ReplaceAll(visits(), "/news/", "/more/")
	begun := time.Now()
	d.write(more)
	urls := d.await("more URLs", func(s *status) bool { return len(s.Sites) == 1 && s.Sites[0].URLs > 900 }).Sites[0].URLs
	b.awaitText(fmt.Sprint(urls))
	t.Logf("lines are shown after %v", time.Since(begun))
	if !eval[bool](b, `window.same === true && document.querySelector("#q").value === "typed" && document.activeElement.id === "q"`) || before == b.text() {
		t.Error("the page was loaded again, or what was typed is gone")
	}
	b.check("live")
}

// awaitText waits until the page shows a text. Commas between thousands are left out.
func (b *tab) awaitText(text string) {
	b.t.Helper()
	until(b.t, "a page with "+text, func() (string, bool) {
		shown := strings.ReplaceAll(b.text(), ",", "")
		return shown, strings.Contains(shown, text)
	})
}

// The buttons do what they say, with and without scripts.
func TestButtons(t *testing.T) {
	for _, scripts := range []bool{true, false} {
		t.Run(fmt.Sprintf("scripts %v", scripts), func(t *testing.T) {
			d := startTown(t, "--hold-share", "0.3")
			b := open(t, d.url)
			call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !scripts})
			s := d.idle()
			if len(s.Trials.Held) == 0 {
				t.Fatalf("nothing is held: %+v", s)
			}
			b.visitUntil(d.url, "Look at it and decide")
			b.visitUntil(d.url+"site?site=", "Waiting for your approval")
			b.submit(map[string]string{"back": "site", "do": "approve"})
			if text := b.text(); !strings.Contains(text, "Approved. It is published") || eval[string](b, "location.pathname") != "/site" {
				t.Error(text)
			}
			after := d.await("approved update", func(now *status) bool { return len(now.Trials.Held) == 0 && now.Trials.Rules > s.Trials.Rules })
			b.visitUntil(d.url+"rules?site=", "value=\"veto\"")
			id := eval[string](b, `document.querySelector("form:has([value=veto]) [name=id]").value`)
			b.submit(map[string]string{"do": "pin", "id": id})
			d.await("pin", func(s *status) bool { return slices.Contains(s.Trials.Wishes[""].Pin, id) })
			b.visitUntil(d.url+"rules?site=", "value=\"unpin\"")
			b.submit(map[string]string{"do": "unpin", "id": id})
			d.await("end of the pin", func(s *status) bool { return len(s.Trials.Wishes[""].Pin) == 0 })
			b.submit(map[string]string{"do": "recheck", "id": id})
			if !strings.Contains(b.text(), "The tests begin now") {
				t.Error(b.text())
			}
			b.submit(map[string]string{"do": "veto", "id": id})
			d.await("veto", func(s *status) bool { return slices.Contains(s.Trials.Wishes[""].Veto, id) })
			d.await("list without the vetoed rule", func(s *status) bool { return s.Trials.Published[""].Sequence > after.Trials.Published[""].Sequence })
			b.visitUntil(d.url+"history?site=", "an operator vetoed the rule")
			b.visitUntil(d.url+"site?site=", "value=\"unveto\"")
			b.submit(map[string]string{"do": "unveto"})
			b.visit(d.url + "site?site=")
			b.submit(map[string]string{"do": "prefer"}, "side", "/story_")
			d.await("preference", func(s *status) bool { w := s.Trials.Wishes[""]; return len(w.Prefer) == 1 && len(w.Veto) == 0 })
			b.check("buttons")
		})
	}
}

// Of two operators who look at one held update, one approves a rule of it and stays on the site's page. The
// other, whose page is of before, is told that the update has changed. Then the first rejects the rest, which is
// vetoed.
func TestDecideOnRules(t *testing.T) {
	d := startTown(t, "--hold-share", "0.05")
	b, other := open(t, d.url), open(t, d.url)
	if s := d.idle(); s.Trials.Held[""].Rules < 2 {
		t.Fatalf("fewer than two rules are held: %+v", s)
	}
	for _, tab := range []*tab{b, other} {
		tab.visitUntil(d.url+"site?site=", "Reject all")
	}
	eval[int](other, `document.querySelector("#held button").focus(), 0`) // a part in which somebody works is not replaced
	b.look(1440, "light")
	b.shoot("held-1440-light")
	b.checkAxe("held", axe(t))
	rules := d.idle().Trials.Held[""].Rules
	id := eval[string](b, `document.querySelector("#held article [name=id]").value`)
	b.submit(map[string]string{"id": id, "do": "approve"})
	if text := b.text(); !strings.Contains(text, "Approved. It is published") || eval[string](b, "location.pathname") != "/site" {
		t.Error(text)
	}
	d.await("the update without the rule", func(s *status) bool { return s.Trials.Held[""].Rules == rules-1 && s.Trials.Rules > 0 })
	other.submit(map[string]string{"back": "site", "do": "approve"})
	if text := other.text(); !strings.Contains(text, "The rules that wait have changed") {
		t.Error(text)
	}
	other.faults = nil // Chromium notes the status 409
	b.visitUntil(d.url+"site?site=", "Reject")
	eval[int](b, `document.querySelectorAll("#held [value=approve]").forEach(e => e.remove()), 0`)
	b.submit(map[string]string{"back": "site", "do": "reject"})
	d.await("the vetoes", func(s *status) bool { return len(s.Trials.Held) == 0 && len(s.Trials.Wishes[""].Veto) >= rules-1 })
	b.visitUntil(d.url+"site?site=", "value=\"unveto\"")
	b.submit(map[string]string{"do": "veto", "back": "site"}, "param", "sid")
	d.await("the veto of a parameter", func(s *status) bool { return slices.Contains(s.Trials.Wishes[""].Texts, "sid") })
	b.check("decisions")
}

// An operator comes from the site to the text for a server, which is that of the API.
func TestExportPage(t *testing.T) {
	d := startTown(t, "--hold-share", "1")
	b := open(t, d.url)
	d.idle()
	b.visit(d.url + "site?site=")
	for _, link := range []string{"^='export?'", "^='export?format=apache'"} {
		b.press("a[href" + link + "]")
	}
	shown := eval[string](b, `document.querySelector("pre").textContent`)
	b.check("export")
	b.press("a[href^='api/']") // a plain text, for which Chromium asks for an icon
	if file := strings.ReplaceAll(b.text(), "\t", "    "); strings.TrimSpace(file) != strings.TrimSpace(shown) || !strings.Contains(file, "RewriteRule") || !strings.Contains(file, "canonical") {
		t.Errorf("the page shows\n%s\nand the file is\n%s", shown, file)
	}
}

// A page of a daemon with a token asks for the token, and then works as without.
func TestLogin(t *testing.T) {
	token := strings.Repeat("t0ken-", 8)
	d := start(t, visits(), "--admin-token-file", file(t, token))
	b := open(t, d.url)
	until(t, "form to log in", func() (text string, ok bool) {
		if chromedp.Do(b.ctx, chromedp.Navigate(d.url)) == nil {
			text = b.text()
		}
		return text, strings.Contains(text, "Log in")
	})
	b.checkAxe("login", axe(t))
	b.shoot("login")
	b.faults = nil // Chromium notes the status 401
	b.do(chromedp.SendKeys("input[name=token]", token+"\n"), chromedp.WaitReady("#state"))
	b.visit(d.url + "inputs")
	b.awaitText("caught up")
	b.check("logged in")
}
