package book

import (
	"slices"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// A veto of a name or text holds for all rules that edit a parameter of that name, or that text,
// whatever their kind. Most rules tell it by themselves (edits). A text such as "home" may stand in the
// value of a parameter on this site and not on another, so what a rule does to URLs tells the rest
// (Changes).

func editsAny(r *rule.Rule, texts ...[]string) bool {
	return slices.ContainsFunc(slices.Concat(texts...), func(text string) bool { return edits(r, text) })
}

// edits reports whether a rule removes, sets or replaces a parameter of a name, name=value, or a text
// between token boundaries, or a part of such a text.
func edits(r *rule.Rule, text string) bool {
	bare := strings.Trim(text, "/?&;")
	name, value, valued := strings.Cut(bare, "=")
	params := r.Params()
	switch {
	case r.EditsParams() && slices.Contains(slices.Collect(params.Names()), name) && (!valued || !r.Params().HasValue || r.Params().Value == value):
		return true
	case r.Params().Pattern.Class != 0 && (r.Params().Pattern.Matches([]byte(name)) || r.Kind() == rule.KindSegment && strings.Contains(text, "/") && r.Params().Pattern.Matches([]byte(bare))):
		return true
	}
	for k := range r.Rewrite().Template.Keys() {
		switch {
		case k.Edit == rule.KeepKey:
		case k.Name == name && (!valued || k.Any || k.Absent || k.Value == value):
			return true
		case k.IsSegment() && strings.Contains(text, "/") && (k.Any || k.Value == bare || k.Edit == rule.SetKey && k.To == bare):
			return true
		}
	}
	return meets(r.Sides().From, text) || meets(r.Sides().To, text)
}

// meets reports whether a side and a text share a place in some URL: one holds the other, or the end of
// one is the beginning of the other, between token boundaries. A place without a letter or digit, such as a
// slash, counts only if it is all of the text.
func meets(side, text string) bool {
	for shift := 1 - len(text); shift < len(side); shift++ { // the text begins there
		from, to := max(0, shift), min(len(side), shift+len(text))
		part := side[from:to]
		if part == text[from-shift:to-shift] && dust.Boundary(side, from) && dust.Boundary(side, to) &&
			dust.Boundary(text, from-shift) && dust.Boundary(text, to-shift) && (part == text || strings.ContainsFunc(part, isWord)) {
			return true
		}
	}
	return false
}

func isWord(c rune) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '%'
}

// VetoedTexts returns the names and texts that no rule may edit.
func (b *Book) VetoedTexts() []string { return slices.Concat(b.Options.VetoTexts, b.Wishes.Texts) }

// Changes reports whether a rule that made v of u changed the parameters of one of some names, or the
// places where one of some texts with a slash stands. Rules of other kinds than these tell by
// themselves what they edit.
func Changes(r *rule.Rule, u, v string, texts []string) bool {
	return (r.Kind() == rule.KindSubstring || r.Kind() == rule.KindRewrite || r.Kind() == rule.KindSegment) &&
		slices.ContainsFunc(texts, func(text string) bool { return !slices.Equal(places(u, text), places(v, text)) })
}

// places returns the pieces of a query that a text names, or the text as often as it stands in the URL.
func places(url, text string) (all []string) {
	if strings.Contains(text, "/") {
		for at := range len(url) - len(text) + 1 {
			if strings.HasPrefix(url[at:], text) && dust.Boundary(url, at) && dust.Boundary(url, at+len(text)) {
				all = append(all, text)
			}
		}
		return all
	}
	wanted := strings.Trim(text, "?&;")
	for from, to := range rule.Query([]byte(url)) {
		if name, _, _ := strings.Cut(url[from:to], "="); name == wanted || url[from:to] == wanted {
			all = append(all, url[from:to])
		}
	}
	return all
}
