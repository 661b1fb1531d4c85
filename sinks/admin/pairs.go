package admin

import (
	"net/http"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
)

// pairsJSON is a rule's verdict with its pairs opened.
type pairsJSON struct {
	Site string `json:"site"`
	ID   string `json:"id"`
	*rule.Wire
	State   rule.State    `json:"state"`
	Verdict rule.Verdict  `json:"verdict"` // without its examples, which are the pairs
	Pairs   []book.Opened `json:"pairs"`
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
		d, _ := s.Detail(r.Context(), site, lifecycle.Query{ID: id, Most: 1})
		if len(d.Tried) == 0 {
			refuse(w, http.StatusNotFound, "id", "no verdict on such a rule is known here, or the trials of the site are busy: ask again")
			return
		}
		e := &d.Tried[0]
		out := pairsJSON{Site: site, ID: e.ID, Wire: rule.NewWire(&e.Rule), State: e.State, Verdict: e.Verdict, Pairs: d.Pairs[e.ID]}
		out.Verdict.Examples = nil
		document(func() any { return out })(w, r)
	}
}
