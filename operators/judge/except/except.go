// Package except chooses the exception of a rule that nearly holds. A rule may be right on
// all pages of a site but the main page, or but the pages of one language. Such a rule is
// worth more with an exception than as many small rules.
//
// # Words
//
//	form        the URL as the rule met it: a canonical form under the rules before
//	negative    the form of a pair that was found wrong; positive: found right
//	property    an own value, a path, a condition on a parameter, a prefix that ends on
//	            a token boundary, or one URL
//	own value   of the parameter that the rule removes or sets, or a beginning of it that
//	            ends on a token boundary
//	exception   a property whose URLs the rule leaves as they are
//
// # The choice
//
// The exception is a property that all negatives share, and that fewer than a fifth of the positives
// share. Of several it is the one that the fewest positives share; then an own value; then the one that
// most of the rule's pairs share, because little is known about the URLs near a negative; then in the order
// path, condition, prefix (longest first), URL; then in byte order. A single URL is chosen only if no wider
// property exists.
//
// A parameter is often meaningless but for one value: image=wiki.png shows the picture, and image=3 the
// article. An own value is a property of a rule for all values of one name in the query. An own value of more
// than a tenth of the rule's pairs is no property before the third negative: a rule that loses so much must
// not lose it by chance. If the name or a negative's own value looks like a secret, there are no own values.
//
// A condition is tested as in a scope: a rule that removes or changes parameters sees the
// URL without these parameters.
//
// After the verdict a path or a condition comes before any prefix and any own value: reports name URLs
// with values that never come again, and only a path says something about the URLs to come.
//
// All functions are pure.
package except

import (
	"cmp"
	"iter"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// Exception is a scope, or a single URL if URL is not empty.
type Exception struct {
	Scope rule.Scope
	URL   string
}

// PositivesFor is the number of positives that a rule needs for each negative that an exception
// explains.
const PositivesFor = 4

// Limits of the negatives that an exception may explain.
const (
	fewNegatives = 3  // so many negatives may always be explained
	tenth        = 10 // more negatives must be at most a tenth of the outcomes
	fifth        = 5  // fewer than a fifth of the positives share an exception
	sure         = 3  // so many negatives may have an own value that many pairs share
)

// Trial is what is known about a rule when the exception is chosen.
type Trial struct {
	Rule      *rule.Rule
	Negatives []string // forms; several pairs have several forms
	Positives []string
	Pairs     []string // the forms of all pairs of the rule, tried or not

	Share float64                // estimate of the share of negatives among all pairs; 1: unknown
	NoOwn bool                   // own values are no properties
	NoURL bool                   // no single URL may be excepted any more
	Later bool                   // the negatives were found after the verdict, in URLs that may never be asked for again
	Hides func(text string) bool // reports whether a text must not be published; nil: none
}

// MayExplain reports whether so few of the outcomes are negative that an exception may explain them.
func (t *Trial) MayExplain() bool {
	return t.isFew() && len(t.Positives) >= PositivesFor*len(t.Negatives)
}

// isFew reports whether there are negatives, but few: the share counts as well, because
// trials draw the pairs first in which a wrong rule would show.
func (t *Trial) isFew() bool {
	bad, good := len(t.Negatives), len(t.Positives)
	return bad > 0 && (bad <= fewNegatives || tenth*bad <= bad+good || tenth*t.Share <= 1)
}

// MayComeToExplain returns the rule with an exception that explains the few negatives once
// more positives are known, which should be sought among the other pairs. ok is false if
// there is no such exception.
func (t *Trial) MayComeToExplain() (r rule.Rule, ok bool) {
	if !t.MayNeedPositives() {
		return *t.Rule, false
	}
	return t.Explained()
}

// MayNeedPositives reports whether the negatives are few, but too many for the positives known.
func (t *Trial) MayNeedPositives() bool {
	return t.isFew() && len(t.Positives) < PositivesFor*len(t.Negatives)
}

// Choose returns the exception that explains all negatives, without asking MayExplain. ok is false if
// there is none. O(bytes of the forms · length of a negative).
func (t *Trial) Choose() (e Exception, ok bool) {
	if len(t.Negatives) == 0 {
		return Exception{}, false
	}
	best := property{}
	for _, p := range t.shared() {
		if t.hides(&p) {
			continue
		}
		if p.positives = t.count(&p, t.Positives); fifth*p.positives >= len(t.Positives) && p.positives > 0 {
			continue
		}
		if p.pairs = -1; !ok || p.positives <= best.positives || p.kind == byOwn {
			p.pairs = t.count(&p, t.Pairs)
		}
		if p.kind == byOwn && len(t.Negatives) < sure && tenth*p.pairs > len(t.Pairs) {
			continue
		}
		if !ok || t.compare(&p, &best) < 0 {
			best, ok = p, true
		}
	}
	if ok {
		return best.Exception, true
	}
	return t.single()
}

// single returns the exception of the only negative's URL.
func (t *Trial) single() (Exception, bool) {
	p := property{kind: byURL, text: t.Negatives[0], Exception: Exception{URL: t.Negatives[0]}}
	if t.NoURL || len(t.Negatives) > 1 || t.hides(&p) {
		return Exception{}, false
	}
	return p.Exception, true
}

func (t *Trial) hides(p *property) bool { return t.Hides != nil && t.Hides(p.text) }

// The kinds of properties, in the order of preference.
const (
	byOwn = iota
	byPath
	byCondition
	byPrefix
	byURL
)

// property is a property of forms.
type property struct {
	Exception
	kind             int
	text             string // of the property, for people and for the byte order
	positives, pairs int    // forms that have the property
}

// compare puts the better property first. After the verdict a path or a condition comes before
// a prefix and an own value: /a/52?sid=5051 holds a session that will never come again.
func (t *Trial) compare(p, q *property) int {
	if t.Later && p.isFleeting() != q.isFleeting() {
		if p.isFleeting() {
			return 1
		}
		return -1
	}
	longest := 0
	if p.kind == q.kind && p.isFleeting() {
		longest = len(q.text) - len(p.text)
	}
	return cmp.Or(p.positives-q.positives, min(p.kind, byPath)-min(q.kind, byPath), q.pairs-p.pairs, p.kind-q.kind, longest, strings.Compare(p.text, q.text), p.strength()-q.strength())
}

// isFleeting reports whether a property may hold a value that never comes again.
func (p *property) isFleeting() bool { return p.kind == byOwn || p.kind == byPrefix }

// strength orders two conditions with one text: any value comes before an empty one, and an
// own value before its beginning.
func (p *property) strength() int {
	if c := p.Scope.Where[0]; c.HasValue != c.Own {
		return 1
	}
	return 0
}

// shared returns the properties that all negatives share, without single URLs.
func (t *Trial) shared() (all []property) {
	first := t.Negatives[0]
	ofFirst := append(t.ownValues(), pathsAndConditions(t.Rule, first)...)
	for k := 1; k <= len(first); k++ {
		if dust.Boundary(first, k) {
			ofFirst = append(ofFirst, property{kind: byPrefix, text: first[:k], Exception: Exception{Scope: rule.Scope{Prefix: first[:k]}}})
		}
	}
	for _, p := range ofFirst {
		if t.count(&p, t.Negatives) == len(t.Negatives) {
			all = append(all, p)
		}
	}
	return all
}

// ownValues returns the own values of the first negative.
func (t *Trial) ownValues() (all []property) {
	if t.NoOwn || !t.Rule.HasOneName() {
		return nil
	}
	for at, form := range t.Negatives {
		for value := range valuesOf(t.Rule.Params().Param, form) {
			if t.Hides != nil && (t.Hides(t.Rule.Params().Param) || t.Hides(t.Rule.Params().Param+"="+value)) {
				return nil
			}
			if at == 0 {
				all = append(all, ownValue(t.Rule.Params().Param, value)...)
			}
		}
	}
	return all
}

// ownValue returns an own value and its beginnings.
func ownValue(param, value string) []property {
	add := func(all []property, text string, where [2]rule.Condition) []property {
		return append(all, property{kind: byOwn, text: param + "=" + text, Exception: Exception{Scope: rule.Scope{Where: where}}})
	}
	all := add(nil, value, rule.WhereOwn(param, value))
	for k := 1; k <= len(value); k++ {
		if dust.Boundary(value, k) {
			all = add(all, value[:k], rule.WhereOwnBegins(param, value[:k]))
		}
	}
	return all
}

// valuesOf yields the values of a parameter in the query of a form.
func valuesOf(param, form string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for from, to := range rule.Query([]byte(form)) {
			if name, value, valued := strings.Cut(form[from:to], "="); valued && name == param && !yield(value) {
				return
			}
		}
	}
}

// pathsAndConditions returns the path of a form and the conditions that it meets. A path that would be
// read as a wildcard is no property.
func pathsAndConditions(r *rule.Rule, form string) (all []property) {
	rest := string(r.Rest([]byte(form)))
	path, _, _ := strings.Cut(rest, "?")
	if s := (rule.Scope{Path: path, HasPath: true}); !s.IsWild() {
		all = append(all, property{kind: byPath, text: path, Exception: Exception{Scope: s}})
	}
	seen := map[rule.Scope]bool{}
	for from, to := range rule.Query([]byte(rest)) {
		name, value, valued := strings.Cut(rest[from:to], "=")
		if name == "" {
			continue
		}
		scopes := []rule.Scope{{Where: rule.With(name)}}
		if valued {
			scopes = append(scopes, rule.Scope{Where: rule.Where(name, value)})
		}
		for _, s := range scopes {
			if !seen[s] {
				seen[s] = true
				all = append(all, property{kind: byCondition, text: textOf(&s.Where[0]), Exception: Exception{Scope: s}})
			}
		}
	}
	return all
}

func textOf(c *rule.Condition) string {
	if c.HasValue {
		return c.Param + "=" + c.Value
	}
	return c.Param
}

// count returns the number of forms with a property.
func (t *Trial) count(p *property, forms []string) (n int) {
	for _, f := range forms {
		if t.has(p, f) {
			n++
		}
	}
	return n
}

func (t *Trial) has(p *property, form string) bool {
	if p.kind == byPrefix {
		return strings.HasPrefix(form, p.text)
	}
	return t.Rule.HoldsIn(&p.Scope, []byte(form))
}
