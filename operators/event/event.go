// Package event is what the daemon tells of rules, and its JSON, one object a
// line: the contract with whatever follows it.
//
//	{"schema":1,"event":"likely","id":"1c0a…","pane":"2026-01-02T14:00:00Z","site":"www.example.org","kind":"substring","alpha":"/story?id=","beta":"/story_",…}
//	{"schema":1,"event":"faded","id":"9b3e…","pane":"2026-01-02T16:00:00Z","site":"www.example.org","kind":"parameter","op":"drop","param":"sid",…}
//	{"schema":1,"event":"snapshot","id":"77f0…","pane":"2026-01-02T16:00:00Z","site":"www.example.org","rules":[…]}
//
// From site on, likely and faded are a rule as package jsonl writes it, and so
// is each of a snapshot's rules. docs/schema has JSON Schemas of both.
//
// A reader holds a list of rules for each site. Likely puts a rule in it, faded
// takes it out, and a snapshot, which follows every start of the daemon, is the
// whole list in the place of what was held: what was told to nobody in a crash
// is made good by it. A rule is known by all its members but the counts.
//
// Delivery is at least once, in order. Repeats do no harm to a list. Who counts
// events, or wakes somebody, drops an event whose id is that of the last one of
// the same rule (or, for snapshots, of the same site): a repeat has the id of
// the first, but a rule that fades and comes back within one pane may also come
// back under the id it came with.
package event

import (
	"bytes"
	"encoding/json"
	"fmt"

	"dustbuster/operators/jsonl"
	"dustbuster/operators/miner"
)

// Schema is the version of the JSON. It changes when a reader of the old one
// would be wrong, not when members are added.
const Schema = 1

// Kind is what an event says.
type Kind string

// The kinds of event.
const (
	Likely   Kind = "likely"   // a rule's support has reached the least
	Faded    Kind = "faded"    // a rule that was likely is not any more
	Snapshot Kind = "snapshot" // these are a site's likely rules, and no others
)

// Event is one thing told of a site.
type Event struct {
	Kind  Kind
	Site  string
	Pane  int64        // Unix seconds of the start of the site's newest pane; 0: of the endless one, which has none
	Rule  miner.Rule   // of Likely and Faded; its Site is the event's
	Rules []miner.Rule // of a Snapshot
}

// head is what all events begin with.
type head struct {
	Schema int     `json:"schema"`
	Event  Kind    `json:"event"`
	ID     string  `json:"id"`
	Pane   *string `json:"pane"` // null: the endless one
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

// object is what an event's JSON is made from.
func (e *Event) object() any {
	h := head{Schema, e.Kind, e.ID(), e.pane()}
	if e.Kind == Snapshot {
		return e.snapshot(h)
	}
	switch rule := jsonl.Object(&e.Rule).(type) {
	case jsonl.Parameter:
		return struct {
			head
			jsonl.Parameter
		}{h, rule}
	case jsonl.Substring:
		return struct {
			head
			jsonl.Substring
		}{h, rule}
	default:
		panic(fmt.Sprintf("event: a rule of the form %T", rule))
	}
}

func (e *Event) snapshot(h head) any {
	rules := make([]any, len(e.Rules)) // not nil: an empty list is []
	for i := range e.Rules {
		rules[i] = jsonl.Object(&e.Rules[i])
	}
	return struct {
		head
		Site  string `json:"site"`
		Rules []any  `json:"rules"`
	}{h, e.Site, rules}
}

func (e *Event) pane() *string {
	if e.Pane == 0 {
		return nil
	}
	start := timestamp(e.Pane)
	return &start
}
