package tail

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"
	"time"
)

// Position says which generation of a log has been dealt with, and how far. It
// is what a checkpoint keeps, in JSON or otherwise, and what Open goes on from.
// A generation is found again by its device, inode and first bytes, or, when it
// has been copied or compressed, by its first bytes alone.
type Position struct {
	Path     string `json:"path"`               // the path followed
	File     string `json:"file"`               // where the generation was last seen
	Device   uint64 `json:"device"`             // with Inode: the file's identity, as long as it exists
	Inode    uint64 `json:"inode"`              //
	Head     uint64 `json:"head,string"`        // hash of its first HeadLen bytes, decompressed; a string, as not all JSON readers hold 64 bits
	HeadLen  int    `json:"head_len"`           // at most 1024
	Offset   int64  `json:"offset"`             // bytes dealt with, decompressed; the end of a line
	Size     int64  `json:"size"`               // bytes on disk when last seen, for telling what was lost
	Finished bool   `json:"finished,omitempty"` // nothing is left to read, or it is not to be read
	Cut      bool   `json:"cut,omitempty"`      // a copy of a file that was truncated: a last line without newline is torn
}

// headSize is how many first bytes tell a generation: some lines of an access
// log, and its first times.
const headSize = 1024

// hashHead need not be fast, but must not be open to collisions that a client
// can make by what it asks for.
func hashHead(head []byte) uint64 {
	sum := sha256.Sum256(head)
	return binary.LittleEndian.Uint64(sum[:])
}

// registry is what the reader's goroutine and the consumer both know of the
// generations.
type registry struct {
	mu      sync.Mutex
	records map[uint64]*record
	stats   Stats
}

type record struct {
	position Position  // its Offset is what the consumer said last
	end      int64     // of a finished generation
	gone     time.Time // since when it is finished and no longer on disk; zero: it is not
	packed   bool
	backlog  backlog
}

// overdue is for how long a generation that is gone is remembered for a consumer that
// has not dealt with it: nobody may ever be able to read its last lines.
const overdue = time.Hour

// note makes what is known of a generation visible to the consumer.
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

// grew takes in how large a generation's file is now.
func (r *registry) grew(g *generation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.records[g.number]; known != nil {
		known.grew(g)
	}
}

func (r *record) grew(g *generation) {
	now := time.Now()
	if len(r.backlog) == 0 && g.modified.Before(now) {
		now = g.modified // what was there before it was looked at
	}
	r.position.Size = g.size
	r.backlog.grow(g.size, r.position.Offset, now)
}

// forget lets go of a generation as soon as the consumer has dealt with it.
func (r *registry) forget(g *generation) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if known := r.records[g.number]; known != nil {
		known.gone = time.Now()
	}
}

func (r *registry) count(add func(*Stats)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	add(&r.stats)
}

// positions takes in what the consumer has dealt with, and lists all
// generations in the order of their numbers.
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

func (r *registry) numbers() []uint64 {
	var all []uint64
	for number := range r.records {
		all = append(all, number)
	}
	slices.Sort(all)
	return all
}
