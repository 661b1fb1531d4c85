package ledger

import (
	"bytes"
	"iter"
	"maps"
	"slices"
)

// Outcome is the result of applying a record.
type Outcome uint8

// The outcomes.
const (
	Refused Outcome = iota // the record is older than the held record: the log's last record of the key does not count
	Held                   // the record is the held record
	Taken                  // the record is newer
)

// Ledger is the fold of records: the greatest record of each key. The zero Ledger is empty.
// A Ledger belongs to one goroutine.
type Ledger struct {
	top   Tuple
	plain [2]*Record
	sites map[string]*site
	live  int // keys with a value
	bytes int // of all keys and values
}

// site holds the records of a site, by name. The name of a Set is "".
type site [kinds]map[string]*Record

// Apply takes in a record and keeps its value.
func (l *Ledger) Apply(k Key, r Record) Outcome {
	held := l.Get(k)
	if held != nil {
		switch c := r.Compare(held); {
		case c < 0:
			return Refused
		case c == 0:
			return Held
		}
		l.count(held, -1)
	}
	l.put(k, &r)
	l.count(&r, +1)
	if l.top.Compare(r.Tuple) < 0 {
		l.top = r.Tuple
	}
	return Taken
}

func (l *Ledger) count(r *Record, by int) {
	if r.Value != nil {
		l.live += by
	}
	l.bytes += by * (len(r.Key) + len(r.Value))
}

func (l *Ledger) put(k Key, r *Record) {
	if k.Kind <= Fetch {
		l.plain[k.Kind] = r
		return
	}
	s := l.sites[k.Site]
	if s == nil {
		s = &site{}
		if l.sites == nil {
			l.sites = map[string]*site{}
		}
		l.sites[k.Site] = s
	}
	if s[k.Kind] == nil {
		s[k.Kind] = map[string]*Record{}
	}
	s[k.Kind][k.Name] = r
}

// Get returns the held record of a key, or nil. Callers must not modify the record.
func (l *Ledger) Get(k Key) *Record {
	if k.Kind <= Fetch {
		return l.plain[k.Kind]
	}
	if s := l.sites[k.Site]; s != nil {
		return s[k.Kind][k.Name]
	}
	return nil
}

// Value returns the value of a key, or nil if it has none.
func (l *Ledger) Value(k Key) []byte {
	if r := l.Get(k); r != nil {
		return r.Value
	}
	return nil
}

// Holds reports whether a record is the held record.
func (l *Ledger) Holds(k Key, r *Record) bool {
	held := l.Get(k)
	return held != nil && held.Tuple == r.Tuple && bytes.Equal(held.Value, r.Value) && (held.Value == nil) == (r.Value == nil)
}

// Top returns the greatest tuple taken.
func (l *Ledger) Top() Tuple { return l.top }

// Size returns the number of keys that have a value, and the bytes of all keys and values.
func (l *Ledger) Size() (keys, bytes int) { return l.live, l.bytes }

// Sites returns the names of all sites, in order.
func (l *Ledger) Sites() []string { return slices.Sorted(maps.Keys(l.sites)) }

// Names returns the names of a site's keys of one kind that have a value.
func (l *Ledger) Names(site string, kind Kind) iter.Seq[string] {
	return func(yield func(string) bool) {
		s := l.sites[site]
		if s == nil {
			return
		}
		for name, r := range s[kind] {
			if r.Value != nil && !yield(name) {
				return
			}
		}
	}
}
