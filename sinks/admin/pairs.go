package admin

import (
	"errors"
	"net/http"
	"time"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/report"
	"dustbuster/operators/window/waste"
)

// pairsJSON is a rule's verdict with its pairs opened.
type pairsJSON struct {
	Site string `json:"site"`
	ID   string `json:"id"`
	*rule.Wire
	State   rule.State    `json:"state"`
	Verdict rule.Verdict  `json:"verdict"` // without its examples, which are the pairs
	Pairs   []book.Opened `json:"pairs"`

	Effect *waste.EffectRecord `json:"touches,omitempty"` // nil: not known now
}

// pairs responds with the pairs of a rule's verdict.
func pairs(s State) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		site, id := r.URL.Query().Get("site"), r.URL.Query().Get("id")
		if id == "" {
			refuse(w, http.StatusBadRequest, "id", "is missing: ?site=HOST&id=ID")
			return
		}
		if !mine(w, r, s, site) {
			return
		}
		d, err := s.Detail(r.Context(), site, lifecycle.Query{ID: id, Most: 1, Effects: true})
		switch {
		case errors.Is(err, report.ErrBusy):
			busy(w)
			return
		case len(d.Tried) == 0:
			refuse(w, http.StatusNotFound, "id", "no verdict on such a rule is known here")
			return
		}
		e := &d.Tried[0]
		out := pairsJSON{Site: site, ID: e.ID, Wire: rule.NewWire(&e.Rule), State: e.State, Verdict: e.Verdict, Pairs: d.Pairs[e.ID]}
		out.Verdict.Examples = nil
		if effect, known := d.Effects[id]; known {
			out.Effect = effect.Record()
		}
		document(func() any { return out })(w, r)
	}
}

// lookWait is the wait before another look, if too many are under way.
const lookWait = 10 * time.Second

// lookNow fetches the pages of a pair.
func lookNow(s State) http.HandlerFunc {
	return withAsk(func(w http.ResponseWriter, r *http.Request, ask struct {
		ruleAsk
		Pair *int `json:"pair"`
	}) {
		if ask.Site == nil || ask.ID == nil || ask.Pair == nil {
			refuse(w, http.StatusBadRequest, "pair", `give {"site": HOST, "id": ID, "pair": N}: a rule, and the number of one of its pairs, from 0`)
			return
		}
		if !mine(w, r, s, *ask.Site) {
			return
		}
		switch seen, err := s.LookNow(*ask.Site, *ask.ID, *ask.Pair); {
		case errors.Is(err, report.ErrNoSite):
			refuse(w, http.StatusNotFound, "site", noSite)
		case errors.Is(err, report.ErrBusy):
			busy(w)
		case errors.Is(err, book.ErrNoPair):
			refuse(w, http.StatusNotFound, "pair", "no such pair is known: see /api/v1/pairs")
		case errors.Is(err, book.ErrBusy):
			retryAfter(w, lookWait)
			refuse(w, http.StatusTooManyRequests, "", "too many looks are under way")
		case err != nil:
			refuse(w, http.StatusInternalServerError, "", err.Error())
		case seen == nil:
			writeText(w, http.StatusAccepted, "the pages are being fetched: see /api/v1/pairs\n")
		default:
			document(func() any { return seen })(w, r)
		}
	})
}
