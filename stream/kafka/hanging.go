package kafka

import (
	"fmt"
	"time"
)

// A reader of committed records ends at the last stable offset: before the first transaction that is open.
// A producer that dies, and brokers that forget its transaction, leave it open for ever. Then no record comes,
// and nothing seems to be wrong: the end that counts does not move. So the end of the log is compared.

// hangingFor is how long a transaction may hold records back before that is an error: what Kafka gives a
// producer by default.
const hangingFor = time.Minute

// held says which offsets are behind an open transaction.
type held struct {
	stable  int64     // the last stable offset
	offsets int64     // behind it
	since   time.Time // it has been the same since; zero: nothing is held back
	told    time.Time
}

// look takes in the ends of a partition, and reports whether it is time to tell that a transaction hangs.
func (h *held) look(stable, high int64, now time.Time) (tell bool) {
	switch {
	case stable < 0 || stable >= high:
		*h = held{}
		return false
	case h.since.IsZero() || stable != h.stable:
		*h = held{stable: stable, since: now}
	}
	h.offsets = high - stable
	if tell = h.hangs(now) && now.Sub(h.told) >= hangingFor; tell {
		h.told = now
	}
	return tell
}

func (h *held) hangs(now time.Time) bool { return !h.since.IsZero() && now.Sub(h.since) >= hangingFor }

// error returns what a partition's reader tells.
func (h *held) error(topic string, partition int) error {
	return fmt.Errorf("read topic %q, partition %d: %d offsets cannot be read, since a transaction at offset %d has been open since %s: end it with kafka-transactions.sh abort",
		topic, partition, h.offsets, h.stable, h.since.UTC().Format(time.RFC3339))
}

// Hanging returns how many offsets cannot be read since a transaction has been open for a minute; 0: none.
// Any goroutine may call Hanging.
func (p *Partition) Hanging() int64 {
	p.reader.mutex.Lock()
	defer p.reader.mutex.Unlock()
	if !p.hung.hangs(time.Now()) {
		return 0
	}
	return p.hung.offsets
}
