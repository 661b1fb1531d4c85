package checkpoint

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/read/client"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/waste"
	"dustbuster/stream/journal"
)

// The kinds of a journal's entries. The name of an entry is the site.
const (
	kindPositions byte = iota
	kindObservations
	kindCuts
	kindAct
	kindPoliteness
	kindDays
	kindEvidence
	kindForgotten
)

// Journal is a Store in a journal.
type Journal struct{ *journal.Journal }

// Save appends changes.
func (j Journal) Save(changes iter.Seq[Change]) error { return j.Journal.Save(j.entries(changes)) }

// Compact replaces all changes.
func (j Journal) Compact(all iter.Seq[Change]) error { return j.Journal.Compact(j.entries(all)) }

// entries yields the entries of changes.
func (j Journal) entries(changes iter.Seq[Change]) iter.Seq[journal.Entry] {
	return func(yield func(journal.Entry) bool) {
		head := evidence.Head{Pane: j.Pane(), Rule: client.Version}
		var value []byte
		for change := range changes {
			o, several := change.(Observations)
			if !several {
				if !yield(entryOf(change)) {
					return
				}
				continue
			}
			for n := 0; len(o.List) > 0; o.List = o.List[n:] {
				value, n = evidence.Append(value[:0], head, o.List)
				if !yield(journal.Entry{Kind: kindObservations, Name: o.Site, Value: value}) {
					return
				}
			}
		}
	}
}

// entryOf returns the entry of a change that is not an Observations.
func entryOf(change Change) journal.Entry {
	switch c := change.(type) {
	case Cuts:
		return journal.Entry{Kind: kindCuts, Name: c.Site, Value: table.EncodeCuts(c.Cuts)}
	case Act:
		return journal.Entry{Kind: kindAct, Name: c.Site, Value: c.Encode()}
	case Evidence:
		return journal.Entry{Kind: kindEvidence, Name: c.Site, Value: encode(c)}
	case Politeness:
		return journal.Entry{Kind: kindPoliteness, Value: encode(c)}
	case Days:
		return journal.Entry{Kind: kindDays, Name: c.Site, Value: waste.Encode(c.List)}
	case Forgotten:
		return journal.Entry{Kind: kindForgotten, Value: binary.AppendVarint(nil, int64(c))}
	case Positions:
		return journal.Entry{Kind: kindPositions, Value: c}
	}
	panic(fmt.Sprintf("checkpoint: a change of type %T", change))
}

func encode(c Change) []byte {
	value, err := json.Marshal(c)
	if err != nil {
		panic(err) // texts, times and numbers have a form
	}
	return value
}

// Load yields the changes in the journal.
func (j Journal) Load() iter.Seq2[Change, error] {
	return func(yield func(Change, error) bool) {
		decoder := evidence.NewDecoder(nil)
		for e, err := range j.Journal.Load() {
			var change Change
			var lost Forgotten
			if err == nil {
				change, lost, err = restoredOf(&e, decoder)
			}
			if lost > 0 && !yield(lost, nil) || !yield(change, err) {
				return
			}
		}
	}
}

// restoredOf is the inverse of entries. Clients that another version of the rules has read are forgotten.
func restoredOf(e *journal.Entry, decoder *evidence.Decoder) (c Change, lost Forgotten, err error) {
	switch e.Kind {
	case kindForgotten:
		newest, n := binary.Varint(e.Value)
		if n <= 0 {
			err = errors.New("read the time of forgotten clients: no number")
		}
		return Forgotten(newest), 0, err
	case kindObservations:
	default:
		c, err = changeOf(e)
		return c, 0, err
	}
	value, err := decoder.Decode(e.Value)
	if err != nil {
		return nil, 0, fmt.Errorf("restore site %q: %w", e.Name, err)
	}
	if value.Rule != client.Version {
		if newest, any := value.Forget(); any {
			lost = Forgotten(max(newest, 1))
		}
	}
	return Observations{e.Name, value.List}, lost, nil
}

// changeOf returns the change of an entry that holds no observations.
func changeOf(e *journal.Entry) (Change, error) {
	switch e.Kind {
	case kindPositions:
		return append(Positions{}, e.Value...), nil
	case kindCuts:
		cuts, err := table.DecodeCuts(e.Value)
		if err != nil {
			return nil, &CutsError{e.Name, err}
		}
		return Cuts{e.Name, cuts}, nil
	case kindAct:
		act, err := book.Decode(e.Value)
		return Act{e.Name, &act}, err
	case kindEvidence:
		evidence := Evidence{Site: e.Name}
		if err := json.Unmarshal(e.Value, &evidence); err != nil {
			return nil, fmt.Errorf("read evidence of site %q: %w", e.Name, err)
		}
		return evidence, nil
	case kindPoliteness:
		var states Politeness
		if err := json.Unmarshal(e.Value, &states); err != nil {
			return nil, fmt.Errorf("read politeness: %w", err)
		}
		return states, nil
	case kindDays:
		days, err := waste.Decode(e.Value)
		return Days{e.Name, days}, err
	}
	return nil, fmt.Errorf("restore: an entry of kind %d", e.Kind)
}

// LoadPositions returns the last positions in a journal, nil if there are none, and passes
// over all else.
func LoadPositions(j *journal.Journal) (last Positions, err error) {
	for e, err := range j.Load() {
		if err != nil {
			return nil, err
		}
		if e.Kind == kindPositions {
			last = append(last[:0], e.Value...)
		}
	}
	return last, nil
}
