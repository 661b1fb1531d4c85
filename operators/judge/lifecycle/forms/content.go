package forms

import (
	"maps"
	"math/bits"
	"strconv"
	"strings"

	"dustbuster/operators/read/crawler"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/public"
)

// Names of contents: hashes by which a site names what it serves to everybody. A link that is somebody's own looks
// alike, but is asked for by one client, and by no crawler.
const (
	leastNameDigits  = 16  // hexadecimal digits of such a name
	leastNames       = 100 // different ones on one page shape
	leastNameClients = 8   // bits of clients that asked for them; a named crawler will do
	openNames        = 2   // of the names, at least one in so many was asked for by two clients, or by a named crawler
)

// isContentName reports whether a segment may be the name of a content.
func isContentName(segment string) bool {
	return len(segment) >= leastNameDigits && strings.Trim(segment, "0123456789abcdefABCDEF") == ""
}

// shows returns a function that reports which runs of text are public on the site: see secret.PublicIn. Names of
// contents are as well, if there are many of one shape and many asked for them. O(bytes).
func (w *Window) shows() func(run string) bool {
	inURLs, names := secret.PublicIn(w.asked()), w.contentNames()
	return func(run string) bool {
		_, is := names[run]
		return is || inURLs(run)
	}
}

// namedContents are the names of one page shape, each with whether somebody but one client knows it.
type namedContents struct {
	names    map[string]bool
	clients  uint16
	families uint32
}

// arePublic reports whether the names are those of contents.
func (c *namedContents) arePublic() bool {
	open := 0
	for _, is := range c.names {
		if is {
			open++
		}
	}
	return len(c.names) >= leastNames && openNames*open >= len(c.names) && (bits.OnesCount16(c.clients) >= leastNameClients || c.families&crawler.Named != 0)
}

// contentNames returns the names of contents in the paths of the window. O(bytes).
func (w *Window) contentNames() map[string]bool {
	shapes := map[string]*namedContents{}
	for i := range w.Pages {
		path, _, _ := strings.Cut(w.Pages[i].URL, "?")
		for segment := range strings.SplitSeq(path, "/") {
			if !isContentName(segment) || isOnce(path) {
				continue
			}
			shape := public.Page(path)
			if shapes[shape] == nil {
				shapes[shape] = &namedContents{names: map[string]bool{}}
			}
			shapes[shape].add(segment, w.maskOf(i), w.familiesOf(i))
		}
	}
	all := map[string]bool{}
	for _, of := range shapes {
		if of.arePublic() {
			maps.Copy(all, of.names)
		}
	}
	return all
}

func (c *namedContents) add(name string, clients uint16, families uint32) {
	c.names[name] = c.names[name] || several(clients) || families&crawler.Named != 0
	c.clients |= clients
	c.families |= families
}

// maskOf returns the clients of a page; 0 if they are unknown.
func (w *Window) maskOf(page int) uint16 {
	if w.Masks == nil {
		return 0
	}
	return w.Masks[page]
}

// familiesOf returns the families of the clients of a page; 0 if they are unknown.
func (w *Window) familiesOf(page int) uint32 {
	if w.Families == nil {
		return 0
	}
	return w.Families[page]
}

// A number that tells the time is no private piece: scripts add it to a URL so that caches miss. An order number may
// look like a time, but the others of its name do not.
const (
	timeShare    = 0.9 // of the values of such a name
	year         = 365 * 24 * 60 * 60
	secondDigits = 10 // of Unix time from 2001 to 2286
	milliDigits  = 13
)

// isTime reports whether a piece is a Unix time, in seconds or milliseconds, within a year of the window.
func (w *Window) isTime(piece string) bool {
	if w.Until == 0 || len(piece) != secondDigits && len(piece) != milliDigits {
		return false
	}
	n, err := strconv.ParseUint(piece, 10, 63)
	if err != nil || piece[0] == '+' {
		return false
	}
	if len(piece) == milliDigits {
		n /= 1000
	}
	return int64(n) >= w.From-year && int64(n) <= w.Until+year
}

// times returns the names of parameters of which nearly all values are times.
func (w *Window) times() map[string]bool {
	tell, all := map[string]int{}, map[string]int{}
	for i := range w.Pages {
		for s := range spansOf(w.Pages[i].URL) {
			if w.isTime(w.Pages[i].URL[s.from:s.to]) {
				tell[s.key()]++
			}
		}
	}
	if len(tell) == 0 {
		return nil
	}
	for i := range w.Pages {
		for s := range spansOf(w.Pages[i].URL) {
			if key := s.key(); tell[key] > 0 {
				all[key]++
			}
		}
	}
	names := map[string]bool{}
	for key, n := range tell {
		names[key] = float64(n) >= timeShare*float64(all[key])
	}
	return names
}
