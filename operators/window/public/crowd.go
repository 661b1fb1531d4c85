package public

import (
	"hash/maphash"
	"iter"
	"math"
	"slices"
	"strings"

	"dustbuster/operators/url/action"
	"dustbuster/operators/url/secret"

	"github.com/dchest/siphash"
)

// Crowd counts the clients of what URLs have in common: their kind, its parts, and the short values that it does not
// show. A URL is settled if its kind and the parts have [Least] clients, and the values two: one client more then changes
// nothing that [Kinds] decides. A URL with text that may be one client's own is settled only if it has [Least]
// clients itself.
//
// Whoever leaves out clients of settled URLs leaves the same URLs settled, since nothing that is short of clients
// loses one. Each place, a pane of a site, is counted apart. A Crowd belongs to one goroutine.
type Crowd struct {
	most  int // traits remembered
	seed  maphash.Seed
	masks map[uint64]uint16 // clients by the hash of a trait

	traitsOf []uint64 // of the last URL
}

// trait is what URLs of a place have in common.
type trait struct {
	place uint64
	sort  byte
	text  string
}

const (
	aPlace = iota // itself
	aKind
	aPart
	aValue
)

// NewCrowd returns a crowd that remembers so many traits, of about 25 bytes each. One more, and it forgets all.
func NewCrowd(most int) *Crowd {
	return &Crowd{most: most, seed: maphash.MakeSeed(), masks: map[uint64]uint16{}}
}

// Place returns the number of a site's pane.
func (c *Crowd) Place(site string, pane int64) uint64 {
	return maphash.Comparable(c.seed, struct {
		site string
		pane int64
	}{site, pane})
}

// Tell takes in clients who are told with a URL. O(bytes).
func (c *Crowd) Tell(place uint64, url string, clients uint16) {
	c.traitsOf, _ = c.traits(c.traitsOf[:0], place, url)
	c.tell(place, c.traitsOf, clients)
}

func (c *Crowd) tell(place uint64, traits []uint64, clients uint16) {
	c.add(c.hash(trait{place: place}), clients)
	for _, t := range traits {
		c.add(t, clients)
	}
}

// Told returns the clients of a place.
func (c *Crowd) Told(place uint64) uint16 { return c.masks[c.hash(trait{place: place})] }

// Asks reports whether more clients of a URL must be told, given those that were. O(bytes).
func (c *Crowd) Asks(place uint64, url string, told, more uint16) bool {
	if more&^c.Told(place) != 0 {
		return true
	}
	traits, own := c.traits(c.traitsOf[:0], place, url)
	c.traitsOf = traits
	return own && !Several(told) || !c.areSettled(traits)
}

func (c *Crowd) add(hash uint64, clients uint16) {
	had, known := c.masks[hash]
	if had|clients == had && known {
		return
	}
	if !known && len(c.masks) >= c.most {
		clear(c.masks)
	}
	c.masks[hash] = had | clients
}

func (c *Crowd) areSettled(traits []uint64) bool {
	for _, t := range traits {
		if clients := c.masks[t]; !Several(clients) && (!isValue(t) || !two(clients)) {
			return false
		}
	}
	return true
}

// Forget drops all clients.
func (c *Crowd) Forget() { clear(c.masks) }

// hash returns the hash of a trait. Those of values are odd.
func (c *Crowd) hash(t trait) uint64 {
	hash := maphash.Comparable(c.seed, t) &^ 1
	if t.sort == aValue {
		hash |= 1
	}
	return hash
}

func isValue(hash uint64) bool { return hash&1 != 0 }

// traits appends the hashes of a URL's traits. own reports whether the URL has text that may be one client's own.
func (c *Crowd) traits(all []uint64, place uint64, url string) (_ []uint64, own bool) {
	path, query, _ := strings.Cut(url, "?")
	if query == "" && !strings.Contains(path, ";") { // often
		return append(all, c.hash(trait{place, aKind, kindPath(url)})), hidesOwn(path, "")
	}
	var parts []string
	for p := range partsOf(url) {
		parts = append(parts, p.text)
		all = append(all, c.hash(trait{place, aPart, p.text}))
		switch p.text {
		case p.name: // the value is no word
			all = append(all, c.hash(trait{place, aValue, p.name + "=" + p.value}))
			own = own || mayBeOwn(p.value)
		case "?": // the kind shows nothing of the piece
			own = true
		}
	}
	slices.Sort(parts)
	all = append(all, c.hash(trait{place, aKind, join(kindPath(url), slices.Compact(parts))}))
	return all, own || hidesOwn(path, url)
}

// hidesOwn reports whether the signs that a kind has for segments of a path, and for names of a URL's parts, may stand
// for text of one client.
func hidesOwn(path, url string) bool {
	for path != "" {
		segment, rest, _ := strings.Cut(path, "/")
		if segment, _, _ = strings.Cut(segment, ";"); shape(segment) != segment && mayBeOwn(segment) {
			return true
		}
		path = rest
	}
	for piece := range allPieces(url) {
		name, _, _ := strings.Cut(piece, "=")
		if name = action.Decode(name); shape(name) != name && mayBeOwn(name) {
			return true
		}
	}
	return false
}

// mostNumber is the number of digits of a number that belongs to no client.
const mostNumber = 6

// mayBeOwn reports whether a piece of a URL may be one client's own. Short numbers and plain words are not.
func mayBeOwn(piece string) bool {
	if len(piece) <= mostNumber && strings.Trim(piece, "0123456789") == "" {
		return false
	}
	return !secret.IsPlain(piece) || secret.InURL("/?v="+piece)
}

// counted is the number of URLs of which one is counted.
const counted = 10

// IsCounted reports whether all clients of a URL are told, even if it is settled: those of one URL in ten are, so
// that it is known of which URLs more clients ask. O(bytes).
func IsCounted(url string) bool { return siphash.Hash(0, 0, []byte(url))%counted == 0 }

// Settle puts all clients of a window in the place of those of its settled URLs, since a log that was sent by
// agents holds only some of them. It reports which these are. Masks are by the numbers of the URLs. O(bytes).
func Settle(masks []uint16, urls iter.Seq2[int, string]) (settled []bool) {
	c := NewCrowd(math.MaxInt)
	settled = make([]bool, len(masks))
	all := uint16(0)
	var traits []uint64
	var from []int
	for i, url := range urls {
		from = append(from, len(traits))
		own := false
		traits, own = c.traits(traits, 0, url)
		for _, t := range traits[from[len(from)-1]:] {
			c.add(t, masks[i])
		}
		settled[i] = !own || Several(masks[i])
		all |= masks[i]
	}
	from = append(from, len(traits))
	n := 0
	for i := range urls {
		if settled[i] = settled[i] && c.areSettled(traits[from[n]:from[n+1]]); settled[i] {
			masks[i] = all
		}
		n++
	}
	return settled
}
