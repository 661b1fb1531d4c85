package combine

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
	"strings"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/public"

	"github.com/dchest/siphash"
	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// Options are the bounds of a combiner.
type Options struct {
	Pane     int64     // seconds of a pane, 0: one endless pane; as in the tables that receive the observations
	Entries  int       // remembered entries of sent observations: 180 bytes each (BenchmarkMemory)
	MaxBytes int       // bytes of waiting observations at which the combiner is full
	Key      [2]uint64 // drawn at random for each combiner; a client that knows the key can suppress hits
}

// Combiner finds the observations that widen the sent observations. A Combiner belongs
// to one goroutine.
type Combiner struct {
	o       Options
	sent    *simplelru.LRU[identity, entry]
	waiting []observation
	bytes   int    // of the waiting observations
	text    []byte // text of the waiting URLs
	name    []byte // input of the hash
	out     []evidence.Observation
	crowd   *public.Crowd // of what was sent or waits
}

// identity is the hash of a site, a URL, a pane and a class.
type identity struct{ low, high uint64 }

// entry is the sent or waiting extent of an identity.
type entry struct {
	evidence.Extent
	at    uint32 // index among the waiting observations, valid if the observation there has the same identity
	quiet uint16 // further clients of whom the receiver need not hear
}

type observation struct {
	id   identity
	site string
	url  []byte
	pane int64
	evidence.Part
}

// New returns a combiner without sent observations.
func New(o Options) (*Combiner, error) {
	sent, err := simplelru.NewLRU[identity, entry](o.Entries, nil)
	if err != nil || o.Pane < 0 || o.MaxBytes <= 0 {
		return nil, fmt.Errorf("combine observations: %d entries, %d bytes, panes of %d seconds: the first two must be 1 or more, the last 0 or more", o.Entries, o.MaxBytes, o.Pane)
	}
	return &Combiner{o: o, sent: sent, crowd: public.NewCrowd(o.Entries)}, nil
}

// Add takes in an observation of a site, and reports whether it is news. News waits to be
// sent. An observation without news costs a hash and a lookup, and no allocation. The URL is
// copied.
func (c *Combiner) Add(site string, o *evidence.Observation) (news bool) {
	pane := evidence.PaneOf(o.Time, c.o.Pane)
	for i := range o.Parts() {
		news = c.add(site, o.URL, pane, o.Part(i)) || news
	}
	return news
}

func (c *Combiner) add(site string, url []byte, pane int64, p evidence.Part) bool {
	id := c.identify(site, url, pane, p.Class)
	e, known := c.sent.Get(id)
	if known && e.covers(p.Extent) {
		return false
	}
	waits := int(e.at) < len(c.waiting) && c.waiting[e.at].id == id
	if known && !waits && c.hush(&e, site, url, pane, p.Extent) {
		c.sent.Add(id, e)
		return false
	}
	if known {
		e.Join(p.Extent)
	} else {
		e = entry{Extent: p.Extent, at: e.at}
	}
	if waits {
		c.waiting[e.at].Join(e.Extent) // the waiting extent may be wider: e is new if the entry was evicted in the meantime
	} else {
		e.at = uint32(len(c.waiting))
		c.waiting = append(c.waiting, observation{id, site, c.keep(url), pane, evidence.Part{Class: p.Class, Extent: e.Extent}})
		c.bytes += waitingBytes + len(url)
	}
	c.sent.Add(id, e)
	c.crowd.Tell(c.crowd.Place(site, pane), string(url), p.Clients)
	return true
}

// covers reports whether the receiver need not hear of an extent.
func (e *entry) covers(f evidence.Extent) bool {
	f.Clients &^= e.quiet
	return e.Covers(f)
}

// hush reports whether an extent says no more than clients whose number changes nothing. The entry then remembers
// the clients that the site has shown.
func (c *Combiner) hush(e *entry, site string, url []byte, pane int64, f evidence.Extent) bool {
	clients := f.Clients
	if f.Clients = 0; !e.Covers(f) || public.IsCounted(string(url)) {
		return false
	}
	place := c.crowd.Place(site, pane)
	if c.crowd.Asks(place, string(url), e.Clients, clients) {
		return false
	}
	e.quiet = c.crowd.Told(place)
	return true
}

// identify hashes the identity of an observation. The length before the site separates it
// from the following text.
func (c *Combiner) identify(site string, url []byte, pane int64, class uint8) identity {
	b := append(c.name[:0], class)
	b = binary.LittleEndian.AppendUint64(b, uint64(pane))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(site)))
	b = append(append(b, site...), url...)
	c.name = b
	low, high := siphash.Hash128(c.o.Key[0], c.o.Key[1], b)
	return identity{low, high}
}

// keep copies a URL. Earlier copies stay in place when the text grows.
func (c *Combiner) keep(url []byte) []byte {
	if cap(c.text)-len(c.text) < len(url) {
		c.text = make([]byte, 0, max(min(2*cap(c.text), c.o.MaxBytes), 4<<10, len(url)))
	}
	n := len(c.text)
	c.text = append(c.text, url...)
	return c.text[n:len(c.text):len(c.text)]
}

// waitingBytes is the memory of a waiting observation in addition to the URL, and the same
// memory again during Drain.
const waitingBytes = 256

// Waiting returns the number of waiting observations.
func (c *Combiner) Waiting() int { return len(c.waiting) }

// Full reports whether enough observations wait for a call of Drain.
func (c *Combiner) Full() bool { return c.bytes >= c.o.MaxBytes }

// Drain yields all waiting observations: the sites in the order of their names, and each site's
// observations by URL, pane and class. The time of an observation is the beginning of the pane.
// A list is valid until the next one. After the iteration nothing waits, and all of the
// observations count as sent. If they are lost, the caller must call Forget.
func (c *Combiner) Drain() iter.Seq2[string, []evidence.Observation] {
	return func(yield func(string, []evidence.Observation) bool) {
		slices.SortFunc(c.waiting, func(a, b observation) int {
			return cmp.Or(strings.Compare(a.site, b.site), bytes.Compare(a.url, b.url), cmp.Compare(a.pane, b.pane), cmp.Compare(a.Class, b.Class))
		})
		for rest := c.waiting; len(rest) > 0; {
			site := rest[0].site
			c.out = c.out[:0]
			for len(rest) > 0 && rest[0].site == site {
				o := evidence.Observation{URL: rest[0].url, Time: evidence.PaneStart(rest[0].pane, c.o.Pane)}
				o.Set(rest[0].Part)
				c.out, rest = append(c.out, o), rest[1:]
			}
			if !yield(site, c.out) {
				break
			}
		}
		clear(c.waiting)
		clear(c.out)
		c.waiting, c.out, c.bytes, c.text = c.waiting[:0], c.out[:0], 0, c.text[:0]
	}
}

// Forget drops all sent and waiting observations. The combiner is then like new.
func (c *Combiner) Forget() {
	c.sent.Purge()
	c.crowd.Forget()
	clear(c.waiting)
	c.waiting, c.bytes, c.text = c.waiting[:0], 0, c.text[:0]
}

// Entries returns the number of remembered entries.
func (c *Combiner) Entries() int { return c.sent.Len() }
