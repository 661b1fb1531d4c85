package kafka

import "time"

// Record is one record of a partition.
type Record struct {
	Offset  int64     // its place; not regarded when produced
	Time    time.Time // in milliseconds, set by the producer or the broker; zero when produced: now
	Key     []byte    // nil: none
	Value   []byte    // nil: a tombstone. Empty and not nil: empty
	Headers []Header
}

// Header is a named value beside a record's own.
type Header struct {
	Key   string
	Value []byte
}

// Batch is a run of a partition's records, in order. The caller owns the batch. Keys,
// values and headers share the memory of the batch.
type Batch struct {
	Records []Record // may be none: the log has holes
	Next    int64    // the position to continue at; a group commits Next
	End     int64    // the current end of the readable log. Compare End with Next, never with offsets of records: the last offset may be a hole
	Lost    int64    // missing or unreadable offsets passed over. Count and report them
	Why     error    // the cause of Lost; nil if none
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
