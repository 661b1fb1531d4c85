package trial

// Outcome is the meaning of one pair for a rule.
type Outcome uint8

// The outcomes. The zero value is no outcome.
const (
	Skip     Outcome = iota + 1 // the pair proves nothing
	Positive                    // both documents have the same content
	Negative                    // the contents differ, or v is missing
	Returned                    // v leads back, so a crawler would loop: this pair alone refutes the rule's direction
)

var outcomes = [...]string{"", "skip", "positive", "negative", "returned"}

// String is the outcome's name in JSON.
func (o Outcome) String() string { return nameOf(outcomes[:], int(o)) }

// Failure is the reason why there is no document.
type Failure uint8

// The failures. The zero value: there is a document, or at least a status.
const (
	None        Failure = iota
	Robots              // robots.txt forbids the URL
	Action              // the URL looks like an action
	Timeout             // no answer in time
	Unreachable         // no connection, or a broken connection
	Forbidden           // an origin, an address or a scheme excluded from fetching
	Endless             // too many redirects
	TooLarge            // a body beyond the bound, compressed or decompressed
)

// Document is the result of a fetch.
type Document struct {
	Failure    Failure
	Status     int    // of the last answer
	Redirected bool   // the last answer belongs to another URL
	Target     string // the other URL, as a mined string, if Redirected; "" for a URL of another site
}

// Reason is the reason of an outcome.
type Reason uint8

// The reasons.
const (
	Similar        Reason = iota + 1 // positive
	Different                        // negative
	Missing                          // negative: v answers with a 4xx about v
	LeadsBack                        // returned
	SourceFailed                     // skip: u itself could not be fetched
	Refused                          // skip: v answers 401, 403, 408 or 429
	ServerError                      // skip: v answers 5xx
	OddStatus                        // skip: v answers without a page
	SameRedirect                     // skip: u and v are both redirected to the same third URL
	NotAllowed                       // skip: robots.txt, an action, a forbidden address
	NoAnswer                         // skip: timeout, no connection, too large, endless redirects
	Everywhere                       // skip: the server shows this text at many pages of other kinds
	NoIndex                          // negative: v asks not to be indexed, and u does not
	OtherPage                        // skip: by size, u or v is not the page that clients got
	Disowned                         // skip: u and v name different canonical pages and differ in content
	Uncontrolled                     // skip: pages that the rule does not join are equally similar
	OtherLength                      // skip: equal text proves nothing here, and u does not have the size in the log
	FewWords                         // skip: equal text proves nothing in a page of few words, or in a short document of another type
	Static                           // skip: equal text proves nothing in pages of equal bytes
	OtherMedia                       // skip: equal text proves nothing if each page embeds a medium missing in the other
	Unsteady                         // skip: a negative that a second look did not confirm
	OwnName                          // skip: two nearly equal pages differ in the names that their URLs give them
	OwnContent                       // negative: two nearly equal pages differ in words of their own
	StandInRefused                   // skip: the server refuses a URL with an invented piece: 401, 403, 423 or 429
	StandInMoved                     // skip: the server redirects a URL with an invented piece
	reasonsCount                     // number of reasons
)

var reasons = [reasonsCount]string{"", "similar", "different", "missing", "leads_back", "source_failed",
	"refused", "server_error", "odd_status", "same_redirect", "not_allowed", "no_answer", "everywhere",
	"noindex", "other_page", "other_canonical", "control", "other_length", "few_words", "static", "other_media", "unsteady", "own_name", "own_content",
	"stand_in_refused", "stand_in_redirected"}

// String is the reason's name in JSON.
func (r Reason) String() string { return nameOf(reasons[:], int(r)) }

func nameOf(names []string, i int) string {
	if i >= len(names) {
		return "unknown"
	}
	return names[i]
}

// Mutual reports whether the pair (v, u) has the same outcome as (u, v) for this reason:
// both documents were there and were compared.
func (r Reason) Mutual() bool { return r == Similar || r == Different }

// Compared reports whether the reason results from the contents of two documents.
func (r Reason) Compared() bool {
	return r == Similar || r == Different || r >= Everywhere && r < StandInRefused
}

// Judgement is an outcome with its reason.
type Judgement struct {
	Outcome Outcome `json:"o,omitempty"`
	Reason  Reason  `json:"r,omitempty"`
}

// Pair is the pair to judge.
type Pair struct {
	U, V    string                   // mined strings
	StandIn bool                     // the document of u is that of a stand-in
	Maps    func(target string) bool // reports whether the rule maps a URL to V; nil: never
}

// unpaired judges a pair with a missing document, or whose v leads back. The judgement is
// zero if the two documents must be compared.
func unpaired(p Pair, u, v Document) (j Judgement) {
	switch {
	case p.StandIn && u.Failure == None && (u.Status == 401 || u.Status == 403 || u.Status == 423 || u.Status == 429):
		return Judgement{Skip, StandInRefused}
	case p.StandIn && (u.Redirected || u.Failure == Action): // a redirect to a URL that is never fetched
		return Judgement{Skip, StandInMoved}
	case u != (Document{}) && (u.Failure != None || !isPage(u.Status)): // a u that was not asked for is empty
		return Judgement{Skip, SourceFailed}
	case v.Failure != None:
		return Judgement{Skip, failed(v.Failure)}
	case u.Redirected && v.Redirected && u.Target == v.Target:
		return Judgement{Skip, SameRedirect}
	case v.Redirected && v.Target != "" && (v.Target == p.U || p.Maps != nil && p.Maps(v.Target)):
		return Judgement{Returned, LeadsBack}
	case !isPage(v.Status):
		return answered(v.Status)
	}
	return j
}

func isPage(status int) bool { return status >= 200 && status <= 299 }

func failed(f Failure) Reason {
	if f == Robots || f == Action || f == Forbidden {
		return NotAllowed
	}
	return NoAnswer
}

// answered judges a v that answers without a page.
func answered(status int) Judgement {
	switch {
	case status == 401 || status == 403 || status == 408 || status == 429:
		return Judgement{Skip, Refused}
	case status >= 500:
		return Judgement{Skip, ServerError}
	case status >= 400:
		return Judgement{Negative, Missing}
	}
	return Judgement{Skip, OddStatus}
}
