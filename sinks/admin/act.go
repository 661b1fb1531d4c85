package admin

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule/report"
)

// maxBody is the most bytes of a request's JSON body.
const maxBody = 64 << 10

// decide approves or rejects a held update, or one rule of it.
func decide(s State, reject bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var ask struct {
			Site *string `json:"site"`
			Mark *string `json:"mark"`
			ID   *string `json:"id"`
		}
		if !readAsk(w, r, &ask) {
			return
		}
		switch {
		case ask.Site == nil:
			refuse(w, http.StatusBadRequest, "site", `is missing: give {"site": HOST, "mark": MARK}, and perhaps "id": the id of one rule`)
		case ask.Mark == nil || *ask.Mark == "":
			refuse(w, http.StatusBadRequest, "mark", "is missing: validate.held_updates of /api/v1/status has it")
		case ask.ID != nil && *ask.ID == "":
			refuse(w, http.StatusBadRequest, "id", "is empty: leave it out for all rules of the update")
		case mine(w, r, s, *ask.Site): // else mine has refused the request
			d := book.Decision{Mark: *ask.Mark, Reject: reject}
			if ask.ID != nil {
				d.ID = *ask.ID
			}
			answerDecision(w, s.Decide(*ask.Site, d))
		}
	}
}

// answerDecision answers a decision about a held update with its error.
func answerDecision(w http.ResponseWriter, err error) {
	switch {
	case errors.Is(err, book.ErrNotHeld), errors.Is(err, report.ErrNoSite):
		refuse(w, http.StatusNotFound, "mark", "no update of this site and mark is held: see validate.held_updates of /api/v1/status")
	case errors.Is(err, book.ErrChanged):
		refuse(w, http.StatusConflict, "mark", "the update has changed, or somebody has decided on a part of it: look at validate.held_updates of /api/v1/status again")
	case errors.Is(err, book.ErrNoRule):
		refuse(w, http.StatusNotFound, "id", "the update has no such rule: see list in validate.held_updates of /api/v1/status")
	default:
		answerWish(w, err, "mark")
	}
}

// ruleAsk is a request about a rule.
type ruleAsk struct {
	Site *string `json:"site"`
	ID   *string `json:"id"`
}

// recheck begins new trials of rules.
func recheck(s State) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var ask ruleAsk
		if !readAsk(w, r, &ask) {
			return
		}
		id, field, taken := "", "site", "new trials of the rules of the site begin now\n"
		if ask.ID != nil {
			id, field, taken = *ask.ID, "id", "a new trial of the rule begins now\n"
		}
		switch {
		case ask.Site == nil:
			refuse(w, http.StatusBadRequest, "site", `is missing: give {"site": HOST}, and perhaps "id": the id of a rule`)
		case field == "id" && id == "":
			refuse(w, http.StatusBadRequest, "id", "is empty: leave it out for all rules of the site")
		case !mine(w, r, s, *ask.Site): // mine has refused the request
		case !s.Recheck(*ask.Site, id):
			refuse(w, http.StatusNotFound, field, "no such rule is published here: see /api/v1/rules")
		default:
			writeText(w, http.StatusAccepted, taken)
		}
	}
}

// wish takes in a decision about one rule, or about all rules that edit a parameter or text.
func wish(s State, ofRule, ofText func(text string) book.Wish) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var ask struct {
			Site  *string `json:"site"`
			ID    *string `json:"id"`
			Param *string `json:"param"`
		}
		if !readAsk(w, r, &ask) {
			return
		}
		switch {
		case ask.Site == nil:
			refuse(w, http.StatusBadRequest, "site", `is missing: give {"site": HOST, "id": ID}, or "param": a parameter or text in the place of the id`)
		case ask.Param != nil && (ask.ID != nil || *ask.Param == ""):
			refuse(w, http.StatusBadRequest, "param", "must be a parameter or text, and stands in the place of an id")
		case ask.Param == nil && (ask.ID == nil || *ask.ID == ""):
			refuse(w, http.StatusBadRequest, "id", "is missing: /api/v1/rules has the ids of published rules")
		case !mine(w, r, s, *ask.Site): // mine has refused the request
		case ask.Param != nil:
			answerWish(w, s.Wish(*ask.Site, ofText(*ask.Param)), "param")
		default:
			answerWish(w, s.Wish(*ask.Site, ofRule(*ask.ID)), "id")
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
			answerWish(w, s.Wish(*ask.Site, book.Wish{Prefer: ask.Sides, Undo: undo}), "sides")
		}
	}
}

// noSite is the reason to refuse what is about a site without trials.
const noSite = "no rules of this site are validated here: see /api/v1/status"

// answerWish answers a decision with its error, which concerns a member of the request.
func answerWish(w http.ResponseWriter, err error, field string) {
	switch {
	case errors.Is(err, report.ErrNoSite):
		refuse(w, http.StatusNotFound, "site", noSite)
	case errors.Is(err, book.ErrNoRule) && field == "sides":
		refuse(w, http.StatusNotFound, field, "this text is not preferred: see wishes of /api/v1/status")
	case errors.Is(err, book.ErrNoRule) && field == "param":
		refuse(w, http.StatusNotFound, field, "nothing is decided about this text: see wishes of /api/v1/status")
	case errors.Is(err, book.ErrNoRule):
		refuse(w, http.StatusNotFound, field, "no such rule is known: see /api/v1/rules, and wishes of /api/v1/status")
	case errors.Is(err, book.ErrSettings):
		refuse(w, http.StatusBadRequest, field, "the configuration decides this, and wins: change the configuration")
	case errors.Is(err, book.ErrMany):
		refuse(w, http.StatusBadRequest, field, "the site has too many already: take some back")
	case errors.Is(err, book.ErrText):
		refuse(w, http.StatusBadRequest, field, "must be texts of 1 to 1,024 bytes as they stand in URLs, such as /story/")
	default:
		writeText(w, http.StatusAccepted, "the decision takes effect at the next look at the site\n")
	}
}

// mine reports whether this process owns a site. If not, mine refuses the request and names
// the member of the group that owns the site.
func mine(w http.ResponseWriter, r *http.Request, s State, site string) bool {
	owner, elsewhere := s.Elsewhere(r.Context(), site)
	if !elsewhere {
		return true
	}
	reason := "another member of the group owns the site: ask that one"
	if owner == (Owner{}) {
		reason = "this member of the group does not own the site, and the group does not say which one does: ask again"
	}
	writeRefusal(w, http.StatusMisdirectedRequest, refusal{"site", reason, owner})
	return false
}

// readAsk reads one JSON object; false: the request has been refused.
func readAsk(w http.ResponseWriter, r *http.Request, to any) bool {
	in := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody))
	in.DisallowUnknownFields()
	err := in.Decode(to)
	if err == nil {
		if _, err = in.Token(); errors.Is(err, io.EOF) {
			return true
		} else if err == nil {
			err = errors.New("something follows the object")
		}
	}
	var large *http.MaxBytesError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &large):
		tooLarge(w, maxBody)
	case errors.As(err, &kind):
		refuse(w, http.StatusBadRequest, kind.Field, "must not be a JSON "+kind.Value)
	default:
		refuse(w, http.StatusBadRequest, "", "the body must be one JSON object: "+err.Error())
	}
	return false
}

func tooLarge(w http.ResponseWriter, most int) {
	refuse(w, http.StatusRequestEntityTooLarge, "", fmt.Sprintf("the body has more than %d bytes", most))
}

// refusal is an error in a member of the body; "": in the whole body.
type refusal struct {
	Field  string `json:"field"`
	Reason string `json:"reason"`
	Owner
}

func refuse(w http.ResponseWriter, code int, field, reason string) {
	writeRefusal(w, code, refusal{Field: field, Reason: reason})
}

func writeRefusal(w http.ResponseWriter, code int, why refusal) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(why) // an error means the client has gone
}
