package forms

import (
	"iter"
	"strings"

	"dustbuster/operators/url/action"
	"dustbuster/operators/url/secret"
)

// span is a piece of a URL that may be private: a segment of the path, or the value of a parameter, or a
// parameter without a value.
type span struct {
	name     string // of the parameter; "": none
	from, to int
	segment  bool
}

// spansOf yields the pieces of a URL in their order.
func spansOf(url string) iter.Seq[span] {
	return func(yield func(span) bool) {
		from := strings.IndexByte(url, '/') + 1 // before it there can only be a host
		segment, query := from > 0, false
		for i := from; i <= len(url) && from > 0; i++ {
			if i < len(url) && !strings.ContainsRune("/;?&", rune(url[i])) || i < len(url) && query && (url[i] == '/' || url[i] == '?') || segment && i < len(url) && url[i] == '&' {
				continue
			}
			s := span{from: from, to: i, segment: segment}
			if name, _, valued := strings.Cut(url[from:i], "="); valued && !segment {
				s.name, s.from = name, from+len(name)+1
			}
			if s.to > s.from && !yield(s) || i == len(url) {
				return
			}
			query = query || url[i] == '?'
			segment, from = url[i] == '/', i+1
		}
	}
}

// key names what a piece is a value of: a parameter, or the segments of paths.
func (s *span) key() string {
	if s.segment {
		return "/"
	}
	return "=" + s.name
}

// alone returns a URL with a piece alone, so that the piece is judged by itself.
func (s *span) alone(url string) string {
	switch text := url[s.from:s.to]; {
	case s.segment:
		return "/" + text
	case s.name == "":
		return "/?" + text
	default:
		return "/?" + s.name + "=" + text
	}
}

// isPrivate reports whether the guard refuses a URL for a piece. several reports whether two clients asked for
// the URL.
func (g *Guard) isPrivate(url string, s *span, several bool) bool {
	return secret.InURLBut(s.alone(url), g.shows) || g.Window.Clients && !several && g.isOwn(url, s)
}

// Escapes that a piece with a stand-in may hold: + / = - _.
var plainEscapes = []string{"%2B", "%2F", "%3D", "%2D", "%5F"}

// mayInvent reports whether a private piece may be replaced by an invented text: it is nothing that is recognized
// by more than its looks, such as a card, a telephone number, a password or the key of a service.
func (s *span) mayInvent(url string) bool {
	text := url[s.from:s.to]
	for i := strings.IndexByte(text, '%'); i >= 0; {
		if !hasOf(plainEscapes, strings.ToUpper(text[i:min(len(text), i+3)])) {
			return false
		}
		next := strings.IndexByte(text[i+1:], '%')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	return !secret.Certain(s.alone(url))
}

func hasOf(all []string, text string) bool {
	for _, s := range all {
		if s == text {
			return true
		}
	}
	return false
}

// onceWords are words of paths to links that work once, or act for one person.
var onceWords = []string{"reset", "confirm", "confirmation", "verify", "verification", "invite", "invitation", "activate", "activation", "unsubscribe", "optout",
	"redeem", "coupon", "voucher", "gift", "vote", "login", "signin", "auth", "oauth", "share", "shared", "recover", "password", "claim", "magic", "accept", "decline", "rsvp", "order", "pay", "payment", "invoice"}

// isOnce reports whether a path names what the segments in it hold, or a link that works once.
func isOnce(url string) bool {
	path, _, _ := strings.Cut(url, "?")
	for segment := range strings.SplitSeq(path, "/") {
		plain := action.Decode(segment)
		if secret.IsName(plain) {
			return true
		}
		for word := range strings.FieldsFuncSeq(strings.ToLower(plain), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if hasOf(onceWords, word) {
				return true
			}
		}
	}
	return false
}
