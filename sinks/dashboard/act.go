package dashboard

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule/report"
	"dustbuster/sinks/page"
)

// maxForm is the most bytes of a posted form.
const maxForm = 64 << 10

// acts are what buttons do. An act returns the page to show afterwards.
var acts = map[string]func(d *Dashboard, site string, f url.Values) error{
	"approve": func(d *Dashboard, site string, f url.Values) error {
		return found(f.Get("mark") != "" && d.daemon.Approve(site, f.Get("mark")), "This update is not held back any more: look at the site again.")
	},
	"recheck": func(d *Dashboard, site string, f url.Values) error {
		return found(d.daemon.Recheck(site, f.Get("id")), "Nothing is published that could be tried again.")
	},
	"veto":     wish(func(f url.Values) lifecycle.Wish { return lifecycle.Wish{Veto: f.Get("id")} }),
	"unveto":   wish(func(f url.Values) lifecycle.Wish { return lifecycle.Wish{Veto: f.Get("id"), Undo: true} }),
	"pin":      wish(func(f url.Values) lifecycle.Wish { return lifecycle.Wish{Pin: f.Get("id")} }),
	"unpin":    wish(func(f url.Values) lifecycle.Wish { return lifecycle.Wish{Pin: f.Get("id"), Undo: true} }),
	"prefer":   wish(func(f url.Values) lifecycle.Wish { return lifecycle.Wish{Prefer: []string{f.Get("side")}} }),
	"unprefer": wish(func(f url.Values) lifecycle.Wish { return lifecycle.Wish{Prefer: []string{f.Get("side")}, Undo: true} }),
}

// wish is the act of a decision.
func wish(of func(url.Values) lifecycle.Wish) func(*Dashboard, string, url.Values) error {
	return func(d *Dashboard, site string, f url.Values) error {
		w := of(f)
		if w.Veto == "" && w.Pin == "" && (len(w.Prefer) == 0 || w.Prefer[0] == "") {
			return &failure{http.StatusBadRequest, "The form names no rule and no text."}
		}
		switch err := d.daemon.Wish(site, w); {
		case err == nil:
			return nil
		case errors.Is(err, report.ErrNoSite):
			return &failure{http.StatusNotFound, "No rules of this site are tried here."}
		case errors.Is(err, lifecycle.ErrNoRule):
			return &failure{http.StatusNotFound, "No such rule or text is known any more."}
		case errors.Is(err, lifecycle.ErrSettings):
			return &failure{http.StatusBadRequest, "The configuration decides this, and wins: change the configuration."}
		case errors.Is(err, lifecycle.ErrMany):
			return &failure{http.StatusBadRequest, "The site has too many already: take some back."}
		case errors.Is(err, lifecycle.ErrText):
			return &failure{http.StatusBadRequest, "The text must be 1 to 1,024 bytes as they stand in URLs, such as /story/."}
		default:
			return err
		}
	}
}

func found(ok bool, reason string) error {
	if ok {
		return nil
	}
	return &failure{http.StatusNotFound, reason}
}

// said is what the page says after an act.
var said = map[string]string{
	"approve": "The update is published with the next look at the site, within a minute.",
	"recheck": "The rules are tried again now.",
	"veto":    "The rule is vetoed. It leaves the published list with the next publication.",
	"unveto":  "The veto is taken back. The rule is tried again.",
	"pin":     "The rule is pinned: it stays while nothing refutes it.",
	"unpin":   "The pin is taken back.",
	"prefer":  "The text is preferred from the next look at the site on.",

	"unprefer": "The text is not preferred any more.",
}

// done returns what the page says after an act; "" if there was none.
func done(name string) string { return said[name] }

// backs are the pages that a form may lead back to.
var backs = map[string]bool{"": true, "site": true, "rules": true, "verdicts": true, "history": true, "likely": true}

// act does what a button says. The access control has refused posts by other sites' pages.
func (d *Dashboard) act(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		unread := &failure{http.StatusBadRequest, "The form cannot be read."}
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			unread = &failure{http.StatusRequestEntityTooLarge, "The form is too large."}
		}
		failed(d.looks.get(), unread).write(w, r)
		return
	}
	f := r.PostForm
	name, site, back := f.Get("do"), f.Get("site"), f.Get("back")
	do := acts[name]
	if do == nil || !f.Has("site") || !backs[back] {
		failed(d.looks.get(), &failure{http.StatusBadRequest, "The form says nothing that can be done."}).write(w, r)
		return
	}
	if owner, elsewhere := d.daemon.Elsewhere(r.Context(), site); elsewhere {
		text := fmt.Sprintf("Another member of the group owns this site: %s %s.", page.Visible(owner.Member), page.Visible(owner.Host))
		failed(d.looks.get(), &failure{http.StatusMisdirectedRequest, text}).write(w, r)
		return
	}
	if err := do(d, site, f); err != nil {
		failed(d.looks.get(), err).write(w, r)
		return
	}
	d.looks.forget()
	q := url.Values{"done": {name}}
	if back != "" {
		q.Set("site", site)
	}
	w.Header().Set("Location", strings.TrimPrefix(back+"?"+q.Encode(), "/"))
	if back == "" {
		w.Header().Set("Location", "./?"+q.Encode())
	}
	w.WriteHeader(http.StatusSeeOther)
}
