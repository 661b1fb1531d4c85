package forms

import (
	"iter"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/public"
)

// Privacy states whether a URL may be fetched, or why it never is.
type Privacy uint8

// The values of Privacy.
const (
	Public    Privacy = iota
	Secret            // the text looks like a secret
	OneClient         // may be a link given to one client only
	Unasked           // of a kind that the public does not ask for
	privacies         // number of values
)

// Guard decides which URLs may be fetched. A link that confirms an address or sets a password works
// once and belongs to one client. A URL may be such a link in two cases: it looks like a secret, and
// several clients do not make it public (secret.PublicIn); or one client requested it, and some piece
// of it is in no URL requested by two clients.
//
// Where clients cannot be told apart, as in the log of a crawl, only the text counts. Where pages
// are given, nothing is fetched, so all URLs are public.
//
// Of the URLs left, those are fetched that the public asks for (package public), if Options.Kinds
// says so. Where the log does not name two clients, these are bare URLs alone.
type Guard struct {
	Window *Window
	Kinds  *public.Kinds // of the window; nil: URLs of any kind may be fetched
	all    *public.Kinds // of the window, made when strangers name a URL and kinds do not count
	o      *book.Options
	one    bool                  // the log names one client at most
	times  map[string]bool       // names whose values tell the time
	values map[string]*values    // by name, of private pieces: see standin.go
	Has    func(url string) bool // reports whether the page of a URL is given; nil: pages are fetched
	shared map[string]struct{}   // pieces of URLs requested by two clients
	shows  func(run string) bool // reports which runs of text are public: see secret.PublicIn
	allow  []string              // parameters that count as asked for by the public: see Allow
	Of     []Privacy             // by page

	Counts [privacies]int    // pages
	First  [privacies]string // the first page of each value, masked
}

// NewGuard examines all URLs of a window. O(bytes).
func NewGuard(w *Window, o *book.Options, has func(url string) bool) *Guard {
	g := &Guard{Window: w, Kinds: w.kinds(o), o: o, Has: has, shows: w.shows(), shared: map[string]struct{}{}, one: !several(w.all()), times: w.times(), values: map[string]*values{}}
	g.shows("") // reads the window, since Leads may be called by several goroutines later
	for i := range w.Pages {
		if w.Clients && several(w.Masks[i]) {
			for piece := range telling(w.Pages[i].URL) {
				g.shared[piece] = struct{}{}
			}
		}
	}
	g.judgeAll()
	return g
}

// Allow returns a guard for which some parameters count as asked for by the public: NAME for values that are no words, or
// NAME=VALUE. names are sorted, and not changed afterwards. O(bytes), unless the guard allows the same.
func (g *Guard) Allow(names []string) *Guard {
	if slices.Equal(g.allow, names) {
		return g
	}
	allowing := *g
	allowing.allow = names
	if g.Kinds != nil {
		kinds := *g.Kinds // others may use it
		kinds.Allow(names)
		allowing.Kinds = &kinds
	}
	allowing.judgeAll()
	return &allowing
}

// judgeAll finds the privacy of all pages.
func (g *Guard) judgeAll() {
	w := g.Window
	g.Of, g.Counts, g.First = make([]Privacy, len(w.Pages)), [privacies]int{}, [privacies]string{}
	for i := range w.Pages {
		p := g.judge(w.Pages[i].URL, w.Clients && several(w.Masks[i]))
		g.Of[i] = p
		g.Counts[p]++
		if g.First[p] == "" && (p != Unasked || g.Kinds.Shared(w.Pages[i].URL)) { // what one client asked for is no example
			g.First[p] = g.mask(w.Pages[i].URL)
		}
	}
}

// Privacy returns the privacy of any URL, in the window or made by a rule.
func (g *Guard) Privacy(url string) Privacy { return g.privacyBy(url, g.judgeUnlisted) }

// privacyBy is Privacy with a function that judges URLs which are not listed.
func (g *Guard) privacyBy(url string, judge func(string) Privacy) Privacy {
	if i, known := g.Window.Find(url); known {
		return g.Of[i]
	}
	return judge(url)
}

func (g *Guard) judgeUnlisted(url string) Privacy { return g.judge(url, false) }

// pairBy returns Public if both URLs of a pair may be fetched, or else why not: Unasked if that is the
// only reason.
func (g *Guard) pairBy(u, v string, judge func(string) Privacy) Privacy {
	p, q := g.privacyBy(u, judge), g.target(u, v, judge)
	if p == Public || p == Unasked && q != Public {
		return q
	}
	return p
}

// target returns the privacy of v where v is reached from u.
func (g *Guard) target(u, v string, judge func(string) Privacy) Privacy {
	p := g.privacyBy(v, judge)
	if p == Unasked && g.Kinds.Leads(v, u) {
		return Public
	}
	return p
}

// MayName reports whether strangers may name a URL for a trial: the log has the URL, or the public
// asks for URLs of its kind. Where kinds do not count, it is enough that the log has URLs of that
// kind.
func (g *Guard) MayName(url string) bool {
	if _, known := g.Window.Find(url); known || g.Has != nil {
		return true
	}
	if g.Kinds != nil {
		return g.Kinds.Asked(url)
	}
	if g.all == nil {
		g.all = g.Window.allKinds(g.o)
	}
	return g.all.Known(url)
}

// Allows reports whether both URLs of a pair may be fetched.
func (g *Guard) Allows(u, v string) bool { return g.pairBy(u, v, g.judgeUnlisted) == Public }

// Leads reports whether v may be fetched where u may be.
func (g *Guard) Leads(u, v string) bool { return g.target(u, v, g.judgeUnlisted) == Public }

// Lacks reports whether the page of a URL of a pair cannot be had.
func (g *Guard) Lacks(u, v string) bool { return g.Has != nil && (!g.Has(u) || !g.Has(v)) }

func (g *Guard) judge(url string, several bool) Privacy {
	switch {
	case g.Has != nil:
		return Public
	case secret.InURLBut(url, g.shows):
		return Secret
	}
	if g.Window.Clients && !several {
		for range g.own(url) {
			return OneClient
		}
	}
	if g.Kinds != nil && !g.Kinds.Asked(url) {
		return Unasked
	}
	return Public
}

// own yields the pieces of a URL that may belong to one client: they are in no URL requested by two, and tell
// no time.
func (g *Guard) own(url string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := range spansOf(url) {
			if g.isOwn(url, &s) && !yield(url[s.from:s.to]) {
				return
			}
		}
	}
}

// isOwn reports whether a piece may belong to one client.
func (g *Guard) isOwn(url string, s *span) bool {
	piece := url[s.from:s.to]
	if !isTelling(piece) {
		return false
	}
	_, shared := g.shared[piece]
	isTime, isContent := g.times[s.key()] && g.Window.isTime(piece), isContentName(piece) && g.shows(piece)
	return !shared && !isTime && !isContent
}

// Hides reports whether the text of a rule, or a part of it, must not be published.
func (g *Guard) Hides(text string) bool { return g.o.Veil.HidesBut(text, g.shows) }

// Owns reports whether a text holds a piece that looks like a secret or may belong to one client, so that it is not
// kept.
func (g *Guard) Owns(text string) bool {
	if g.Has == nil && g.Window.Clients {
		for range g.own("/" + text) {
			return true
		}
	}
	return g.Hides(text)
}

// mask returns a URL without text that may concern one client alone, unless the veil is
// lifted.
func (g *Guard) mask(url string) string {
	if g.Window.Clients && !g.o.Veil.Lifted {
		for piece := range g.own(url) {
			url = strings.Replace(url, piece, "***", 1)
		}
	}
	return g.o.Veil.Mask(url)
}

// telling yields the pieces of a URL that may belong to one client: path segments and
// values of parameters. A parameter without a value is itself a piece.
func telling(url string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for s := range spansOf(url) {
			if piece := url[s.from:s.to]; isTelling(piece) && !yield(piece) {
				return
			}
		}
	}
}

const (
	leastTelling = 8 // least number of bytes of a piece that may belong to one client
	mostDigits   = 6 // greatest number of digits of a number that belongs to no client
)

// isTelling reports whether a piece may belong to one client: it is long enough, and at least one of
// its tokens is neither letters alone nor few digits.
func isTelling(piece string) bool { return len(piece) >= leastTelling && !isPlain(piece) }

func isPlain(piece string) bool {
	letters, digits := 0, 0
	for i := 0; i < len(piece); i++ {
		c := piece[i]
		if b, encoded := octet(piece[i:]); encoded {
			c = b
			i += 2
		}
		switch {
		case '0' <= c && c <= '9':
			digits++
		case 'a' <= c|0x20 && c|0x20 <= 'z', c >= 0x80: // a byte from 0x80 on is part of a letter of some script
			letters++
		default:
			letters, digits = 0, 0
		}
		if letters > 0 && digits > 0 || digits > mostDigits {
			return false
		}
	}
	return true
}

// octet returns the byte at the beginning of a text, percent-encoded.
func octet(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	const digits = "0123456789abcdef0123456789ABCDEF"
	high, low := strings.IndexByte(digits, s[1]), strings.IndexByte(digits, s[2])
	return byte(high%16<<4 | low%16), high >= 0 && low >= 0
}

// Private counts the URLs and pairs that are never fetched. Examples have passed through
// the veil.
type Private struct {
	Alone     bool `json:"clients_alike,omitempty"`   // clients cannot be told apart: links given to one client are not recognized
	URLs      int  `json:"urls"`                      // of the window
	Secret    int  `json:"secret"`                    // URLs that look like secrets
	OneClient int  `json:"one_client"`                // URLs that may be links given to one client only
	Unasked   int  `json:"unasked"`                   // URLs of kinds that the public does not ask for
	Single    bool `json:"single_client,omitempty"`   // all lines may be of one client
	Nobody    bool `json:"clients_unknown,omitempty"` // no line names a client
	Any       bool `json:"any_kind,omitempty"`        // URLs of any kind are fetched
	Pairs     int  `json:"pairs_left_out"`            // pairs left out of the trials that ended with a verdict, since the machine was made
	Rules     int  `json:"rules_not_tried"`           // candidates of which fewer pairs than a verdict needs may be fetched, as far as was seen when the last candidate was chosen

	FirstSecret    string `json:"first_secret,omitempty"` // an example
	FirstOneClient string `json:"first_one_client,omitempty"`
	FirstUnasked   string `json:"first_unasked,omitempty"`        // of a kind that two clients asked for
	FirstRule      string `json:"first_rule_not_tried,omitempty"` // in words
}
