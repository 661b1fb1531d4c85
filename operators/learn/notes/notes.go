package notes

import (
	"fmt"
)

// Kind is the kind of a note.
type Kind string

// The kinds, in the order of notes.
const (
	Sample       Kind = "sample"        // the bounds of URLs or of the memory leave out the other URLs
	OneSize      Kind = "one_size"      // most URLs, or hits on crowded sizes, have the same size
	CrowdedSizes Kind = "crowded_sizes" // most URLs, or hits, have crowded sizes
	CatchAll     Kind = "catch_all"     // a page, or few, answers for invented names
	SizesApart   Kind = "sizes_apart"   // the sizes of most URLs, or of the URLs of most hits, are apart
	NoClient     Kind = "no_client"     // no line names a client
	OneClient    Kind = "one_client"    // nearly all URLs were requested by one client only
	Scanner      Kind = "scanner"       // some clients requested names or URLs that no other client uses
	Headers      Kind = "headers"       // the sizes of most URLs include headers
	MaybeHeaders Kind = "maybe_headers" // the sizes of most URLs may include headers
	Encodings    Kind = "encodings"     // the same URLs came in several encodings
)

// Note is what a log cannot tell about a site.
type Note struct {
	Kind Kind `json:"note"`
	URLs int  `json:"urls"` // with the property
	Of   int  `json:"of"`   // URLs whose size, content, client or encoding is known; of Sample about all URLs of the log

	// Hits on these URLs; both 0 if hits are not counted, or if the note does not depend on them.
	Hits   int64 `json:"hits,omitempty"`
	OfHits int64 `json:"of_hits,omitempty"`

	Size      int64   `json:"size,omitempty"`      // bytes; of OneSize
	Contents  int     `json:"contents,omitempty"`  // crowded sizes of CrowdedSizes, pages of CatchAll
	Clients   int     `json:"clients,omitempty"`   // bits of the clients of Scanner
	Tolerance float64 `json:"tolerance,omitempty"` // of SizesApart, as a share of the larger size
	Example   string  `json:"example,omitempty"`   // a URL with the property that looks like no secret; "": there is none
}

// texts says of each kind what the URLs of a note are or have, why that matters, and what the
// owner of the log can do.
var texts = map[Kind]struct{ words, why, advice string }{
	Sample: {
		"are the sample in which these rules were found: the others exceed the limit of memory or of URLs",
		"The duplicates of a page are kept or dropped together, so frequent rules are found and rare ones are missed.",
		"Raise the limit, or read fewer hosts or a shorter time.",
	},
	OneSize: {
		"have the size of %s: size does not tell these pages apart",
		"It may be a login page, an error page with status 200, or one application for all URLs.",
		"Let the server answer errors with a status of 400 or more. Test the rules before you use them.",
	},
	CrowdedSizes: {
		"have %s that many URLs share: size does not tell these pages apart",
		"They may be lists without entries, error pages with status 200, or tiny answers.",
		"Let the server answer errors with a status of 400 or more. Test the rules before you use them.",
	},
	CatchAll: {
		"show %s that the site seems to show for any name, even one that does not exist",
		"Rules among such URLs say nothing about pages that exist.",
		"Answer names that do not exist with status 404.",
	},
	SizesApart: {
		"have sizes that differ by more than %.4g %%: pages change, or answers were partial, compressed or logged twice",
		"A page with many sizes seems to match many other pages.",
		"Read one of two logs, or the lines of one server. Log the content encoding. Read a shorter time.",
	},
	NoClient: {
		"have no known visitor: no line of the log says who asked",
		"So tests request only URLs that just show a file, such as /a.html.",
		"Log the addresses of the visitors. For the list of your own crawl, allow URLs of any kind if no GET of the site changes anything.",
	},
	OneClient: {
		"were requested by a single client: the log may be of a proxy, a crawler or a scanner",
		"If the log has no other client, tests request only URLs that just show a file, such as /a.html.",
		"Behind a proxy, log the visitor's address (X-Forwarded-For). Ignore scanners by their addresses. The log of your own crawl is fine.",
	},
	Scanner: {
		"were requested only by what seem to be scanners: %s that tried many names or URLs that nobody else asks for",
		"No link leads to such URLs, so rules among them save nothing.",
		"Ignore scanners by their addresses.",
	},
	Headers: {
		"have sizes with headers: equal pages seldom have equal sizes",
		"The headers vary with cookies and dates, so equal pages seldom have equal sizes.",
		"Log the size of the body: %B or %b in Apache, $body_bytes_sent in nginx.",
	},
	MaybeHeaders: {
		"have sizes that may include headers: equal pages may have unequal sizes",
		"Answers sent in chunks are logged with headers, others without.",
		"Raise the tolerance of sizes, or read the log of the server behind.",
	},
	Encodings: {
		"came in several encodings: sizes of different encodings are not compared",
		"A compressed page and a plain one cannot be compared.",
		"Read a longer log, or ignore clients that accept no compression.",
	},
}

// String returns the note for a person.
func (n Note) String() string {
	hits, example, about := "", "", ""
	if n.OfHits > 0 {
		hits = fmt.Sprintf(", with %.0f %% of the requests,", 100*n.HitShare())
	}
	if n.Example != "" {
		example = ", for example " + n.Example
	}
	if n.About() {
		about = "about "
	}
	return fmt.Sprintf("%d of %s%d URLs%s %s%s", n.URLs, about, n.Of, hits, n.Words(), example)
}

// About reports whether Of is an estimate.
func (n Note) About() bool { return n.Kind == Sample }

// HitShare returns the share of the hits that are on the URLs of the note, or 0 if it is not
// known.
func (n Note) HitShare() float64 { return float64(n.Hits) / float64(max(n.OfHits, 1)) }

// Words returns what the URLs of the note are or have.
func (n Note) Words() string {
	words := texts[n.Kind].words
	switch n.Kind {
	case OneSize:
		return fmt.Sprintf(words, count(n.Size, "byte"))
	case CrowdedSizes:
		return fmt.Sprintf(words, some(n.Contents, "size"))
	case CatchAll:
		return fmt.Sprintf(words, some(n.Contents, "page"))
	case Scanner:
		return fmt.Sprintf(words, count(n.Clients, "group")+" of clients")
	case SizesApart:
		return fmt.Sprintf(words, 100*n.Tolerance)
	}
	return words
}

func count[N int | int64](n N, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}

// some returns the words for one thing of n.
func some(n int, of string) string {
	if n == 1 {
		return "a " + of
	}
	return "one of " + count(n, of)
}

// Why says why a note matters, in one sentence.
func (n Note) Why() string { return texts[n.Kind].why }

// Advice says what the owner of the log can do.
func (n Note) Advice() string { return texts[n.Kind].advice }
