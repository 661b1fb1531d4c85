package browser

import (
	"context"
	"dustbuster/internal/expect"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// tab is a window of a browser that notes everything that no page may do.
type tab struct {
	t   testing.TB
	ctx context.Context

	mu     sync.Mutex
	origin string   // the only origin that requests may go to
	faults []string // errors on the console, requests elsewhere, dialogs
}

// open opens a window of a new browser.
func open(t testing.TB, origin string) *tab {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium: sh integration/tools.sh installs it")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.UserDataDir(t.TempDir()), chromedp.Flag("disable-dev-shm-usage", true))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 4*time.Minute)
	t.Cleanup(stop)
	b := &tab{t: t, ctx: ctx, origin: origin}
	b.do()
	must(t, chromedp.Listen(ctx, b.listen))
	call(b, network.Enable, network.EnableParams{})
	call(b, log.Enable, cdp.Empty{})
	return b
}

// listen notes faults.
func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fault := func(format string, args ...any) { b.faults = append(b.faults, fmt.Sprintf(format, args...)) }
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		fault("an exception: %s", e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		fault("the console: %s", e.Type)
	case *log.EventEntryAdded:
		fault("the log: %s %s", e.Entry.Text, e.Entry.URL)
	case *page.EventJavascriptDialogOpening:
		fault("a dialog: %s", e.Message)
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; !strings.HasPrefix(url, b.origin) && !strings.HasPrefix(url, "data:,") {
			fault("a request to %s", url)
		}
	}
}

// check reports the faults since the last check.
func (b *tab) check(where string) {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		b.t.Errorf("%s: %s", where, f)
	}
	b.faults = nil
}

// do runs actions.
func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// visit opens an address.
func (b *tab) visit(address string) {
	b.t.Helper()
	b.do(chromedp.Navigate(address), chromedp.WaitReady("footer"))
}

// visitUntil opens an address again and again until the page holds a text: a page may be a
// second old. Faults of earlier pages do not count: before the first line of a site, its pages have the status 404,
// which Chromium notes.
func (b *tab) visitUntil(address, text string) {
	b.t.Helper()
	until(b.t, address+" with "+text, func() (string, bool) {
		b.mu.Lock()
		b.faults = nil
		b.mu.Unlock()
		b.visit(address)
		return b.text(), strings.Contains(eval[string](b, "document.body.innerHTML"), text)
	})
}

// call runs a command of the browser's protocol.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, command, params); err != nil {
		b.t.Fatal(err)
	}
}

// eval returns the value of an expression. A promise is waited for.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatal(err)
	}
	return v
}

// text returns the text of the page.
func (b *tab) text() string { return eval[string](b, "document.body.innerText") }

// submit presses a button of a form that has some fields, and waits for the next page.
func (b *tab) submit(fields map[string]string, typed ...string) {
	b.t.Helper()
	selector := "form"
	for name, value := range fields {
		selector += fmt.Sprintf(`:has([name=%q][value=%q])`, name, value)
	}
	button := " button"
	if do := fields["do"]; do != "" { // else the form has one button
		button = fmt.Sprintf(" :is(button[value=%q], button:not([name]))", do)
	}
	for i := 0; i+1 < len(typed); i += 2 {
		b.do(chromedp.SendKeys(selector+fmt.Sprintf(" [name=%q]", typed[i]), typed[i+1]))
	}
	b.press(selector + button)
}

// press presses a button or a link, and waits for the next page.
func (b *tab) press(selector string) {
	b.t.Helper()
	eval[bool](b, "window.before = true")
	b.do(chromedp.Click(selector))
	until(b.t, "page behind "+selector, func() (error, bool) {
		there, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("!window.before && document.readyState === 'complete'"))
		return err, err == nil && there
	})
}

// until waits until look returns true, and returns the last value.
func until[T any](t testing.TB, what string, look func() (T, bool), said ...fmt.Stringer) T {
	t.Helper()
	return expect.Await(t, 5*time.Minute, what, look, said...)
}

// look sets the size of the window and the choice of light or dark.
func (b *tab) look(width int64, scheme string) {
	b.t.Helper()
	call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 500})
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// shoot keeps a picture of the whole page.
func (b *tab) shoot(name string) {
	b.t.Helper()
	picture, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(pictures(b.t), name+".png"), picture, 0o600); err != nil {
		b.t.Fatal(err)
	}
}

// pictures returns the directory of the pictures.
func pictures(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("DUSTBUSTER_SCREENSHOTS")
	if dir == "" {
		dir = filepath.Join(os.TempDir(), "dustbuster-screenshots")
	}
	must(t, os.MkdirAll(dir, 0o700))
	return dir
}

// must ends a test at an error.
var must = expect.NoError

// everyLook visits a page in light and dark, on a wide and on a narrow window, unfolded. No line may be wider than
// the window, axe-core finds no violation, and a picture is kept; more looks at the page.
func (b *tab) everyLook(name, address, axe string, more func(where string, width int64)) {
	b.t.Helper()
	for _, width := range []int64{1440, 360} {
		for _, scheme := range []string{"light", "dark"} {
			where := fmt.Sprintf("%s-%d-%s", name, width, scheme)
			b.look(width, scheme)
			b.visit(address)
			eval[int](b, `document.querySelectorAll("details").forEach(d => d.open = true), 0`)
			if wide := eval[int64](b, "document.documentElement.scrollWidth"); wide > width {
				b.t.Errorf("%s is %d wide", where, wide)
			}
			more(where, width)
			b.shoot(where)
			b.check(where)
			b.checkAxe(where, axe)
			b.faults = nil // axe-core itself breaks the policy of the page
		}
	}
}

// onlyTemplates reports elements that are not of the templates.
func (b *tab) onlyTemplates(where string, _ int64) {
	b.t.Helper()
	if odd := eval[[]string](b, foreignNodes); len(odd) > 0 {
		b.t.Errorf("%s has %q", where, odd)
	}
}
