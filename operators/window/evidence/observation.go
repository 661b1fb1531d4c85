package evidence

import "math"

// Observation is the evidence of one or more hits on a URL in one pane of time. Several
// observations have the same effect as their union.
type Observation struct {
	URL                  []byte // mined string
	Time                 int64  // Unix seconds of any of the hits
	Class                uint8  // of the sizes; Digest: only digests were seen
	Min, Max             int64  // bytes; Max = 0: no size was seen
	DigestMin, DigestMax uint64 // of the contents; DigestMax = 0: no digest was seen
	Clients              uint16 // one bit for each client, by a keyed hash; 0: no line named a client
	Families             uint32 // one bit for each family of user agents; 0: no line had an agent
}

// Parts returns the number of parts of an observation, one or two: the extent of the sizes,
// unless the class is Digest, and that of the digests, if there are any or the class is
// Digest.
func (o *Observation) Parts() int {
	if o.Class != Digest && o.DigestMax != 0 {
		return 2
	}
	return 1
}

// Part returns a part by its number, from 0. The part of the digests is the last.
func (o *Observation) Part(i int) Part {
	if i == 0 && o.Class != Digest && o.Max > 0 { // nearly always, and inlined
		return Part{o.Class, Extent{o.Min, o.Max, o.Clients, o.Families}}
	}
	return o.rarePart(i)
}

func (o *Observation) rarePart(i int) Part {
	p := Part{Class: o.Class, Extent: Extent{Nothing.Min, Nothing.Max, o.Clients, o.Families}}
	if o.DigestMax != 0 && (i == 1 || o.Class == Digest) {
		p.Class, p.Min, p.Max = Digest, ordered(o.DigestMin), ordered(o.DigestMax)
	}
	return p
}

// Set makes a part the only content of an observation. URL and time stay.
func (o *Observation) Set(p Part) {
	*o = Observation{URL: o.URL, Time: o.Time, Class: p.Class, Clients: p.Clients, Families: p.Families}
	switch {
	case p.Min > p.Max:
	case p.Class == Digest:
		o.DigestMin, o.DigestMax = digest(p.Min), digest(p.Max)
	default:
		o.Min, o.Max = p.Min, p.Max
	}
}

// Part is the extent of one class of answers of a page.
type Part struct {
	Class uint8
	Extent
}

// Span returns the part without the masks.
func (p Part) Span() Span { return Span{Min: p.Min, Max: p.Max, Class: p.Class} }

// Extent is the smallest and the largest size, the clients and their families, of one class of
// answers of a page. In the class Digest, digests stand for sizes, as numbers of the same order.
type Extent struct {
	Min, Max int64 // Min > Max: neither was seen
	Clients  uint16
	Families uint32
}

// Nothing is the extent of no answer at all. Join with Nothing changes nothing.
var Nothing = Extent{Min: math.MaxInt64, Max: math.MinInt64}

// Join widens e until e covers f. Join is the fold law: Join is idempotent, commutative and
// associative, so neither the order nor the repetition of hits, nor the grouping of hits
// into observations, changes the result.
func (e *Extent) Join(f Extent) {
	e.Min, e.Max = min(e.Min, f.Min), max(e.Max, f.Max)
	e.Clients |= f.Clients
	e.Families |= f.Families
}

// Covers reports whether Join with f leaves e unchanged.
func (e Extent) Covers(f Extent) bool {
	return f.Min >= e.Min && f.Max <= e.Max && f.Clients&^e.Clients == 0 && f.Families&^e.Families == 0
}

// Empty reports whether neither a size nor a digest was seen.
func (e Extent) Empty() bool { return e.Min > e.Max }

// ordered returns a digest as a number in the same order, so that extremes of digests
// correspond to extremes of numbers.
func ordered(digest uint64) int64 { return int64(digest ^ 1<<63) }

// digest is the inverse of ordered.
func digest(n int64) uint64 { return uint64(n) ^ 1<<63 }

// PaneOf returns the number of the pane that holds a time, for panes of length seconds. If
// length is 0, there is one endless pane.
func PaneOf(time, length int64) int64 {
	switch {
	case length <= 0:
		return 0
	case time < 0:
		return (time+1)/length - 1
	}
	return time / length
}

// PaneStart returns the first second of a pane, or the nearest second that an int64 can
// hold.
func PaneStart(pane, length int64) int64 {
	switch {
	case length <= 0:
		return 0
	case pane < math.MinInt64/length:
		return math.MinInt64
	case pane > math.MaxInt64/length:
		return math.MaxInt64
	}
	return pane * length
}

// Page is a URL of a site's list with the evidence about the URL's page.
type Page struct {
	URL      string // mined string
	Evidence Spans
	Text     uint64 // label of the page's text, one for texts that are alike, if the page was fetched; 0: unknown
	Number   uint32 // of the URL, in the list that the page was copied from
}

// Join folds an observation of the page into the evidence.
func (p *Page) Join(o *Observation) {
	for i := range o.Parts() {
		if part := o.Part(i); !part.Empty() {
			p.Evidence = p.Evidence.Join(part.Span())
		}
	}
}
