// Package event defines the daemon's events about rules, and their JSON, one object a line.
// It is a contract with the programs that read the events.
//
//	{"schema":2,"event":"likely","id":"1c0a…","pane":"2026-01-02T14:00:00Z","site":"www.example.org","kind":"substring","alpha":"/story?id=","beta":"/story_",…}
//	{"schema":2,"event":"faded","id":"9b3e…","pane":"2026-01-02T16:00:00Z","site":"www.example.org","kind":"parameter","op":"drop","params":["sid"],…}
//	{"schema":2,"event":"snapshot","id":"77f0…","pane":"2026-01-02T16:00:00Z","site":"www.example.org","rules":[…]}
//
// From the member site on, likely and faded events are a rule in the form of package jsonl,
// as is each of a snapshot's rules. docs/schema has JSON Schemas of both.
//
// A reader holds a list of rules for each site. A likely event adds a rule to the list, and
// a faded event removes one. A snapshot replaces the whole list. Snapshots follow every
// start of the daemon and repair the loss of events in a crash. A rule is identified by all
// members except the counts.
//
// Events are delivered at least once, in order. A repeated event does not change a list. A
// reader that counts events or raises alarms must drop an event whose id equals that of
// the last event of its rule (or, for snapshots, of its site): a repeated event has the id
// of the first. However, a rule that fades and becomes likely again within one pane may
// reuse the id of its first likely event.
package event

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"dustbuster/operators/rule"
)

// Schema is the version of the JSON, which is that of the rules in it. It changes when a
// reader of the old version would misread an event, not when members are added.
const Schema = rule.Schema

// Kind is the kind of an event.
type Kind string

// The kinds of event.
const (
	Likely   Kind = "likely"   // a rule's support has reached the minimum
	Faded    Kind = "faded"    // a rule is no longer likely
	Snapshot Kind = "snapshot" // the complete list of a site's likely rules
)

// Event is one event of a site.
type Event struct {
	Kind  Kind
	Site  string
	Pane  int64         // Unix seconds of the start of the site's newest pane; 0: an endless pane, which has no start
	Rule  rule.Likely   // of Likely and Faded; its Site is the event's
	Rules []rule.Likely // of a Snapshot
}

// head holds the members of every event after its schema. The schema stands outside, where
// it wins over that of the rule.
type head struct {
	Event Kind    `json:"event"`
	ID    string  `json:"id"`
	Pane  *string `json:"pane"` // null: an endless pane
}

// Append appends an event's line, with its newline.
func Append(dst []byte, e *Event) ([]byte, error) {
	b := bytes.NewBuffer(dst)
	out := json.NewEncoder(b)
	out.SetEscapeHTML(false)
	if err := out.Encode(e.object()); err != nil {
		return dst, fmt.Errorf("encode %s event: %w", e.Kind, err)
	}
	return b.Bytes(), nil
}

// object returns the value whose JSON is the event.
func (e *Event) object() any {
	h := head{e.Kind, e.ID(), e.pane()}
	if e.Kind == Snapshot {
		return e.snapshot(h)
	}
	return struct {
		Schema int `json:"schema"`
		head
		rule.WireLikely
	}{Schema, h, e.Rule.Wire()}
}

func (e *Event) snapshot(h head) any {
	rules := make([]rule.WireLikely, len(e.Rules)) // not nil: an empty list is []
	for i := range e.Rules {
		rules[i] = e.Rules[i].Wire()
	}
	return struct {
		Schema int `json:"schema"`
		head
		Site  string            `json:"site"`
		Rules []rule.WireLikely `json:"rules"`
	}{Schema, h, e.Site, rules}
}

func (e *Event) pane() *string {
	if e.Pane == 0 {
		return nil
	}
	start := timestamp(e.Pane)
	return &start
}

// idBytes is the number of bytes of a SHA-256 used as an id. A faster hash is not enough:
// the hashed texts come from clients, who could construct two rules with one id.
const idBytes = 16

// ID returns 32 hexadecimal digits. Equal events have equal ids: the id covers kind, site,
// pane, and the content and support of each rule. O(rules).
func (e *Event) ID() string {
	var b []byte
	b = appendText(b, string(e.Kind), e.Site)
	b = binary.BigEndian.AppendUint64(b, uint64(e.Pane))
	if e.Kind == Snapshot {
		for i := range e.Rules {
			b = appendRule(b, &e.Rules[i])
		}
	} else {
		b = appendRule(b, &e.Rule)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:idBytes])
}

// appendRule appends the content and the support of a rule. Different rules of the online
// learners append different bytes: pairs without a scope, and drops of one name on a
// path, under one condition.
func appendRule(b []byte, l *rule.Likely) []byte {
	r := &l.Rule
	if e, is := r.Edit.(rule.Substring); is {
		b = append(b, 's', bit(e.AtStart), bit(e.AtEnd))
		b = appendText(b, e.From, e.To)
	} else {
		s, c := &r.Scope, &r.Scope.Where[0]
		b = append(b, 'd', bit(s.HasPath), bit(c.HasValue))
		b = appendText(b, r.Params().Param, s.Path, c.Param, c.Value)
	}
	return binary.AppendVarint(b, int64(l.Support))
}

func appendText(b []byte, texts ...string) []byte {
	for _, text := range texts {
		b = binary.AppendUvarint(b, uint64(len(text)))
		b = append(b, text...)
	}
	return b
}

func bit(is bool) byte {
	if is {
		return 1
	}
	return 0
}

// timestamp returns Unix seconds as an RFC 3339 time in UTC.
func timestamp(seconds int64) string {
	const day = 24 * 60 * 60
	days := seconds / day
	if seconds%day < 0 {
		days--
	}
	rest := seconds - days*day
	y, m, d := civil(days)
	return fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02dZ", y, m, d, rest/3600, rest/60%60, rest%60)
}

// civil returns the Gregorian date of a number of days after 1 January 1970 (Howard
// Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days). Years are
// counted from March, so that a leap day is the last day of its year.
func civil(days int64) (year, month, day int64) {
	days += 719_468 // from 1 March of the year 0
	era := days / 146_097
	if days%146_097 < 0 {
		era--
	}
	ofEra := days - era*146_097
	yearOfEra := (ofEra - ofEra/1460 + ofEra/36_524 - ofEra/146_096) / 365
	ofYear := ofEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	month = (5*ofYear + 2) / 153
	day = ofYear - (153*month+2)/5 + 1
	if month += 3; month > 12 {
		month -= 12
		yearOfEra++
	}
	return yearOfEra + era*400, month, day
}
