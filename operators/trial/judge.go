package trial

// Outcome is what one pair says of a rule.
type Outcome uint8

// The outcomes. The zero value is none.
const (
	Skip     Outcome = iota + 1 // nothing was learned
	Positive                    // both documents say the same
	Negative                    // they do not, or v is missing
	Returned                    // v leads back: a crawler would never rest, and the rule's direction is refuted by this pair alone
)

var outcomes = [...]string{"", "skip", "positive", "negative", "returned"}

// String is the outcome's name in records.
func (o Outcome) String() string { return nameOf(outcomes[:], int(o)) }

// Failure says why there is no document.
type Failure uint8

// The failures. The zero value: there is a document, or at least a status.
const (
	None        Failure = iota
	Robots              // robots.txt forbids it
	Action              // the URL looks like one that does something
	Timeout             // no answer in time
	Unreachable         // no connection, or it broke
	Forbidden           // an origin, an address or a scheme that is not fetched from
	Endless             // more redirects than are followed
	TooLarge            // a body beyond the bound, packed or unpacked
)

// Document is what a fetch brought.
type Document struct {
	Failure    Failure
	Status     int    // of the last answer
	Redirected bool   // the last answer is another URL's
	Target     string // that URL, as a mined string, if Redirected; "" for one of another site
}

// Reason says how an outcome came about.
type Reason uint8

// The reasons.
const (
	Similar      Reason = iota + 1 // positive
	Different                      // negative
	Missing                        // negative: v answers with a 4xx that is about v
	LeadsBack                      // returned
	SourceFailed                   // skip: u itself could not be had
	Refused                        // skip: v answers 401, 403, 408 or 429
	ServerError                    // skip: v answers 5xx
	OddStatus                      // skip: v answers with something that is no page
	SameRedirect                   // skip: u and v are both redirected to one third URL
	NotAllowed                     // skip: robots.txt, an action, a forbidden address
	NoAnswer                       // skip: timeout, no connection, too large, endless redirects
	Everywhere                     // skip: the server shows this text at many pages of other kinds
	NoIndex                        // negative: v asks to be in no index, and u does not
	OtherPage                      // skip: u or v is not the page that clients got, by its size
	Disowned                       // skip: u and v name different canonical pages, and do not say the same
	Uncontrolled                   // skip: pages that the rule does not join look as much alike
	OtherLength                    // skip: equal text proves nothing here, and u has not the size that the log has
	FewWords                       // skip: nor does it in a page of few words, or a short document of another type
	Static                         // skip: nor in pages of equal bytes
	OtherMedia                     // skip: nor where each embeds a medium that the other lacks
	Unsteady                       // skip: a negative that was none when it was looked at again
	reasonsCount                   // how many there are
)

var reasons = [reasonsCount]string{"", "similar", "different", "missing", "leads_back", "source_failed",
	"refused", "server_error", "odd_status", "same_redirect", "not_allowed", "no_answer", "everywhere",
	"noindex", "other_page", "other_canonical", "control", "other_length", "few_words", "static", "other_media", "unsteady"}

// String is the reason's name in records.
func (r Reason) String() string { return nameOf(reasons[:], int(r)) }

func nameOf(names []string, i int) string {
	if i >= len(names) {
		return "unknown"
	}
	return names[i]
}

// Mutual tells whether the pair (v, u) has the same outcome as (u, v) for this
// reason: the two documents were there and were compared.
func (r Reason) Mutual() bool { return r == Similar || r == Different }

// Compared reports whether both documents were there for this reason: it is of what
// they showed.
func (r Reason) Compared() bool {
	return r == Similar || r == Different || r >= Everywhere && r < reasonsCount
}

// Judgement is an outcome with its reason.
type Judgement struct {
	Outcome Outcome `json:"o,omitempty"`
	Reason  Reason  `json:"r,omitempty"`
}

// Pair is what is judged.
type Pair struct {
	U, V string                   // mined strings
	Maps func(target string) bool // tells whether the rule maps a URL to V; nil: never
}

// unpaired judges a pair of which a document is missing, or that leads back; zero if
// the two documents are to be compared.
func unpaired(p Pair, u, v Document) (j Judgement) {
	switch {
	case u.Failure != None || !isPage(u.Status):
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

// answered judges a v that answers and has no page.
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
