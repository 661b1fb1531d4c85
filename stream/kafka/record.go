package kafka

import "time"

// Record is one record of a partition.
type Record struct {
	Offset  int64     // its place; not regarded when produced
	Time    time.Time // in milliseconds, as its producer or the broker says; zero when produced: now
	Key     []byte    // nil: none
	Value   []byte    // nil: a tombstone. Empty and not nil: empty
	Headers []Header
}

// Header is a named value beside a record's own.
type Header struct {
	Key   string
	Value []byte
}

// Batch is what was read of a partition, in order. It is the caller's; keys,
// values and headers share its memory.
type Batch struct {
	Records []Record // may be none: the log has holes
	Next    int64    // where reading goes on; what a group commits
	End     int64    // up to which the partition can be read now. Compare it with Next, never with offsets of records: the last may be a hole
	Lost    int64    // offsets that are gone or cannot be read, and were passed over. Count them and tell somebody
	Why     error    // what they were lost by; nil if none
}

// Header is the value of a name; nil if there is none.
func (r *Record) Header(name string) []byte {
	for i := range r.Headers {
		if r.Headers[i].Key == name {
			return r.Headers[i].Value
		}
	}
	return nil
}
