package tail

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"sync"
	"time"
)

// Position says how much of a generation has been processed. A checkpoint stores
// Positions, in JSON or otherwise, and Open resumes from them. A generation is found
// again by its device, inode and first bytes, or, after copying or compression, by its
// first bytes alone.
type Position struct {
	Path     string `json:"path"`               // the path followed
	File     string `json:"file"`               // where the generation was last seen
	Device   uint64 `json:"device"`             // with Inode: the identity of the file, as long as it exists
	Inode    uint64 `json:"inode"`              //
	Head     uint64 `json:"head,string"`        // hash of the first HeadLen bytes, decompressed; a string, because not all JSON readers hold 64 bits
	HeadLen  int    `json:"head_len"`           // at most 1024
	Offset   int64  `json:"offset"`             // bytes processed, decompressed; the end of a line
	Size     int64  `json:"size"`               // bytes on disk when last seen, to count losses
	Finished bool   `json:"finished,omitempty"` // all text was read, or the text is not to be read
	Cut      bool   `json:"cut,omitempty"`      // the file is a copy of a truncated file: a last line without newline is torn
	Format   string `json:"format,omitempty"`   // of the lines; for the consumer, which may set and read it
}

// headSize is the number of first bytes that identify a generation: some lines of an
// access log, with its first times.
const headSize = 1024

// hashHead hashes a head. Speed does not matter, but a client must not be able to make
// collisions by its requests.
func hashHead(head []byte) uint64 {
	sum := sha256.Sum256(head)
	return binary.LittleEndian.Uint64(sum[:])
}

// registry holds the facts about generations that the reader's goroutine and the
// consumer share.
type registry struct {
	mu      sync.Mutex
	records map[uint64]*record
	stats   Stats
	paths   []followed         // as of the last scan
	started bool               // the text present at the start is known
	trouble map[string]trouble // by path, the last error
}

type record struct {
	position Position  // Offset is the consumer's last report
	end      int64     // Batch.End of the last batch handed out
	gone     time.Time // since when the finished generation is no longer on disk; zero: on disk
	packed   bool
	wrong    error // why most lines are left out; nil: they are not
	awaited  bool  // text was present at the start, and is not all handed out
	goal     int64 // Batch.End of the batch with the last of that text
	passed   int64 // see Passed
	backlog  backlog
}

// overdue is how long a vanished generation is remembered for a consumer that has not
// processed it, because its last lines may never become readable.
const overdue = time.Hour

// note publishes the state of a generation to the consumer.
func (r *registry) note(g *generation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := r.records[g.number]
	if known == nil {
		known = &record{position: Position{Offset: g.offset}}
		r.records[g.number] = known
	}
	offset := known.position.Offset
	known.position = g.position()
	known.position.Offset = offset
	known.end, known.packed = g.handed, g.packed
	known.grew(g)
}

// change changes the record of a generation, unless it was dropped.
func (r *registry) change(number uint64, how func(*record)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.records[number]; known != nil {
		how(known)
	}
}

// grew takes over the present size of a generation's file.
func (r *record) grew(g *generation) {
	now := time.Now()
	if len(r.backlog) == 0 && g.modified.Before(now) {
		now = g.modified // the bytes were there before the first poll
	}
	r.position.Size = g.size
	r.backlog.grow(g.size, r.position.Offset, now)
}

// forget drops a generation as soon as the consumer has processed it.
func (r *registry) forget(g *generation) {
	r.change(g.number, func(known *record) { known.gone = time.Now() })
}

func (r *registry) count(add func(*Stats)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	add(&r.stats)
}

// positions takes the consumer's progress and lists all generations in the order of
// their numbers.
func (r *registry) positions(end map[uint64]int64) []Position {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []Position
	for _, number := range r.numbers() {
		known := r.records[number]
		p := &known.position
		if dealt, ok := end[number]; ok {
			p.Offset = max(p.Offset, dealt)
		}
		complete := p.Finished && p.Offset >= known.end
		if gone := known.gone; !gone.IsZero() && (complete || time.Since(gone) > overdue) {
			delete(r.records, number)
			continue
		}
		shown := *p
		shown.Finished = complete
		all = append(all, shown)
	}
	return all
}

func (r *registry) numbers() []uint64 { return slices.Sorted(maps.Keys(r.records)) }
