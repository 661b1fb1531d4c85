package admin

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule/report"
)

// maxBody is the most bytes of a request's JSON body.
const maxBody = 64 << 10

// decide approves or rejects a held update, or one rule of it.
func decide(s State, reject bool) http.HandlerFunc {
	return withAsk(func(w http.ResponseWriter, r *http.Request, ask struct {
		Site *string `json:"site"`
		Mark *string `json:"mark"`
		ID   *string `json:"id"`
	}) {
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
			answerWish(w, s.Decide(*ask.Site, d), "mark")
		}
	})
}

// ruleAsk is a request about a rule.
type ruleAsk struct {
	Site *string `json:"site"`
	ID   *string `json:"id"`
}

// recheck begins new trials of rules.
func recheck(s State) http.HandlerFunc {
	return withAsk(func(w http.ResponseWriter, r *http.Request, ask ruleAsk) {
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
		default: // else mine has refused the request
			switch err := s.Recheck(*ask.Site, id); {
			case errors.Is(err, report.ErrBusy):
				busy(w)
			case err != nil:
				refuse(w, http.StatusNotFound, field, "no such rule is published here: see /api/v1/rules")
			default:
				writeText(w, http.StatusAccepted, taken)
			}
		}
	})
}

// wish takes in a decision about one rule, or about all rules that edit a parameter or text.
func wish(s State, ofRule, ofText func(text string) book.Wish) http.HandlerFunc {
	return withAsk(func(w http.ResponseWriter, r *http.Request, ask struct {
		Site  *string `json:"site"`
		ID    *string `json:"id"`
		Param *string `json:"param"`
	}) {
		switch {
		case ask.Site == nil:
			refuse(w, http.StatusBadRequest, "site", `is missing: give {"site": HOST, "id": ID}, or "param": a parameter or text in the place of the id`)
		case ask.Param != nil && (ask.ID != nil || *ask.Param == ""):
			refuse(w, http.StatusBadRequest, "param", "must be a parameter or a text, and replaces an id")
		case ask.Param == nil && (ask.ID == nil || *ask.ID == ""):
			refuse(w, http.StatusBadRequest, "id", "is missing: /api/v1/rules has the ids of published rules")
		case !mine(w, r, s, *ask.Site): // mine has refused the request
		case ask.Param != nil:
			answerWish(w, s.Wish(*ask.Site, ofText(*ask.Param)), "param")
		default:
			answerWish(w, s.Wish(*ask.Site, ofRule(*ask.ID)), "id")
		}
	})
}

// prefer takes in the preferred direction.
func prefer(s State, undo bool) http.HandlerFunc {
	return withAsk(func(w http.ResponseWriter, r *http.Request, ask struct {
		Site  *string  `json:"site"`
		Sides []string `json:"sides"`
	}) {
		switch {
		case ask.Site == nil:
			refuse(w, http.StatusBadRequest, "site", `is missing: give {"site": HOST, "sides": [TEXT, ...]}`)
		case len(ask.Sides) == 0 && !undo:
			refuse(w, http.StatusBadRequest, "sides", "is missing: give the texts that canonical forms should contain")
		case mine(w, r, s, *ask.Site): // else mine has refused the request
			answerWish(w, s.Wish(*ask.Site, book.Wish{Prefer: ask.Sides, Undo: undo}), "sides")
		}
	})
}

// approveSite takes in that a site is the operator's own.
func approveSite(s State, undo bool) http.HandlerFunc {
	return withAsk(func(w http.ResponseWriter, r *http.Request, ask struct {
		Site *string `json:"site"`
	}) {
		switch {
		case ask.Site == nil:
			refuse(w, http.StatusBadRequest, "site", `is missing: give {"site": HOST}`)
		case mine(w, r, s, *ask.Site): // else mine has refused the request
			answerWish(w, s.Wish(*ask.Site, book.Wish{Ours: true, Undo: undo}), "site")
		}
	})
}

// allow takes in that the public may ask for a parameter.
func allow(s State, undo bool) http.HandlerFunc {
	return withAsk(func(w http.ResponseWriter, r *http.Request, ask struct {
		Site  *string `json:"site"`
		Param *string `json:"param"`
	}) {
		switch {
		case ask.Site == nil:
			refuse(w, http.StatusBadRequest, "site", `is missing: give {"site": HOST, "param": NAME}, or NAME=VALUE for a word`)
		case ask.Param == nil || *ask.Param == "":
			refuse(w, http.StatusBadRequest, "param", "is missing: give NAME for values that are no words, or NAME=VALUE")
		case mine(w, r, s, *ask.Site): // else mine has refused the request
			answerWish(w, s.Wish(*ask.Site, book.Wish{Allow: *ask.Param, Undo: undo}), "param")
		}
	})
}

// noSite is the reason to refuse what is about a site without trials.
const noSite = "no rules of this site are validated here: see /api/v1/status"

// wishRefusals are the refusals of decisions by their errors. Of several rows of an error, the first that is
// of the member of the request, or of any member, counts.
var wishRefusals = []struct {
	of     error
	field  string // "": any
	code   int
	in     string // the member that is refused; "": the same
	reason string
}{
	{book.ErrNotHeld, "mark", http.StatusNotFound, "", noUpdate},
	{report.ErrNoSite, "mark", http.StatusNotFound, "", noUpdate},
	{book.ErrChanged, "mark", http.StatusConflict, "", "the update has changed, or somebody has decided on a part of it: look at validate.held_updates of /api/v1/status again"},
	{book.ErrNoRule, "mark", http.StatusNotFound, "id", "the update has no such rule: see list in validate.held_updates of /api/v1/status"},
	{report.ErrNoSite, "", http.StatusNotFound, "site", noSite},
	{book.ErrNoRule, "site", http.StatusNotFound, "", "nobody has approved this site: see /api/v1/sites"},
	{book.ErrNoFile, "", http.StatusNotFound, "", "no such file was taken from here"},
	{book.ErrNoRule, "sides", http.StatusNotFound, "", "this text is not preferred: see wishes of /api/v1/status"},
	{book.ErrNoRule, "param", http.StatusNotFound, "", "nothing is decided about this text: see wishes of /api/v1/status"},
	{book.ErrNoRule, "", http.StatusNotFound, "", "no such rule is known: see /api/v1/rules, and wishes of /api/v1/status"},
	{book.ErrSettings, "", http.StatusBadRequest, "", "the configuration decides this, and wins: change the configuration"},
	{book.ErrMany, "", http.StatusBadRequest, "", "the site has too many already: take some back"},
	{book.ErrParam, "", http.StatusBadRequest, "", "must be NAME or NAME=VALUE of 1 to 1,024 bytes as they stand in URLs, such as ref or view=print"},
	{book.ErrText, "", http.StatusBadRequest, "", "must be texts of 1 to 1,024 bytes as they stand in URLs, such as /story/"},
}

const noUpdate = "no update of this site and mark is held: see validate.held_updates of /api/v1/status"

// answerWish answers a decision with its error, which concerns a member of the request.
func answerWish(w http.ResponseWriter, err error, field string) {
	if errors.Is(err, report.ErrBusy) {
		busy(w)
		return
	}
	for _, r := range wishRefusals {
		if errors.Is(err, r.of) && (r.field == "" || r.field == field) {
			refuse(w, r.code, cmp.Or(r.in, field), r.reason)
			return
		}
	}
	writeText(w, http.StatusAccepted, "the decision takes effect at the next look at the site\n")
}

// busyWait is the wait before a site that computes is asked again.
const busyWait = 5 * time.Second

// busy refuses what is asked of a site that computes: it was not taken, and will not be.
func busy(w http.ResponseWriter) {
	retryAfter(w, busyWait)
	refuse(w, http.StatusServiceUnavailable, "site", "the site computes: nothing was taken, ask again")
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

// withAsk reads one JSON object, which answer gets.
func withAsk[T any](answer func(w http.ResponseWriter, r *http.Request, ask T)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var ask T
		if readAsk(w, r, &ask) {
			answer(w, r, ask)
		}
	}
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
		tooLarge(w)
	case errors.As(err, &kind):
		refuse(w, http.StatusBadRequest, kind.Field, "must not be a JSON "+kind.Value)
	default:
		refuse(w, http.StatusBadRequest, "", "the body must be one JSON object: "+err.Error())
	}
	return false
}

func tooLarge(w http.ResponseWriter) {
	refuse(w, http.StatusRequestEntityTooLarge, "", fmt.Sprintf("the body has more than %d bytes", maxBody))
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
