package duster

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Rule is a rewrite rule: a URL that the context matches is rewritten by the
// transformation. A Rule is immutable.
type Rule struct {
	Context        string // an expression of package regexp, from ^ to $
	Transformation string // a template of regexp.Expand, with references such as ${1}
	Clusters       int    // the clusters whose alignments gave the rule

	context *regexp.Regexp // nil: the rule is not applied (Options.MinApplied)
	marks   marks
}

// Rewrite returns the rewritten URL, and reports whether the rule changes the URL. As in
// package rule, a URL of more than MaxBytes is not edited, nor is an edit made that would
// exceed MaxBytes or remove the slash at the start of the path. O(length of the URL, times the
// length of the context at worst).
func (r *Rule) Rewrite(url string) (string, bool) {
	if r.context == nil || len(url) > MaxBytes || !r.marks.fit(url) {
		return url, false
	}
	at := r.context.FindStringSubmatchIndex(url)
	if at == nil {
		return url, false
	}
	to := r.context.ExpandString(nil, r.Transformation, url, at)
	if len(to) > MaxBytes || strings.HasPrefix(url, "/") && (len(to) == 0 || to[0] != '/') || string(to) == url {
		return url, false
	}
	return string(to), true
}

// words is a context and a transformation in the making.
type words struct {
	context, to strings.Builder
	captures    int
}

// express returns the context and the transformation of a consensus of URLs. Sets of more
// than most tokens become the class of their kind.
func express(a *alphabet, row []column, most int) (context, transformation string) {
	var w words
	w.context.WriteByte('^')
	for i := 0; i < len(row); {
		if row[i].kind == mark {
			w.mark(a, &row[i])
			i++
			continue
		}
		end := i
		for end < len(row) && row[end].kind != mark {
			end++
		}
		w.segment(a, row[i:end], most)
		i = end
	}
	w.context.WriteByte('$')
	return w.context.String(), w.to.String()
}

func (w *words) mark(a *alphabet, c *column) {
	text := a.tokens[c.set[0]]
	w.context.WriteString(regexp.QuoteMeta(text))
	if c.gap {
		w.context.WriteByte('?')
		return
	}
	w.literal(text)
}

func (w *words) segment(a *alphabet, row []column, most int) {
	if !slices.ContainsFunc(row, func(c column) bool { return !c.invariant() }) {
		w.capture("[a-zA-Z0-9]*")
		return
	}
	for i := range row {
		c := &row[i]
		if c.invariant() {
			w.capture(class(c.kind))
			continue
		}
		tokens := make([]string, len(c.set))
		for k, n := range c.set {
			tokens[k] = a.tokens[n]
		}
		slices.Sort(tokens)
		w.context.WriteString("(?:")
		if len(tokens) > most {
			w.context.WriteString(class(c.kind))
		} else {
			w.context.WriteString(strings.Join(tokens, "|"))
		}
		w.context.WriteByte(')')
		if c.gap {
			w.context.WriteByte('?')
		} else {
			w.literal(tokens[0])
		}
	}
}

// invariant reports whether all URLs have the same token here.
func (c *column) invariant() bool { return len(c.set) == 1 && !c.gap }

func class(k kind) string {
	if k == digits {
		return "[0-9]+"
	}
	return "[a-zA-Z]+"
}

func (w *words) capture(expression string) {
	w.captures++
	w.context.WriteString("(" + expression + ")")
	w.to.WriteString("${" + strconv.Itoa(w.captures) + "}")
}

func (w *words) literal(text string) {
	w.to.WriteString(strings.ReplaceAll(text, "$", "$$"))
}

// Marks returns the delimiters of a URL, in order. Many URLs of a site have the same ones. A
// rule that does not fit the delimiters ([Rule.Fits]) changes none of these URLs.
func Marks(url string) string {
	b := make([]byte, 0, len(url))
	for i := range len(url) {
		if kindOf(url[i]) == mark {
			b = append(b, url[i])
		}
	}
	return string(b)
}

// Fits reports whether the context may match URLs with these delimiters.
func (r *Rule) Fits(marks string) bool { return r.marks.fit(marks) }

// marks are the delimiters of a context in order. The delimiters of a URL that the context
// matches contain the needed ones in order, and are contained in all of them in order. The
// test is much cheaper than the expression, and most URLs fail it.
type marks struct{ needed, all string }

func marksOf(a *alphabet, row []column) (m marks) {
	for i := range row {
		if c := &row[i]; c.kind == mark {
			text := a.tokens[c.set[0]]
			m.all += text
			if !c.gap {
				m.needed += text
			}
		}
	}
	return m
}

// fit reports whether the context may match a URL.
func (m *marks) fit(url string) bool {
	needed, all := 0, 0
	for i := range len(url) {
		c := url[i]
		if kindOf(c) != mark {
			continue
		}
		if needed < len(m.needed) && m.needed[needed] == c {
			needed++
		}
		for all < len(m.all) && m.all[all] != c {
			all++
		}
		if all == len(m.all) {
			return false
		}
		all++
	}
	return needed == len(m.needed)
}
