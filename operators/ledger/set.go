package ledger

import (
	"bytes"
	"encoding/json"
	"fmt"

	"dustbuster/operators/lifecycle"
	"dustbuster/operators/rule"
)

// schema is the version of markers, claims and published rules.
const schema = 1

// Marker names the rules of a site's set. A Marker is the value of SITE/set.
type Marker struct {
	Schema   int     `json:"schema"`
	Site     string  `json:"site"`
	Sequence int64   `json:"sequence"` // of the publication
	At       int64   `json:"at"`       // time of the publication, Unix seconds
	Rules    []Named `json:"rules"`    // in the order of application

	Sample lifecycle.Sample `json:"sample"` // the trial of the set as a whole
}

// Named is a rule of a set: the record of the rule's key with the given tuple.
type Named struct {
	ID string `json:"id"`
	At Tuple  `json:"at"`
}

func readMarker(k Key, value []byte) (m Marker, err error) {
	switch err = json.Unmarshal(value, &m); {
	case err != nil:
	case m.Schema > schema:
		err = fmt.Errorf("schema %d, and this program knows %d: take a newer one", m.Schema, schema)
	case m.Schema < 1, m.Site != k.Site:
		err = fmt.Errorf("schema %d, site %.100q", m.Schema, m.Site)
	}
	if err != nil {
		return m, fmt.Errorf("read %.100q: %w", k, err)
	}
	return m, nil
}

// complete reports whether the held records make up the set of a held marker. O(rules that
// the site has had).
func (l *Ledger) complete(m *Marker, at Tuple) bool {
	s := l.sites[m.Site]
	for _, n := range m.Rules {
		if r := s[Rule][n.ID]; r == nil || r.Value == nil || r.Tuple != n.At {
			return false
		}
	}
	for _, r := range s[Rule] {
		if r.Tuple.Compare(at) > 0 {
			return false
		}
	}
	return true
}

// records reads the rules of a complete set.
func (l *Ledger) records(m *Marker) ([]rule.Record, error) {
	all := make([]rule.Record, 0, len(m.Rules))
	for _, n := range m.Rules {
		k := Key{Rule, m.Site, n.ID}
		r, err := readRule(k, l.value(k))
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

func readRule(k Key, value []byte) (r rule.Record, err error) {
	err = json.Unmarshal(value, &r)
	if err == nil {
		_, err = r.Rule()
	}
	switch {
	case err != nil:
	case r.Schema > schema:
		err = fmt.Errorf("schema %d, and this program knows %d: take a newer one", r.Schema, schema)
	case r.Site != k.Site || r.ID != k.Name || r.State != rule.Valid:
		err = fmt.Errorf("it is %.100q of %.100q, %.20q", r.ID, r.Site, r.State)
	}
	if err != nil {
		return r, fmt.Errorf("read %.100q: %w", k, err)
	}
	return r, nil
}

// writeRule returns the value of a published rule, in the form of package jsonl. Evidence
// is left out because evidence holds private URLs.
func writeRule(r rule.Record) []byte {
	r.Verdict.Evidence = nil
	return encode(r)
}

// encode returns JSON without HTML escapes.
func encode(v any) []byte {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(v); err != nil {
		panic(err) // strings, numbers and booleans can always be encoded
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
