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
