package ledger

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"dustbuster/operators/rule"
)

// Schema is the version of markers. Published rules have rule.Schema.
const Schema = 1

// Marker names the rules of a site's set. It is the value of SITE/set.
type Marker struct {
	Schema   int     `json:"schema"`
	Site     string  `json:"site"`
	Sequence int64   `json:"sequence"` // of the publication
	At       int64   `json:"at"`       // time of the publication, Unix seconds
	Rules    []Named `json:"rules"`    // in the order of application

	Sample rule.Sample `json:"sample"` // the trial of the set as a whole
}

// Named is a rule of a set: the record of the rule's key with the given tuple.
type Named struct {
	ID string `json:"id"`
	At Tuple  `json:"at"`
}

// ReadMarker reads the value of a key of kind Set.
func ReadMarker(k Key, value []byte) (m Marker, err error) {
	switch err = json.Unmarshal(value, &m); {
	case err != nil:
	case m.Schema > Schema:
		err = fmt.Errorf("schema %d, and this program knows %d: take a newer one", m.Schema, Schema)
	case m.Schema < 1, m.Site != k.Site:
		err = fmt.Errorf("schema %d, site %.100q", m.Schema, m.Site)
	}
	if err != nil {
		return m, fmt.Errorf("read %.100q: %w", k, err)
	}
	return m, nil
}

// Complete reports whether the ledger holds the whole set of a held marker. O(rules that
// the site has had).
func (l *Ledger) Complete(m *Marker, at Tuple) bool {
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

// Records reads the rules of a complete set. If a rule is unknown to this version, err is an
// UnknownError, and all records have the members that all kinds of rules have. Any other
// error is that of a record which is not valid.
func (l *Ledger) Records(m *Marker) (all []rule.Record, err error) {
	var unknown *rule.UnknownError
	for _, n := range m.Rules {
		k := Key{Rule, m.Site, n.ID}
		r, bad := readRule(k, l.Value(k))
		if bad != nil && !errors.As(bad, &unknown) {
			return nil, bad
		}
		all, err = append(all, r), cmp.Or(err, bad)
	}
	return all, err
}

func readRule(k Key, value []byte) (r rule.Record, err error) {
	r, _, err = rule.ReadPublished(value)
	var unknown *rule.UnknownError
	switch isUnknown := errors.As(err, &unknown); {
	case err != nil && !isUnknown:
	case r.State != rule.Valid:
		err = fmt.Errorf("state %.20q", r.State)
	case r.Site != k.Site || r.ID != k.Name:
		err = fmt.Errorf("it is %.100q of %.100q", r.ID, r.Site)
	}
	if err != nil {
		return r, fmt.Errorf("read %.100q: %w", k, err)
	}
	return r, nil
}
