package ledger

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
)

// Tuple is the place of a record in the order of all records of its key. No member is
// negative.
type Tuple struct {
	Epoch      int64 // grows with each owner: see the package comment
	Generation int64 // of the consumer group
	Sequence   int64 // number of records written by the owner since its claim, including this one
}

// Compare returns -1, 0 or +1 if t is before, equal to or after u.
func (t Tuple) Compare(u Tuple) int {
	return cmp.Or(cmp.Compare(t.Epoch, u.Epoch), cmp.Compare(t.Generation, u.Generation), cmp.Compare(t.Sequence, u.Sequence))
}

// Owner returns the tuple without the sequence, which is the same for all tuples of one
// owner.
func (t Tuple) Owner() Tuple { return Tuple{t.Epoch, t.Generation, 0} }

// MarshalJSON writes [epoch,generation,sequence].
func (t Tuple) MarshalJSON() ([]byte, error) {
	return json.Marshal([...]int64{t.Epoch, t.Generation, t.Sequence})
}

// UnmarshalJSON reads a tuple written by MarshalJSON.
func (t *Tuple) UnmarshalJSON(b []byte) error {
	var all []int64
	if err := json.Unmarshal(b, &all); err != nil {
		return err
	}
	if len(all) != 3 || min(all[0], all[1], all[2]) < 0 {
		return fmt.Errorf("read tuple %.100q: want [epoch, generation, sequence]", b)
	}
	*t = Tuple{all[0], all[1], all[2]}
	return nil
}

// The names of a record's headers, in their order. The values are decimal.
var headers = [...]string{"epoch", "generation", "sequence"}

// Headers calls add with the name and value of each header.
func (t Tuple) Headers(add func(name string, value []byte)) {
	for i, n := range [...]int64{t.Epoch, t.Generation, t.Sequence} {
		add(headers[i], strconv.AppendInt(nil, n, 10))
	}
}

// ReadTuple reads headers. get returns the value of a name, nil if there is none.
func ReadTuple(get func(name string) []byte) (Tuple, error) {
	var all [len(headers)]int64
	for i, name := range headers {
		n, err := strconv.ParseUint(string(get(name)), 10, 63)
		if err != nil {
			return Tuple{}, fmt.Errorf("read header %q: %.40q is no number", name, get(name))
		}
		all[i] = int64(n)
	}
	return Tuple{all[0], all[1], all[2]}, nil
}

// Record is one record of the log.
type Record struct {
	Key   string
	Value []byte // nil: the key is deleted
	Tuple Tuple
}

// Compare orders two records of one key. Records with equal tuples are ordered by their
// values, so that all readers hold the same record even if two owners wrote under one
// tuple.
func (r *Record) Compare(t *Record) int {
	return cmp.Or(r.Tuple.Compare(t.Tuple), bytes.Compare(r.Value, t.Value))
}
