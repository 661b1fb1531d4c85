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
		"are the sample of pages that this list was found in: the others exceed the bound of memory or of URLs",
		"All forms of a page are in the sample or left out, as far as its words tell, so rules are found with a part of their support, and rare rules are missed.",
		"Raise the bound, or mine fewer hosts or a shorter time.",
	},
	OneSize: {
		"have the size of %s: size does not tell these pages apart",
		"Two such URLs seem alike whether or not their pages are: a login page, an error page with status 200, or one application for all URLs.",
		"Let the server answer errors with a status of 400 or more. Try the rules on the site before use.",
	},
	CrowdedSizes: {
		"have %s that many URLs share: size does not tell these pages apart",
		"Two URLs of one such size seem alike whether or not their pages are: lists without entries, error pages with status 200, or tiny answers.",
		"Let the server answer errors with a status of 400 or more. Try the rules on the site before use.",
	},
	CatchAll: {
		"show %s that the site seems to give for any name, even for one that does not exist",
		"Two such URLs are alike whatever their names are, so rules among them say nothing about pages that exist.",
		"Answer names that do not exist with status 404.",
	},
	SizesApart: {
		"have sizes more than %.4g %% apart: the pages change, or answers were partial or compressed, or have two lines in the log",
		"A wide range of sizes overlaps with the sizes of many other pages, which then seem alike.",
		"Mine one of two logs, or the lines of one server. Log the encoding. Mine a shorter window.",
	},
	NoClient: {
		"have no known client: no line of the log says who asked",
		"So it is not known what many clients ask for, and trials ask only for URLs that do nothing but show a file, such as /a.html.",
		"Log the addresses of the clients. The list of your own crawl is fine: allow URLs of any kind if no GET of the site does anything.",
	},
	OneClient: {
		"were requested by the same client and by no other: the log may be of a proxy, a crawler or a scanner",
		"All lines have the proxy's address, or a crawler or scanner made most URLs. If the log has no other client, trials ask only for URLs that do nothing but show a file, such as /a.html.",
		"Behind a proxy, log the visitor's address (X-Forwarded-For). Leave out scanners by their addresses or user agents. The log of your own crawl is fine.",
	},
	Scanner: {
		"were requested by what seem to be scanners alone: %s that tried many names or URLs which nobody else asks for",
		"Links do not lead to such URLs, so rules among them save no crawler a fetch.",
		"Leave out scanners by their addresses.",
	},
	Headers: {
		"have sizes with headers: equal pages seldom have equal sizes",
		"The headers vary with cookies and dates, so equal pages seldom have equal sizes.",
		"Log the size of the body: %B or %b in Apache, $body_bytes_sent in nginx.",
	},
	MaybeHeaders: {
		"have sizes that may include headers: equal pages may have unequal sizes",
		"Answers sent in chunks are logged with headers, others without.",
		"Raise the tolerance of sizes, or mine the log of the server behind.",
	},
	Encodings: {
		"came in several encodings: sizes of different encodings are not compared",
		"If one form of a page was seen compressed and another plain, the pair does not count.",
		"Mine a longer log, or leave out clients that accept no compression.",
	},
}

// String returns the note for a person.
func (n Note) String() string {
	hits, example, about := "", "", ""
	if n.OfHits > 0 {
		hits = fmt.Sprintf(", with %.0f %% of the hits,", 100*n.HitShare())
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
