package admin

import (
	"errors"
	"net/http"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/rule/report"
)

// wish takes in a decision about one rule.
func wish(s State, of func(id string) lifecycle.Wish) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var ask struct {
			Site *string `json:"site"`
			ID   *string `json:"id"`
		}
		if !readAsk(w, r, &ask) {
			return
		}
		switch {
		case ask.Site == nil:
			refuse(w, http.StatusBadRequest, "site", `is missing: give {"site": HOST, "id": ID}`)
		case ask.ID == nil || *ask.ID == "":
			refuse(w, http.StatusBadRequest, "id", "is missing: /api/v1/rules has the ids of published rules")
		case mine(w, r, s, *ask.Site): // else mine has refused the request
			answerWish(w, s.Wish(*ask.Site, of(*ask.ID)), "id")
		}
	}
}

// prefer takes in the preferred direction.
func prefer(s State, undo bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var ask struct {
			Site  *string  `json:"site"`
			Sides []string `json:"sides"`
		}
		if !readAsk(w, r, &ask) {
			return
		}
		switch {
		case ask.Site == nil:
			refuse(w, http.StatusBadRequest, "site", `is missing: give {"site": HOST, "sides": [TEXT, ...]}`)
		case len(ask.Sides) == 0 && !undo:
			refuse(w, http.StatusBadRequest, "sides", "is missing: give the texts that a canonical form shall hold")
		case mine(w, r, s, *ask.Site): // else mine has refused the request
			answerWish(w, s.Wish(*ask.Site, lifecycle.Wish{Prefer: ask.Sides, Undo: undo}), "sides")
		}
	}
}

// answerWish answers a decision with its error, which concerns a member of the request.
func answerWish(w http.ResponseWriter, err error, field string) {
	switch {
	case errors.Is(err, report.ErrNoSite):
		refuse(w, http.StatusNotFound, "site", "no rules of this site are tried here: see /api/v1/status")
	case errors.Is(err, lifecycle.ErrNoRule) && field == "sides":
		refuse(w, http.StatusNotFound, field, "this text is not preferred: see wishes of /api/v1/status")
	case errors.Is(err, lifecycle.ErrNoRule):
		refuse(w, http.StatusNotFound, field, "no such rule is known: see /api/v1/rules, and wishes of /api/v1/status")
	case errors.Is(err, lifecycle.ErrSettings):
		refuse(w, http.StatusBadRequest, field, "the configuration decides this, and wins: change the configuration")
	case errors.Is(err, lifecycle.ErrMany):
		refuse(w, http.StatusBadRequest, field, "the site has too many already: take some back")
	case errors.Is(err, lifecycle.ErrText):
		refuse(w, http.StatusBadRequest, field, "must be texts of 1 to 1,024 bytes as they stand in URLs, such as /story/")
	default:
		writeText(w, http.StatusAccepted, "the decision takes effect at the next look at the site\n")
	}
}
