package lifecycle

import (
	"cmp"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/trial"
)

// Purpose is the purpose of a look.
type Purpose uint8

// The purposes.
const (
	Trial      Purpose = iota // of a candidate
	SetTrial                  // of the set before it is published
	Recheck                   // of a published rule
	SetRecheck                // of the published set
	Control                   // of the control of a rule on trial: pages that the rule does not join
	Report                    // of a pair that a crawler reported
	Proof                     // of a provisional rule
)

var purposes = [...]string{"trial", "set", "recheck", "recheck_set", "control", "report", "proof"}

// String is the purpose's name in JSON.
func (p Purpose) String() string { return purposes[p] }

// Look is a pair to fetch and compare.
type Look struct {
	U, V    string // mined strings
	Purpose Purpose
	Rule    string // id of the rule on trial; "" for a set
	Fresh   bool   // the documents of earlier looks must not be used
	Since   int64  // documents from before that time must not be used; 0: all may
	Second  bool   // the second look at a negative: both documents are fetched again and compared with the documents of the first look
	OnlyV   bool   // of a second look: u is not fetched
	Ask     string // the stand-in that is fetched in the place of u, which is private; "": u itself is fetched
	key     book.Key
}

// Asked returns the URL that is fetched for u.
func (t *Look) Asked() string { return cmp.Or(t.Ask, t.U) }

// ask returns what the memory keeps of a stand-in.
func (t *Look) ask(now int64) *book.Ask {
	if t.Ask == "" {
		return nil
	}
	return &book.Ask{URL: t.Ask, Rule: t.Rule, At: now}
}

// costOf returns the number of documents requested for the look: those that were not requested a
// short time ago.
func (t *Look) costOf(m *book.Memory, s *trial.Seen, now int64) (n int) {
	asked := m.Keys.Requested(t.Asked(), t.V, s)
	for side, document := range asked {
		again := t.Fresh && (!t.OnlyV || side > 0)
		if document != 0 && (side == 0 || document != asked[0]) && (again || !m.Has(document, now)) {
			n++
		}
	}
	return n
}

// step is the result of one part of the machine.
type step uint8

const (
	nothing step = iota // there is nothing to do
	gave                // a look
	changed             // something changed; the caller looks again
	waiting             // for outcomes
	ready               // the part is done
)
