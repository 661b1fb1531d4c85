package canon

import (
	"strings"

	"dustbuster/operators/dust"
	"dustbuster/operators/params"
	"dustbuster/operators/rule"
)

// The oracle: a plain loop over the rules, written from the definitions.

func naiveCanon(rules []rule.Rule, url string) (string, Outcome) {
	if len(url) > rule.MaxBytes {
		return url, Outcome{End: TooLong}
	}
	text := url
	for round := range MaxRounds {
		before := text
		for _, r := range rules {
			if text = naiveApply(r, text); len(text) > rule.MaxBytes {
				return url, Outcome{round, TooLong}
			}
		}
		if text == before {
			return text, Outcome{round, Settled}
		}
	}
	return url, Outcome{MaxRounds, Restless}
}

func naiveHolds(s *rule.Scope, url string) bool {
	path, query, _ := strings.Cut(url, "?")
	if !strings.HasPrefix(url, s.Prefix) || s.HasPath && path != s.Path {
		return false
	}
	for _, piece := range strings.FieldsFunc(query, func(c rune) bool { return c == '&' || c == ';' }) {
		if name, value, valued := strings.Cut(piece, "="); name == s.Param && (!s.HasValue || valued && value == s.Value) {
			return true
		}
	}
	return s.Param == ""
}

func naiveApply(r rule.Rule, url string) string {
	if !naiveHolds(&r.Scope, url) {
		return url
	}
	switch r.Kind {
	case rule.Drop:
		rest, _ := params.Rest([]byte(url), r.Param)
		return string(rest)
	case rule.Set:
		return naiveSet(r, url)
	}
	for at := 0; at+len(r.From) <= len(url); at++ {
		end := at + len(r.From)
		if r.From == "" && at > 0 && !r.AtEnd {
			break // an empty From stands at the start, or nowhere
		}
		if url[at:end] == r.From && (!r.AtStart || at == 0) && (!r.AtEnd || end == len(url)) &&
			dust.Boundary(url, at) && dust.Boundary(url, end) && !naiveMade(r.To, url, at, end) &&
			(!strings.HasPrefix(url, "/") || strings.HasPrefix(url[:at]+r.To+url[end:], "/")) {
			return url[:at] + r.To + url[end:]
		}
	}
	return url
}

// naiveMade reports whether text stands on token boundaries around a place of a URL.
func naiveMade(text, url string, from, to int) bool {
	for start := range from + 1 {
		for end := to; end <= len(url); end++ {
			if url[start:end] == text && dust.Boundary(url, start) && dust.Boundary(url, end) {
				return true
			}
		}
	}
	return false
}

func naiveSet(r rule.Rule, url string) string {
	path, query, has := strings.Cut(url, "?")
	if !has {
		return url
	}
	var b strings.Builder
	for query != "" {
		end := strings.IndexAny(query, "&;")
		if end < 0 {
			end = len(query)
		}
		piece := query[:end]
		if name, _, _ := strings.Cut(piece, "="); name == r.Param {
			piece = r.Param + "=" + r.Value
		}
		b.WriteString(piece)
		if end < len(query) {
			b.WriteByte(query[end])
			end++
		}
		query = query[end:]
	}
	return path + "?" + b.String()
}
