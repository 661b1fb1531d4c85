package ledger

import (
	"cmp"
	"errors"
	"fmt"

	"dustbuster/operators/rule"
)

// SiteSet is the published set of a site.
type SiteSet struct {
	Site     string
	Sequence int64
	At       int64 // Unix seconds
	Tuple    Tuple // of its marker
	Records  []rule.Record
	Unknown  error // not nil: a rule of the set is unknown to this version, and no rule of the set is to be applied

	marker *Record
}

// Sets is the state of a reader: the last whole set of each site. It belongs to one
// goroutine. A SiteSet never changes.
type Sets struct {
	Most int // bound of the bytes of keys and values held, beyond which new keys are refused; 0: 1 GiB

	l       Ledger
	sets    map[string]*SiteSet
	refused int
}

// mostBytes has room for a million rules, far more than crawlers need.
const mostBytes = 1 << 30

// MaxValue bounds a value, in bytes. The largest possible publication of a site, with the
// most rules of the longest texts, is smaller.
const MaxValue = 8 << 20

var errFull = errors.New("the published rules exceed the memory for rules: follow fewer sites")

// Apply takes in a record. changed reports whether the set of its site has changed.
// Records meant for owners change nothing. Apply returns an error if the record is
// malformed, or the set that it completes. A malformed record is skipped, and the site's
// last set stays.
func (s *Sets) Apply(r Record) (site string, changed bool, err error) {
	k, err := ParseKey(r.Key)
	if err != nil || k.Kind != Rule && k.Kind != Set {
		return "", false, err
	}
	if len(r.Value) > MaxValue {
		return "", false, fmt.Errorf("read %.100q: a value of %d bytes", r.Key, len(r.Value))
	}
	if s.full(k, &r) {
		return "", false, fmt.Errorf("read %.100q: %w", r.Key, errFull)
	}
	if s.l.Apply(k, r) == Refused {
		s.refused++
		return "", false, nil
	}
	changed, err = s.renew(k)
	return k.Site, changed, err
}

// full reports whether a record would exceed the bound.
func (s *Sets) full(k Key, r *Record) bool {
	_, bytes := s.l.Size()
	more := len(r.Key) + len(r.Value)
	if held := s.l.Get(k); held != nil {
		more -= len(held.Key) + len(held.Value)
	}
	return more > 0 && bytes+more > cmp.Or(s.Most, mostBytes)
}

// renew takes the marker's set if it is complete and differs from the held one. Usually
// the marker completes a set. After an owner's retries, one of the rules may do so.
func (s *Sets) renew(k Key) (bool, error) {
	marker := s.l.Get(Key{Kind: Set, Site: k.Site})
	held := s.sets[k.Site]
	if marker == nil || held != nil && held.marker == marker {
		return false, nil
	}
	m := Marker{Site: k.Site}
	if marker.Value != nil {
		var err error
		if m, err = ReadMarker(Key{Kind: Set, Site: k.Site}, marker.Value); err != nil {
			return false, err
		}
	}
	if !s.l.Complete(&m, marker.Tuple) {
		return false, nil
	}
	records, err := s.l.Records(&m)
	var unknown *rule.UnknownError
	if err != nil && !errors.As(err, &unknown) {
		return false, err
	}
	if s.sets == nil {
		s.sets = map[string]*SiteSet{}
	}
	s.sets[k.Site] = &SiteSet{k.Site, m.Sequence, m.At, marker.Tuple, records, err, marker}
	return true, nil
}

// Of returns a site's set, or nil if no set has been complete yet.
func (s *Sets) Of(site string) *SiteSet { return s.sets[site] }

// All calls yield with each site's set, in the order of their names.
func (s *Sets) All(yield func(*SiteSet) bool) {
	for _, site := range s.l.Sites() {
		if set := s.sets[site]; set != nil && !yield(set) {
			return
		}
	}
}

// Refused returns the number of records that were older than the held records.
func (s *Sets) Refused() int { return s.refused }
