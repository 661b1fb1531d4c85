package ledger

import (
	"cmp"
	"errors"
	"fmt"

	"dustbuster/operators/rule"
)

// SiteSet is what a site has published.
type SiteSet struct {
	Site     string
	Sequence int64
	At       int64 // Unix seconds
	Tuple    Tuple // of its marker
	Records  []rule.Record

	marker *Record
}

// Sets is what a reader holds: of each site the last whole set. It belongs to one
// goroutine; a SiteSet never changes.
type Sets struct {
	Most int // bytes of keys and values held, then no new ones are taken; 0: 1 GiB

	l       Ledger
	sets    map[string]*SiteSet
	refused int
}

// mostBytes is room for a million rules, which is more than a crawler has seen.
const mostBytes = 1 << 30

// maxValue bounds a value, in bytes. A publication of the most rules that a site may
// have, each of the longest text, is below it.
const maxValue = 8 << 20

var errFull = errors.New("more is published than there is room for: follow fewer sites")

// Apply takes in a record; changed tells that the set of its site is another now. A
// record that is no reader's business changes nothing. An error says what is wrong
// with the record, or with the set that it completes: it was passed over, and the
// site's last set stays.
func (s *Sets) Apply(r Record) (site string, changed bool, err error) {
	k, err := ParseKey(r.Key)
	if err != nil || k.Kind != Rule && k.Kind != Set {
		return "", false, err
	}
	if len(r.Value) > maxValue {
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

// full tells whether a record would take more room than there is.
func (s *Sets) full(k Key, r *Record) bool {
	_, bytes := s.l.Size()
	more := len(r.Key) + len(r.Value)
	if held := s.l.get(k); held != nil {
		more -= len(held.Key) + len(held.Value)
	}
	return more > 0 && bytes+more > cmp.Or(s.Most, mostBytes)
}

// renew takes the marker's set if it is whole and not the one held. Mostly it is the
// marker that completes a set; after an owner's retries it may be one of its rules.
func (s *Sets) renew(k Key) (bool, error) {
	marker := s.l.get(Key{Kind: Set, Site: k.Site})
	held := s.sets[k.Site]
	if marker == nil || held != nil && held.marker == marker {
		return false, nil
	}
	m := Marker{Site: k.Site}
	if marker.Value != nil {
		var err error
		if m, err = readMarker(Key{Kind: Set, Site: k.Site}, marker.Value); err != nil {
			return false, err
		}
	}
	if !s.l.complete(&m, marker.Tuple) {
		return false, nil
	}
	records, err := s.l.records(&m)
	if err != nil {
		return false, err
	}
	if s.sets == nil {
		s.sets = map[string]*SiteSet{}
	}
	s.sets[k.Site] = &SiteSet{k.Site, m.Sequence, m.At, marker.Tuple, records, marker}
	return true, nil
}

// Of is a site's set; nil if none has been whole yet.
func (s *Sets) Of(site string) *SiteSet { return s.sets[site] }

// All calls yield with each site's set, in the order of their names.
func (s *Sets) All(yield func(*SiteSet) bool) {
	for _, site := range s.l.siteNames() {
		if set := s.sets[site]; set != nil && !yield(set) {
			return
		}
	}
}

// Refused is how many records were older than what was held.
func (s *Sets) Refused() int { return s.refused }
