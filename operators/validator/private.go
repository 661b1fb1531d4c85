package validator

import (
	"iter"
	"slices"
	"strings"

	"dustbuster/operators/secret"
	"dustbuster/operators/trial"
)

// Privacy says whether a URL may be asked for, or why it never is.
type Privacy uint8

// What a URL may be.
const (
	Public    Privacy = iota
	Secret            // its text looks like a secret
	OneClient         // it may be a link that only one client was given
	privacies         // how many there are
)

// guard decides which URLs may be asked for. A link that confirms an address or sets a
// password works once, and belongs to whoever was given it. Such a link looks like a
// secret, whoever asked for it; or one client asked for it, and some piece of it is in no
// URL that two clients asked for.
//
// Where clients cannot be told from each other, as in the log of a crawl, who asked says
// nothing, and only the text counts.
type guard struct {
	window *Window
	veil   secret.Veil
	shared map[string]struct{} // pieces of URLs that two clients asked for
	of     []Privacy           // by page

	counts [privacies]int    // pages
	first  [privacies]string // the first page of each, masked
}

// newGuard looks at all URLs of a window. O(bytes).
func newGuard(w *Window, veil secret.Veil) *guard {
	g := &guard{window: w, veil: veil, shared: map[string]struct{}{}, of: make([]Privacy, len(w.pages))}
	for i := range w.pages {
		if w.clients && w.several[i] {
			for piece := range telling(w.pages[i].URL) {
				g.shared[piece] = struct{}{}
			}
		}
	}
	for i := range w.pages {
		p := g.judge(w.pages[i].URL, w.clients && w.several[i])
		g.of[i] = p
		if g.counts[p]++; g.counts[p] == 1 {
			g.first[p] = g.mask(w.pages[i].URL)
		}
	}
	return g
}

// privacy is that of any URL, of the window or made by a rule.
func (g *guard) privacy(url string) Privacy {
	if i, known := g.window.find(url); known {
		return g.of[i]
	}
	return g.judge(url, false)
}

// allows reports whether both URLs of a pair may be asked for.
func (g *guard) allows(u, v string) bool { return g.privacy(u) == Public && g.privacy(v) == Public }

func (g *guard) judge(url string, several bool) Privacy {
	switch {
	case secret.InURL(url):
		return Secret
	case !g.window.clients || several:
		return Public
	}
	for range g.own(url) {
		return OneClient
	}
	return Public
}

// own yields the pieces of a URL that are in no URL that two clients asked for.
func (g *guard) own(url string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for piece := range telling(url) {
			if _, shared := g.shared[piece]; !shared && !yield(piece) {
				return
			}
		}
	}
}

// mask is a URL without what may concern one client alone, unless the veil is lifted.
func (g *guard) mask(url string) string {
	if g.window.clients && !g.veil.Lifted {
		for piece := range g.own(url) {
			url = strings.Replace(url, piece, "***", 1)
		}
	}
	return g.veil.Mask(url)
}

// telling yields the pieces of a URL that may be a client's own: path segments and values
// of parameters. A parameter without a value is one itself.
func telling(url string) iter.Seq[string] {
	return func(yield func(string) bool) {
		_, rest, _ := strings.Cut(url, "/") // before it stands a host, if anything
		path, query, _ := strings.Cut(rest, "?")
		for piece := range strings.SplitSeq(path, "/") {
			if isTelling(piece) && !yield(piece) {
				return
			}
		}
		for piece := range strings.FieldsFuncSeq(query, func(r rune) bool { return r == '&' || r == ';' }) {
			if _, value, valued := strings.Cut(piece, "="); valued {
				piece = value
			}
			if isTelling(piece) && !yield(piece) {
				return
			}
		}
	}
}

const (
	leastTelling = 8 // bytes of a piece that may be a client's own
	mostDigits   = 6 // of a number that is none
)

// isTelling reports whether a piece may be a client's own: it is long enough, and not each
// of its tokens is of letters alone or of few digits.
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
		case 'a' <= c|0x20 && c|0x20 <= 'z', c >= 0x80: // the latter is part of a letter of some script
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

// octet is the byte that a text begins with, percent-encoded.
func octet(s string) (byte, bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	const digits = "0123456789abcdef0123456789ABCDEF"
	high, low := strings.IndexByte(digits, s[1]), strings.IndexByte(digits, s[2])
	return byte(high%16<<4 | low%16), high >= 0 && low >= 0
}

// Private counts what is never asked for. Examples have gone through the veil.
type Private struct {
	Alone     bool `json:"clients_alike,omitempty"` // clients cannot be told from each other: links that one client was given are not known
	URLs      int  `json:"urls"`                    // of the window
	Secret    int  `json:"secret"`                  // of them: they look like secrets
	OneClient int  `json:"one_client"`              // of them: they may be links that only one client was given
	Pairs     int  `json:"pairs_left_out"`          // of the trials that ended with a verdict, since the machine was made

	FirstSecret    string `json:"first_secret,omitempty"` // an example
	FirstOneClient string `json:"first_one_client,omitempty"`
}

func (m *Machine) private() Private {
	if m.guard == nil {
		return Private{}
	}
	g := m.guard
	return Private{!g.window.clients, len(g.of), g.counts[Secret], g.counts[OneClient], m.barred, g.first[Secret], g.first[OneClient]}
}

// mayFetch reports whether a test may be given out. All tests come by here; one that may
// not be given out is a skip that costs no fetch.
func (m *Machine) mayFetch(t *Test) bool {
	if m.guard.allows(t.U, t.V) {
		return true
	}
	m.Outcome(*t, trial.Seen{Judgement: trial.Judgement{Outcome: trial.Skip, Reason: trial.NotAllowed}}, 1, m.now)
	return false
}

// canTry reports whether a rule has the pairs that a verdict needs.
func (m *Machine) canTry(moves []move) bool {
	n := 0
	for i := 0; i < len(moves) && n < m.o.Trial.Minimum; i++ {
		if m.guard.allows(m.forms.rep(moves[i].form), moves[i].to) {
			n++
		}
	}
	return n >= m.o.Trial.Minimum
}

// find is the place of a URL in the window.
func (w *Window) find(url string) (place int, known bool) {
	return slices.BinarySearchFunc(w.pages, url, func(p Page, url string) int { return strings.Compare(p.URL, url) })
}
