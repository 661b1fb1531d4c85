package dashboard

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule/report"
	"dustbuster/sinks/page"
)

// maxForm is the most bytes of a posted form.
const maxForm = 64 << 10

// act is what a button does, and what the page says afterwards.
type act struct {
	do   func(d *Dashboard, site string, f url.Values) error
	said string
}

var acts = map[string]act{
	"approve": {decide(false), "Approved. It is published with the next look at the site, within a minute."},
	"reject":  {decide(true), "Rejected. It is vetoed, and not tested again."},
	"recheck": {func(d *Dashboard, site string, f url.Values) error {
		err := d.daemon.Recheck(site, f.Get("id"))
		if errors.Is(err, report.ErrBusy) {
			return failureOf(err)
		}
		return found(err == nil, "Nothing is published that could be tested again.")
	}, "The tests begin now."},
	"look":     {lookNow, "The pages are being fetched. Reload this page in a moment."},
	"veto":     {wish(veto, false), "Vetoed. The rule leaves the list at the next publication."},
	"unveto":   {wish(veto, true), "The veto is taken back. Its rules are tested again."},
	"pin":      {wish(pin, false), "Pinned. The rule stays published until a test finds a wrong page."},
	"unpin":    {wish(pin, true), "The pin is taken back."},
	"prefer":   {wish(prefer, false), "URLs with this text are preferred from the next look at the site."},
	"ours":     {wish(approveSite, false), "The site is yours. Its rules are tested from the next look at the site."},
	"unours":   {wish(approveSite, true), "The approval is taken back. Its rules are withdrawn, unless the configuration names the site."},
	"allow":    {wish(allow, false), "Allowed. URLs with this parameter may be requested from now on, after the next look at the site."},
	"unallow":  {wish(allow, true), "URLs with this parameter are requested only if enough visitors ask for them."},
	"unused":   {wish(drop, true), "Forgotten. No page will ask you to export this file again."},
	"unprefer": {wish(prefer, true), "URLs with this text are no longer preferred."},
}

// drop names a file of a site: its format, and behind a blank "redirect" if it redirects.
func drop(f url.Values) book.Wish {
	format, redirect := strings.CutSuffix(f.Get("file"), " redirect")
	return book.Wish{Drop: &book.File{Format: format, Redirect: redirect}}
}

func veto(f url.Values) book.Wish      { return book.Wish{Veto: f.Get("id"), Text: f.Get("param")} }
func pin(f url.Values) book.Wish       { return book.Wish{Pin: f.Get("id"), PinText: f.Get("param")} }
func allow(f url.Values) book.Wish     { return book.Wish{Allow: f.Get("param")} }
func approveSite(url.Values) book.Wish { return book.Wish{Ours: true} }
func prefer(f url.Values) book.Wish {
	return book.Wish{Prefer: []string{f.Get("side")}}
}

// wish is the act of a decision, or of taking it back.
func wish(of func(url.Values) book.Wish, undo bool) func(*Dashboard, string, url.Values) error {
	return func(d *Dashboard, site string, f url.Values) error {
		w := of(f)
		if w.Veto+w.Text+w.Pin+w.PinText+w.Allow == "" && !w.Ours && w.Drop == nil && (len(w.Prefer) == 0 || w.Prefer[0] == "") {
			return &failure{http.StatusBadRequest, "Name a rule or a text."}
		}
		w.Undo = undo
		return failureOf(d.daemon.Wish(site, w))
	}
}

// decide approves or rejects a held update, or one rule of it.
func decide(reject bool) func(*Dashboard, string, url.Values) error {
	return func(d *Dashboard, site string, f url.Values) error {
		return failureOf(d.daemon.Decide(site, book.Decision{Mark: f.Get("mark"), ID: f.Get("id"), Reject: reject}))
	}
}

// failureOf returns the error of a decision as it is shown.
func failureOf(err error) error {
	for known, shown := range wishFailures {
		if errors.Is(err, known) {
			return &shown
		}
	}
	return err
}

// wishFailures are the errors of decisions as they are shown.
var wishFailures = map[error]failure{
	report.ErrNoSite: {http.StatusNotFound, "No rules of this site are tested here."},
	report.ErrBusy:   {http.StatusServiceUnavailable, "The site is busy, and nothing was changed. Try again in a moment."},
	book.ErrNoRule:   {http.StatusNotFound, "This rule or text is no longer known."},
	book.ErrNoFile:   {http.StatusNotFound, "This file is no longer known."},
	book.ErrSettings: {http.StatusBadRequest, "The configuration decides this. Change the configuration."},
	book.ErrMany:     {http.StatusBadRequest, "The site has too many of these. Take some back first."},
	book.ErrNotHeld:  {http.StatusNotFound, "No rule of this site waits for approval any more. Look at the site again."},
	book.ErrChanged:  {http.StatusConflict, "The rules that wait have changed since this page was made. Look at them again, and decide then."},
	book.ErrParam:    {http.StatusBadRequest, "Give the NAME of a parameter, or NAME=VALUE for a word, as they stand in URLs."},
	book.ErrText:     {http.StatusBadRequest, "The text must be 1 to 1,024 bytes as they stand in URLs, such as /story/."},
}

// lookNow fetches the pages of a pair.
func lookNow(d *Dashboard, site string, f url.Values) error {
	pair, err := strconv.Atoi(f.Get("pair"))
	if err == nil {
		_, err = d.daemon.LookNow(site, f.Get("id"), pair)
	}
	switch {
	case errors.Is(err, report.ErrBusy):
		return failureOf(err)
	case errors.Is(err, book.ErrBusy):
		return &failure{http.StatusTooManyRequests, "Too many pages are being fetched. Try again in a moment."}
	case err != nil:
		return &failure{http.StatusNotFound, "This pair is no longer known."}
	}
	return nil
}

func found(ok bool, reason string) error {
	if ok {
		return nil
	}
	return &failure{http.StatusNotFound, reason}
}

// backs are the pages that a form may lead back to.
var backs = map[string]bool{"": true, "site": true, "rules": true, "verdicts": true, "history": true, "likely": true, "pairs": true}

// act does what a button says. The access control has refused posts by other sites' pages.
func (d *Dashboard) act(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	to, err := d.actOn(r)
	if err != nil {
		failed(d.looks.get(), err).write(w, r)
		return
	}
	d.looks.forget()
	w.Header().Set("Location", to)
	w.WriteHeader(http.StatusSeeOther)
}

// actOn does what a form says, and returns the page to show afterwards.
func (d *Dashboard) actOn(r *http.Request) (to string, err error) {
	if err := r.ParseForm(); err != nil {
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			return "", &failure{http.StatusRequestEntityTooLarge, "The form is too large."}
		}
		return "", &failure{http.StatusBadRequest, "The form cannot be read."}
	}
	f := r.PostForm
	name, site, back := f.Get("do"), f.Get("site"), f.Get("back")
	do := acts[name].do
	if do == nil || !f.Has("site") || !backs[back] {
		return "", &failure{http.StatusBadRequest, "This form cannot be used. Go back, reload the page, and try again."}
	}
	if owner, elsewhere := d.daemon.Elsewhere(r.Context(), site); elsewhere {
		text := fmt.Sprintf("Another member of the group has this site: %s %s.", page.Visible(owner.Member), page.Visible(owner.Host))
		return "", &failure{http.StatusMisdirectedRequest, text}
	}
	if err := do(d, site, f); err != nil {
		return "", err
	}
	q := url.Values{"done": {name}}
	if back == "" {
		return "./?" + q.Encode(), nil
	}
	q.Set("site", site)
	if back == "pairs" {
		q.Set("id", f.Get("id"))
	}
	return back + "?" + q.Encode(), nil
}
