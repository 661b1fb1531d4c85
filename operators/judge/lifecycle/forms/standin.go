package forms

import (
	"math/rand/v2"
	"slices"
	"strings"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
	"dustbuster/operators/window/public"
)

// A URL that looks like a secret, or belongs to one client, is never asked for. Its rule can be tried without
// it: in its place the guard asks for a stand-in, the same URL with another text for each private piece. The
// text is invented, so it is nobody's, and the log says how large the true page was. A stand-in is given out
// only if the rule turns it into the same v, which several clients asked for.

// Asks says what is asked for in the place of the URLs of a rule's pairs. An Asks belongs to one goroutine.
type Asks struct {
	view   *View
	forms  *Forms     // under the rules before the rule
	rule   *rule.Rule // nil: the rules of forms alone, which are valid
	moves  []Move     // of the rule
	facts  []fact     // of the moves; nil until needed
	joined *canon.Canonizer
	agrees trinary // see isSaid
	may    trinary // the rule may be given stand-ins
}

// trinary is an answer that may not have been sought yet.
type trinary uint8

const (
	unknown trinary = iota
	no
	yes
)

// Asks returns what says what is asked for a rule over the forms that it moves. The rule is nil for pairs of
// URLs and their forms. O(1).
func (w *View) Asks(f *Forms, r *rule.Rule, moves []Move) *Asks {
	a := &Asks{view: w, forms: f, rule: r, moves: moves}
	if f == w.Forms && r != nil {
		c := book.Candidate{ID: rule.ID(w.Site, r), Rule: *r}
		if kept := w.found.of[c.Key()]; kept != nil && kept.has(moves) {
			a.facts = kept.factsOf(moves)
		}
	}
	return a
}

// asksOf returns what says what is asked for a candidate.
func (w *View) asksOf(f *finding) *Asks {
	return &Asks{view: w, forms: w.Forms, rule: &f.rule, moves: f.moves, facts: f.factsOf(f.moves)}
}

// Privacy returns Public if a pair may be tried, with a stand-in or without, or else why not: Unasked if that is
// the only reason.
func (a *Asks) Privacy(u, v string) Privacy {
	p := a.view.ofPair(u, v)
	if p == Secret || p == OneClient {
		if _, ok := a.URL(u, v, ""); ok {
			return Public
		}
	}
	return p
}

// URL returns what is asked for u in a round: u itself if it is public, or its stand-in. Equal pieces have equal
// stand-ins in one round of a rule. False: the pair is not tried.
func (a *Asks) URL(u, v, round string) (ask string, ok bool) {
	if a.view.ofPair(u, v) == Public {
		return u, true
	}
	if !a.couldStandIn(u, v) || !a.isGiven() || !a.isSaid() {
		return "", false
	}
	ask, ok = a.invent(u, round, public.IsStatic(v))
	return ask, ok && string(a.canon(ask)) == v
}

// Control returns what is asked for the u of a control's pair, which is that of a pair of the rule.
func (a *Asks) Control(u, round string) (ask string, ok bool) {
	g := a.view.Guard
	if p := g.Privacy(u); p != Secret && p != OneClient {
		return u, true
	}
	return a.invent(u, round, public.IsStatic(string(a.canon(u))))
}

// couldStandIn reports whether a stand-in of u could be asked for: u alone is private, and v is public by itself and
// known to several clients. The log must say as well that the rule's pairs show the same.
func (a *Asks) couldStandIn(u, v string) bool {
	g, w := a.view.Guard, a.view.Window
	i, known := w.Find(v)
	if !known || a.view.Options.Off.StandIns || g.Has != nil || g.Of[i] != Public {
		return false
	}
	if p := g.Privacy(u); p != Secret && p != OneClient {
		return false
	}
	switch {
	case g.one: // the log does not show what is public
		known = g.Kinds == nil || public.Bare(v)
	default:
		known = several(w.Masks[i]) && (g.Kinds == nil || a.view.isAsked(u))
	}
	return known
}

// isGiven reports whether the rule could be given stand-ins when the view was derived.
func (a *Asks) isGiven() bool {
	if a.may == unknown {
		w, id := a.view, ""
		if w.standIns == nil {
			s := w.memory.StandIns(w.Now)
			w.standIns = &s
		}
		if a.rule != nil {
			id = rule.ID(w.Site, a.rule)
		}
		if a.may = no; w.standIns.May(id) {
			a.may = yes
		}
	}
	return a.may == yes
}

// canon returns what the rules turn a URL into.
func (a *Asks) canon(url string) []byte {
	if a.joined == nil {
		rules := a.forms.Rules
		if a.rule != nil {
			rules = With(rules, *a.rule)
		}
		a.joined = Compile(rules)
	}
	out, _ := a.joined.Canon(nil, []byte(url))
	return out
}

// saidShare is the share of the pairs with sizes of which the log must say by itself that they show the same.
const saidShare = 0.9

// isSaid reports whether the log says of the rule's pairs, those that are not tried as well, that they show the
// same. O(moves · log) once.
func (a *Asks) isSaid() bool {
	if a.agrees == unknown {
		agree, all := 0, 0
		for i := range a.moves {
			switch a.saidOf(i) {
			case yes:
				agree, all = agree+1, all+1
			case no:
				all++
			}
		}
		if a.agrees = no; float64(agree) >= saidShare*float64(all) {
			a.agrees = yes
		}
	}
	return a.agrees == yes
}

// invent replaces the private pieces of a URL by invented texts. False: a piece may not be replaced, or leaves too
// little to invent, or something else of the URL is private.
func (a *Asks) invent(url, round string, static bool) (string, bool) {
	g := a.view.Guard
	i, known := g.Window.Find(url)
	twice := known && g.Window.Clients && several(g.Window.Masks[i])
	out, rest, done := []byte(url), "", 0 // rest has all but the private pieces, up to done
	for s := range spansOf(url) {
		if !g.isPrivate(url, &s, twice) {
			continue
		}
		if s.segment && (a.rule == nil || a.rule.Kind() != rule.KindSegment || isOnce(url)) || !s.mayInvent(url) {
			return "", false
		}
		text, ok := a.another(url[s.from:s.to], g.valuesOf(&s), round, static)
		if !ok {
			return "", false
		}
		copy(out[s.from:s.to], text)
		rest, done = rest+url[done:s.from], s.to
	}
	judge := a.view.judge
	if twice {
		judge = a.view.judgeTwice
	}
	left := judge(rest + url[done:])
	_, isKnown := g.Window.Find(string(out))
	return string(out), left != Secret && left != OneClient && !isKnown
}

// Constants of what is invented.
const (
	leastBits  = 40 // of a piece's characters that are invented
	leastOfOne = 16 // digits of a piece of digits alone: an order number of ten could be somebody's
	mostTries  = 16 // until a text is found that the window does not hold
	inventSalt = 7
)

// another returns a text of the length of a private piece. Each digit and letter is another of its class, and
// other characters stay, as does a beginning that most values of the name share.
func (a *Asks) another(piece string, known *values, round string, static bool) (string, bool) {
	hex := strings.Trim(piece, "0123456789abcdef") == "" || strings.Trim(piece, "0123456789ABCDEF") == ""
	from := known.shares(piece)
	for from > 0 && !isRoomy(piece[from:], hex, static) {
		from--
	}
	if !isRoomy(piece[from:], hex, static) {
		return "", false
	}
	key := piece + "\n" + round
	if a.rule != nil {
		key += "\n" + rule.ID(a.view.Site, a.rule)
	}
	rng := rand.New(rand.NewPCG(a.view.Keys.Hash(key, inventSalt), a.view.Keys.Hash(key, inventSalt+1)))
	for range mostTries {
		text := piece[:from] + inventText(rng, piece[from:], hex)
		if _, held := known.all[text]; !held && text != piece {
			return text, true
		}
	}
	return "", false
}

// isRoomy reports whether enough of a text varies that what is invented is nobody's.
func isRoomy(text string, hex, static bool) bool {
	bits, digits, letters := 0.0, 0, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '%':
			i += 2
		case '0' <= c && c <= '9':
			digits++
			bits += 3.3
		case 'a' <= c|0x20 && c|0x20 <= 'z':
			letters++
			bits += 4.7
		}
	}
	if hex && letters > 0 {
		bits = 4 * float64(digits+letters)
	}
	return bits >= leastBits && (letters > 0 || digits >= leastOfOne || static)
}

// inventText replaces the letters and digits of a text.
func inventText(rng *rand.Rand, text string, hex bool) string {
	letters := 26
	if hex {
		letters = 6
	}
	out := []byte(text)
	for i := 0; i < len(out); i++ {
		switch c := out[i]; {
		case c == '%':
			i += 2
		case '0' <= c && c <= '9':
			out[i] = '0' + byte(rng.IntN(10))
		case 'a' <= c && c <= 'z':
			out[i] = 'a' + byte(rng.IntN(letters))
		case 'A' <= c && c <= 'Z':
			out[i] = 'A' + byte(rng.IntN(letters))
		}
	}
	return string(out)
}

// values are the different values that the window has of one name, or the segments of its paths.
type values struct {
	all    map[string]struct{}
	prefix string // that at least nine in ten share
}

// valuesOf returns the values of the name of a piece. O(bytes of all URLs) once for each name.
func (g *Guard) valuesOf(s *span) *values {
	name := s.key()
	v := g.values[name]
	if v == nil {
		v = &values{all: map[string]struct{}{}}
		for i := range g.Window.Pages {
			url := g.Window.Pages[i].URL
			for t := range spansOf(url) {
				if t.segment == s.segment && t.name == s.name {
					v.all[url[t.from:t.to]] = struct{}{}
				}
			}
		}
		v.prefix = commonPrefix(v.all)
		g.values[name] = v
	}
	return v
}

// prefixShare is the share of the values of a name that share a beginning which stays.
const prefixShare = 0.9

// commonPrefix returns the longest beginning that at least nine in ten texts share.
func commonPrefix(all map[string]struct{}) string {
	texts := make([]string, 0, len(all))
	for text := range all {
		texts = append(texts, text)
	}
	slices.Sort(texts)
	prefix, from, to := "", 0, len(texts) // those that share the prefix
	for {
		bestFrom, bestTo := 0, 0
		for i := from; i < to; {
			k := i + 1
			if len(texts[i]) > len(prefix) {
				for k < to && len(texts[k]) > len(prefix) && texts[k][len(prefix)] == texts[i][len(prefix)] {
					k++
				}
				if k-i > bestTo-bestFrom {
					bestFrom, bestTo = i, k
				}
			}
			i = k
		}
		if bestTo == 0 || float64(bestTo-bestFrom) < prefixShare*float64(len(texts)) {
			return prefix
		}
		prefix += texts[bestFrom][len(prefix) : len(prefix)+1]
		from, to = bestFrom, bestTo
	}
}

// shares returns the length of the beginning of a piece that stays: at most half of the piece.
func (v *values) shares(piece string) int {
	n := 0
	for n < len(v.prefix) && n < len(piece)/2 && v.prefix[n] == piece[n] {
		n++
	}
	return n
}
