package notes

import (
	"cmp"
	"fmt"

	"dustbuster/operators/read/weblog"
	"dustbuster/operators/window/evidence"
)

// Kind is the kind of a note.
type Kind string

// The kinds, in the order of notes.
const (
	OneSize      Kind = "one_size"      // most URLs have the same size
	SizesApart   Kind = "sizes_apart"   // the sizes of most URLs are far apart
	OneClient    Kind = "one_client"    // nearly all URLs were requested by one client only
	Headers      Kind = "headers"       // the sizes of most URLs include headers
	MaybeHeaders Kind = "maybe_headers" // the sizes of most URLs may include headers
	Encodings    Kind = "encodings"     // the same URLs came in several encodings
)

// Note is what a log cannot tell about a site.
type Note struct {
	Kind Kind  `json:"note"`
	URLs int   `json:"urls"`           // with the property
	Of   int   `json:"of"`             // URLs whose size, client or encoding is known
	Size int64 `json:"size,omitempty"` // bytes; of OneSize
}

// String returns the note for a person.
func (n Note) String() string { return fmt.Sprintf("%d of %d URLs %s", n.URLs, n.Of, n.Words()) }

// Words returns what the URLs of the note are or have.
func (n Note) Words() (text string) {
	switch n.Kind {
	case OneSize:
		text = fmt.Sprintf("have the size of %d bytes: size does not tell these pages apart", n.Size)
	case SizesApart:
		text = "have sizes more than 5 % apart: some answers may be partial or compressed, or have two lines in the log"
	case OneClient:
		text = "were requested by the same client and by no other: the log may be of a proxy, a crawler or a scanner"
	case Headers:
		text = "have sizes with headers: equal pages seldom have equal sizes"
	case MaybeHeaders:
		text = "have sizes that may include headers: equal pages may have unequal sizes"
	case Encodings:
		text = "came in several encodings: sizes of different encodings are not compared"
	}
	return text
}

// Of returns the notes about a window, at most one of each kind, in the order of the kinds.
// Without pages, Of returns notes about the clients alone. O(pages).
func Of(pages []evidence.Page, clients *Clients) (all []Note) {
	var c census
	for i := range pages {
		c.add(pages[i].Evidence.Sizes())
	}
	add := func(is bool, n Note) {
		if is && n.Of >= least {
			all = append(all, n)
		}
	}
	size, same := c.commonest()
	alone, known := clients.most()
	add(above(same, c.sized), Note{OneSize, same, c.sized, size})
	add(above(c.apart, c.sized), Note{Kind: SizesApart, URLs: c.apart, Of: c.sized})
	add(reaches(alone, known, nearly), Note{Kind: OneClient, URLs: alone, Of: known})
	add(above(c.headers, c.sized), Note{Kind: Headers, URLs: c.headers, Of: c.sized})
	add(above(c.maybe, c.sized), Note{Kind: MaybeHeaders, URLs: c.maybe, Of: c.sized})
	add(reaches(c.several, c.encoded, mixed), Note{Kind: Encodings, URLs: c.several, Of: c.encoded})
	return all
}

func above(n, of int) bool { return 100*n > most*of }

func reaches(n, of, percent int) bool { return 100*n >= percent*of }

// census counts the pages with each property.
type census struct {
	sized   int // with a size
	apart   int // with sizes far apart
	headers int
	maybe   int // perhaps with headers
	encoded int // with a known encoding
	several int // with several known encodings

	sizes map[evidence.Span]int // pages by exact size and class
}

// encoding is the part of a class that tells the encoding. The rest of a class tells which
// bytes are counted.
const encoding = 7

// add counts a page.
func (c *census) add(sizes evidence.Spans) {
	if len(sizes) == 0 {
		return
	}
	if c.sizes == nil {
		c.sizes = map[evidence.Span]int{}
	}
	c.sized++
	var wide, headers, maybe bool
	var encodings [encoding + 1]bool
	for _, s := range sizes {
		if s.Min == s.Max {
			c.sizes[s]++
		}
		wide = wide || float64(s.Max-s.Min) > apart*float64(s.Max)
		headers = headers || s.Class&^encoding == weblog.SizeTotal.Class()
		maybe = maybe || s.Class&^encoding == weblog.SizeLengthOrTotal.Class()
		encodings[s.Class&encoding] = true
	}
	count(&c.apart, wide)
	count(&c.headers, headers)
	count(&c.maybe, maybe)
	known := 0
	for _, is := range encodings[weblog.ClassUnknown+1:] {
		count(&known, is)
	}
	count(&c.encoded, known > 0)
	count(&c.several, known > 1)
}

func count(n *int, is bool) {
	if is {
		*n++
	}
}

// commonest returns the exact size of the most pages within a class, of several such sizes
// the smallest, and the number of its pages.
func (c *census) commonest() (size int64, pages int) {
	for s, n := range c.sizes {
		if cmp.Or(cmp.Compare(n, pages), cmp.Compare(size, s.Min)) > 0 {
			size, pages = s.Min, n
		}
	}
	return size, pages
}
