package sketch

import (
	"bytes"
	"regexp"
	"slices"
)

// Steady is what a page shows at any time: its text with one word in the place of each clock.
//
// A clock is a time of day with seconds, with the date beside it if there is one, or the time that a
// page took, in fractions of a second with at least three digits. A date alone, and a time without
// seconds, are content: concerts and timetables show them.
type Steady struct {
	*Page          // of the document; Words, MinHash, Text and Shingles are those of the steady text, and Bag, Bound and Data are nil
	Order []uint32 // hashes of the words of the steady text, in order; nil if there are more than MaxOrder
}

// Bounds of the search for clocks, which takes some microseconds for each. More clocks on a page are a list of times, which
// is content.
const (
	mostClocked    = 64      // pieces of text with a clock
	longestClocked = 4 << 10 // bytes of a piece
)

// MaxOrder is the greatest number of words of which a Steady keeps the order.
const MaxOrder = 1 << 14

// Steady returns the steady text of a document. The arguments are those of [PageOf]; time is less than twice as much.
func (c *Clocks) Steady(contentType string, body []byte) *Steady {
	sh := newShingler()
	sh.all, sh.order = &shingleSet{most: MaxShingles}, &order{}
	sh.text.Reset()
	left := mostClocked
	p := pageOf(contentType, body, func(piece []byte) {
		if left > 0 && len(piece) <= longestClocked && mayHaveClock(piece) {
			left--
			piece = c.Without(piece)
		}
		sh.read(piece)
	})
	p.Bag, p.Bound, p.Data = nil, nil, nil
	s := &Steady{Page: p}
	if p.HTML {
		p.Words, p.MinHash = sh.end()
		p.Text, p.Shingles = sh.text.Sum64(), sh.all.sorted()
		s.Order = sh.order.words()
	}
	return s
}

// order collects the hashes of words.
type order struct {
	hashes []uint32
	full   bool // there were more words
}

func (o *order) add(h uint64) {
	if o.full = o.full || len(o.hashes) == MaxOrder; !o.full {
		o.hashes = append(o.hashes, uint32(h>>32))
	}
}

func (o *order) words() []uint32 {
	if o.full {
		return nil
	}
	return slices.Clip(o.hashes)
}

// The parts of clocks.
const (
	monthName  = `(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?`
	dayName    = `((mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? +)?`
	dateText   = `(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|` + dayName + `\d{1,2}\.?[ -]` + monthName + `[ -]\d{4}|` + dayName + monthName + ` \d{1,2}(st|nd|rd|th)?(,? \d{4})?)`
	timeOfDay  = `\d{1,2}:\d\d:\d\d([.,]\d+)?( ?[ap]\.?m\b)?( ?(z|utc|gmt|cet|cest|[+-]\d\d:?\d\d)\b)?`
	timeTaken  = `\d+[.,]\d{3,} ?(ms|milliseconds?|s|secs?|seconds?)\b`
	clockWords = `(?i)(\b` + dateText + `(,? +|t)|\b)` + timeOfDay + `(,? +` + dateText + `\b)?( (19|20)\d\d\b)?|\b` + timeTaken
)

// Clocks finds the clocks of texts. Any goroutine may use it.
type Clocks struct{ found *regexp.Regexp }

// NewClocks returns the Clocks of all pages. Making them takes a tenth of a millisecond, so programs that compare no
// pages are spared it.
func NewClocks() *Clocks { return &Clocks{regexp.MustCompile(clockWords)} }

// Without returns a piece of text with one word in the place of each clock.
func (c *Clocks) Without(piece []byte) []byte {
	var kept []byte
	from := 0
	for _, at := range c.found.FindAllIndex(piece, -1) {
		begin, end := at[0], at[1]
		if begin > 0 && piece[begin-1] == ':' || end < len(piece) && piece[end] == ':' { // an address, or a frame of a film
			continue
		}
		kept = append(append(kept, piece[from:begin]...), " clock "...)
		from = end
	}
	return append(kept, piece[from:]...)
}

// mayHaveClock reports whether a text has the marks of a clock: two colons at a distance of three, or three digits
// after a point. O(bytes).
func mayHaveClock(piece []byte) bool {
	for rest := piece; ; {
		i := bytes.IndexAny(rest, ":.,")
		if i < 0 || i+3 >= len(rest) {
			return false
		}
		if a, b, c := rest[i+1], rest[i+2], rest[i+3]; isDigit(a) && isDigit(b) && (rest[i] == ':' && c == ':' || rest[i] != ':' && isDigit(c)) {
			return true
		}
		rest = rest[i+1:]
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
