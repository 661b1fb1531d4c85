package sketch

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"
	"golang.org/x/net/html"
)

// Page holds a document's facts for a trial: the sketch, the set of shingles, and the document's own statements in
// its head. A Page takes about 10 bytes a word, at most 84 KiB.
type Page struct {
	Sketch
	Text     uint64   // hash of the visible words in order; for other types than HTML, of the bytes: see PageAt
	Length   int64    // of the body, in bytes
	Shingles []uint32 // hashes of all shingles, ascending; only the least MaxShingles if there are more
	Bag      []uint32 // hashes of all words, or of all values of JSON, ascending, with repetition; nil if there are more than MaxBag, or none
	Media    []uint32 // hashes of the names of embedded media, ascending; at most MaxMedia
	Marks    []uint32 // hashes of what a reader sees beside the words, ascending, with repetition: see marks.go; nil if there are more than MaxBag, or for other types than HTML
	Bound    []uint32 // hashes of words and of the signs and marks beside them, ascending, with repetition; nil if there are more than MaxBag, or none
	Data     []uint32 // the number of members of linked data (JSON-LD), and hashes of its words that the text lacks, ascending; nil if there is none
	Wall     bool     // the page asks for a proof that its reader is human

	List []byte // the words as the document shows them, each before a newline, at most MaxList bytes; PageAt alone sets it

	Canonical string // href of the link with rel=canonical; "" if there is none, or several that differ
	Base      string // href of the first base element; canonical links are relative to it
	NoIndex   bool   // a robots meta element asks to keep the document out of indexes
	Until     string // directives with a date after which it asks so; "" if none
}

// Bounds of a Page.
const (
	MaxShingles = 4096
	MaxMedia    = 256
	MaxList     = 24 << 10 // bytes
	maxHref     = 2048     // bytes; a longer href is ignored
)

// PageOf returns the Page of a document. The arguments are the same as for [Of].
func PageOf(contentType string, body []byte) *Page {
	return pageOf(contentType, body, func([]byte) {})
}

// pageOf is PageOf, and calls shown for each piece of visible text.
func pageOf(contentType string, body []byte, shown func([]byte)) *Page {
	p := &Page{Sketch: Sketch{Digest: sha256.Sum256(body), HTML: isHTML(contentType, body), Image: isImage(contentType)}, Length: int64(len(body))}
	if !p.HTML {
		p.Text = binary.LittleEndian.Uint64(p.Digest[:])
		if isJSON(contentType) {
			p.Bag = membersOf(body)
		}
		return p
	}
	sh := newShingler()
	sh.all, sh.bag = &shingleSet{most: MaxShingles}, &bag{}
	sh.text.Reset()
	m := newMarks()
	sh.marks, sh.bound, m.sh.beside = m.bag, m.sh.bound, sh
	h := head{page: p, media: shingleSet{most: MaxMedia}, marks: m}
	m.reader = reader{limit: maxToken, tag: h.tag, script: m.script, piece: func(text []byte) {
		sh.read(text)
		m.text(text)
		shown(text)
	}}
	m.reader.readAll(body)
	p.Words, p.MinHash = sh.end()
	p.Text, p.Shingles, p.Bag = sh.text.Sum64(), sh.all.sorted(), sh.bag.sorted()
	p.Marks, p.Wall = m.end(p), isWall(p.Words, body)
	p.Bound = m.sh.bound.sorted()
	h.end()
	return p
}

// SameText reports whether two pages show the same words in one order, or, for other types than HTML, whether their
// bytes are equal, but for the address that a document of XML names as its own. Two pages without words show the same
// text only if their bytes are equal.
func SameText(a, b *Page) bool {
	switch {
	case a.Digest == b.Digest:
		return true
	case a.HTML && b.HTML:
		return a.Words > 0 && a.Words == b.Words && a.Text == b.Text
	}
	return !a.HTML && !b.HTML && a.Text != 0 && a.Text == b.Text
}

// Exact returns the resemblance of two pages, computed from their shingles: 1 if their bytes or their visible words
// are equal, else the Jaccard coefficient of their sets of shingles if both are HTML, else 0. If the pages have more
// than MaxShingles shingles together, the coefficient is an estimate with a standard error of at most
// sqrt(J(1-J)/MaxShingles), 0.005 for J = 0.9.
func Exact(a, b *Page) float64 {
	switch {
	case SameText(a, b):
		return 1
	case a.HTML && b.HTML:
		return overlap(a.Shingles, b.Shingles)
	}
	return 0
}

// overlap returns the share of the union's least MaxShingles members that both sets have. O(members).
func overlap(a, b []uint32) float64 {
	var both, union, i, j int
	for union < MaxShingles && (i < len(a) || j < len(b)) {
		union++
		switch {
		case j == len(b), i < len(a) && a[i] < b[j]:
			i++
		case i == len(a), b[j] < a[i]:
			j++
		default:
			both++
			i++
			j++
		}
	}
	if union == 0 {
		return 0
	}
	return float64(both) / float64(union)
}

// OtherMedia reports whether each of two pages embeds a medium that the other page lacks.
func OtherMedia(a, b *Page) bool {
	lacks := func(has, other []uint32) bool {
		return slices.ContainsFunc(has, func(h uint32) bool { _, found := slices.BinarySearch(other, h); return !found })
	}
	return lacks(a.Media, b.Media) && lacks(b.Media, a.Media)
}

// shingleSet keeps the least members of a set of hashes.
type shingleSet struct {
	most   int
	hashes []uint32
}

// add adds a hash. Amortized O(log most).
func (s *shingleSet) add(h uint32) {
	if s.hashes = append(s.hashes, h); len(s.hashes) >= 4*s.most {
		s.hashes = s.sorted()
	}
}

func (s *shingleSet) sorted() []uint32 {
	slices.Sort(s.hashes)
	s.hashes = slices.Compact(s.hashes)
	return slices.Clip(s.hashes[:min(len(s.hashes), s.most)])
}

// head collects the statements of a document's head, and the embedded media.
type head struct {
	page      *Page
	canonical []string
	media     shingleSet
	hasBase   bool
	marks     *marks
}

// tag reads the attributes of an element, if it matters.
func (h *head) tag(name []byte, z *html.Tokenizer) {
	switch tag := string(name); tag {
	case "link":
		h.link(z)
	case "meta":
		h.meta(z)
	case "base":
		if href := attribute(z, "href"); href != "" && !h.hasBase {
			h.page.Base, h.hasBase = href, true
		}
	case "img", "image", "video", "audio", "source", "track", "frame", "iframe", "embed", "object":
		attributes(z, h.mediumOf)
	default:
		h.marks.tag(tag, z)
	}
}

// mediumOf reads an attribute that may name media. Scripts that load a picture late read the address from data-src.
func (h *head) mediumOf(key, value []byte) {
	switch string(key) {
	case "src", "data", "data-src", "href", "xlink:href":
		h.medium(string(value))
	case "alt":
		h.marks.sh.read(value)
	case "srcdoc":
		visibleText(value, maxToken, h.marks.reader.piece)
	case "srcset", "data-srcset":
		for candidate := range strings.SplitSeq(string(value), ",") {
			address, _, _ := strings.Cut(strings.TrimSpace(candidate), " ")
			h.medium(address)
		}
	default:
		if string(key) == "poster" || isFile(value) {
			h.marks.file(string(value))
		}
	}
}

// two returns the values of two attributes. For the first, http-equiv stands as well.
func two(z *html.Tokenizer, one, other string) (a, b string) {
	attributes(z, func(key, value []byte) {
		switch string(key) {
		case one, "http-equiv":
			a = string(value)
		case other:
			b = string(value)
		}
	})
	return a, b
}

func (h *head) link(z *html.Tokenizer) {
	rel, href := two(z, "rel", "href")
	is := slices.ContainsFunc(strings.Fields(rel), func(r string) bool { return strings.EqualFold(r, "canonical") })
	if href = strings.TrimSpace(href); is && href != "" && len(href) <= maxHref && len(h.canonical) < 2 && !slices.Contains(h.canonical, href) {
		h.canonical = append(h.canonical, href)
	}
}

func (h *head) meta(z *html.Tokenizer) {
	name, content := two(z, "name", "content")
	switch name = strings.ToLower(strings.TrimSpace(name)); {
	case name == "refresh":
		_, to, _ := strings.Cut(content, "=")
		h.marks.file(strings.Trim(to, `"' `))
	case name != "robots" && !strings.HasSuffix(name, "bot"):
	case NoIndex(content):
		h.page.NoIndex = true
	case len(content) <= maxHref && strings.Contains(strings.ToLower(content), "unavailable_after"):
		h.page.Until = content
	}
}

// NoIndex reports whether a comma-separated list of robots directives asks to keep the document out of indexes.
func NoIndex(directives string) bool {
	return slices.ContainsFunc(strings.Split(directives, ","), func(d string) bool {
		d = strings.TrimSpace(d)
		return strings.EqualFold(d, "noindex") || strings.EqualFold(d, "none")
	})
}

// medium records the address of a medium. The name of a medium is the last path segment and the query. The folders
// are ignored, because a page and its copy elsewhere often have copies of their pictures beside them.
func (h *head) medium(address string) {
	h.marks.file(address)
	name, query := named(strings.TrimSpace(address))
	if query != "" {
		name += "?" + query
	}
	if name != "" {
		h.media.add(uint32(xxhash.Sum64String(name) >> 32))
	}
}

func (h *head) end() {
	h.page.Media = h.media.sorted()
	if len(h.canonical) == 1 {
		h.page.Canonical = h.canonical[0]
	}
}

// attribute returns the value of one attribute.
func attribute(z *html.Tokenizer, name string) (value string) {
	attributes(z, func(key, v []byte) {
		if string(key) == name && value == "" {
			value = string(bytes.TrimSpace(v))
		}
	})
	return value
}

// mostAttributes is the number of attributes of a tag that are read.
const mostAttributes = 64

func attributes(z *html.Tokenizer, each func(key, value []byte)) {
	for range mostAttributes {
		key, value, more := z.TagAttr()
		each(key, value)
		if !more {
			return
		}
	}
}
