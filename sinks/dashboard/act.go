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
	"approve": {decide(false), "Approved. What is approved is published with the next look at the site, within a minute."},
	"reject":  {decide(true), "Rejected. What is rejected is vetoed, and not tried again."},
	"recheck": {func(d *Dashboard, site string, f url.Values) error {
		err := d.daemon.Recheck(site, f.Get("id"))
		if errors.Is(err, report.ErrBusy) {
			return failureOf(err)
		}
		return found(err == nil, "Nothing is published that could have a new trial.")
	}, "New trials begin now."},
	"look":     {lookNow, "The pages were fetched, or are being fetched: reload the page then."},
	"veto":     {wish(veto, false), "Vetoed. What is vetoed leaves the published list with the next publication."},
	"unveto":   {wish(veto, true), "The veto is taken back. What it kept out gets a new trial."},
	"pin":      {wish(pin, false), "Pinned: such a rule stays while nothing refutes it."},
	"unpin":    {wish(pin, true), "The pin is taken back."},
	"prefer":   {wish(prefer, false), "The text is preferred from the next look at the site on."},
	"ours":     {wish(approveSite, false), "The site is yours. Its rules are tried from the next look at the site on."},
	"unours":   {wish(approveSite, true), "The approval is taken back. If nothing else says that the site is yours, its rules are withdrawn."},
	"allow":    {wish(allow, false), "Allowed. URLs with the parameter may be requested from the next look at the site on."},
	"unallow":  {wish(allow, true), "URLs with the parameter are not requested any more, unless enough visitors ask for them."},
	"unused":   {wish(drop, true), "The file is not in use: nothing tells any more when to make it anew."},
	"unprefer": {wish(prefer, true), "The text is not preferred any more."},
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
			return &failure{http.StatusBadRequest, "The form names no rule and no text."}
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
	report.ErrNoSite: {http.StatusNotFound, "No rules of this site are validated here."},
	report.ErrBusy:   {http.StatusServiceUnavailable, "The site is busy, and nothing was changed: try again in a moment."},
	book.ErrNoRule:   {http.StatusNotFound, "No such rule or text is known any more."},
	book.ErrNoFile:   {http.StatusNotFound, "No such file is known any more."},
	book.ErrSettings: {http.StatusBadRequest, "The configuration decides this, and wins: change the configuration."},
	book.ErrMany:     {http.StatusBadRequest, "The site has too many already: take some back."},
	book.ErrNotHeld:  {http.StatusNotFound, "Nothing of this site is held any more: look at the site again."},
	book.ErrChanged:  {http.StatusConflict, "The update has changed since this page was made, or somebody has decided on a part of it: look at the site again."},
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
		return &failure{http.StatusTooManyRequests, "Too many looks are under way: try again in a moment."}
	case err != nil:
		return &failure{http.StatusNotFound, "No such pair is known any more."}
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
		return "", &failure{http.StatusBadRequest, "The form says nothing that can be done."}
	}
	if owner, elsewhere := d.daemon.Elsewhere(r.Context(), site); elsewhere {
		text := fmt.Sprintf("Another member of the group owns this site: %s %s.", page.Visible(owner.Member), page.Visible(owner.Host))
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
