package rule

import (
	_ "embed"
	"iter"
	"strings"

	"dustbuster/operators/rule/dust"
)

//go:embed unpreferred.txt
var unpreferredFile string

// unpreferred holds the words of unpreferred.txt, each with the kind of its forms.
var unpreferred = func() map[string]string {
	kinds := map[string]string{}
	for line := range strings.Lines(unpreferredFile) {
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] != "#" {
			kinds[fields[0]] = fields[1]
		}
	}
	return kinds
}()

// Unpreferred returns the first word of a text that marks a form which is never preferred: print,
// amp, mobile, old, copy, index and others of unpreferred.txt. "" is none. O(bytes).
func Unpreferred(text string) string {
	for word := range unpreferredIn(text) {
		return word
	}
	return ""
}

// unpreferredIn yields the words of a text that mark a form which is never preferred, each with the
// kind of the form.
func unpreferredIn(text string) iter.Seq2[string, string] {
	return func(yield func(word, kind string) bool) {
		for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(c rune) bool { return c > '~' || !dust.IsAlnum(byte(c)) }) {
			if kind := unpreferred[word]; kind != "" && !yield(word, kind) {
				return
			}
		}
	}
}

// Moves reports whether a permanent redirect (301) may take the place of the URLs that a rule edits:
// the rule removes slashes, changes case or escapes, removes the name of an index, or turns an old
// path into a new one. Whoever follows the redirect then loses nothing. A redirect that drops a
// parameter loses the campaign or the visit that it counts; one that leaves a form for paper or a
// small screen takes the form from its readers. The result is false for these. O(bytes of the rule).
func (r *Rule) Moves() bool {
	switch e := r.Edit.(type) {
	case Substring:
		return e.moves()
	case Syntax:
		return e.Form == Slashes || e.Form == Escapes || e.Form == Case
	case Rewrite:
		return e.Template.moves()
	}
	return false
}

// moves is Moves for a substring rule. A text without a slash may stand anywhere in a URL, also in
// the value of a parameter.
func (e *Substring) moves() bool {
	if strings.ContainsAny(e.From+e.To, "?&;=") || hasUse(e.From) || hasUse(e.To) {
		return false
	}
	name := false
	for _, kind := range unpreferredIn(e.From) {
		name = name || kind == "name"
	}
	return name || strings.Contains(e.From, "/") || strings.EqualFold(e.From, e.To)
}

// hasUse reports whether a text has a word of a form that its readers asked for, or that counts
// their visit.
func hasUse(text string) bool {
	for _, kind := range unpreferredIn(text) {
		if kind == "view" || kind == "visit" {
			return true
		}
	}
	return false
}

// moves is Moves for a template. No value may be lost or replaced.
func (t Template) moves() bool {
	copied := map[string]bool{}
	for k := range t.Keys() {
		if k.Edit == CopyKey {
			copied[k.To] = true
		}
	}
	for k := range t.Keys() {
		replaced := k.Edit != KeepKey && !k.Absent
		switch {
		case replaced && !copied[k.Name] && (k.Any || !k.IsSegment()), k.Absent && k.Edit == SetKey:
			return false
		case hasUse(k.Name), hasUse(k.Value), k.Edit == SetKey && hasUse(k.To):
			return false
		}
	}
	return true
}
