package canon

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
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

// naiveHolds reports whether a URL is in the scope of a rule. rest is the URL without the
// parameters that the rule removes or changes.
func naiveHolds(r *rule.Rule, url, rest string) bool {
	s := &r.Scope
	path, _, _ := strings.Cut(rest, "?")
	if !r.Params().InPath {
		path, _, _ = strings.Cut(url, "?")
	}
	if !strings.HasPrefix(url, s.Prefix) || s.HasPath && !naivePath(path, s.Path) {
		return false
	}
	for _, c := range s.Where {
		_, query, _ := strings.Cut(rest, "?")
		if c.Own {
			_, query, _ = strings.Cut(url, "?")
		}
		if c != (rule.Condition{}) && !slices.ContainsFunc(naivePieces(query), func(piece string) bool { return naiveMeets(piece, c) }) {
			return false
		}
	}
	return true
}

// naiveExcepts reports whether an exception of a rule holds for a URL.
func naiveExcepts(r *rule.Rule, url, rest string) bool {
	for _, s := range r.Except.Scopes() {
		other := *r
		if other.Scope = s; naiveHolds(&other, url, rest) {
			return true
		}
	}
	return slices.Contains(r.Except.URLs(), url)
}

func naivePieces(query string) []string {
	return strings.FieldsFunc(query, func(c rune) bool { return c == '&' || c == ';' })
}

func naiveMeets(piece string, c rule.Condition) bool {
	name, value, valued := strings.Cut(piece, "=")
	return name == c.Param && (!c.HasValue || valued && value == c.Value) && (!c.Valued && c.Begins == "" || valued) && strings.HasPrefix(value, c.Begins)
}

// naivePath compares a path with one in which a segment between two slashes may be *.
func naivePath(path, want string) bool {
	got, segments := strings.Split(path, "/"), strings.Split(want, "/")
	if len(got) != len(segments) {
		return false
	}
	for i, s := range segments {
		if got[i] != s && (s != "*" || got[i] == "" || i == 0 || i == len(segments)-1) {
			return false
		}
	}
	return true
}

var (
	naiveDigits = regexp.MustCompile(`^[0-9]{4,}$`)
	naiveHex    = regexp.MustCompile(`^([0-9a-f]{8,}|[0-9A-F]{8,})$`)
)

// naiveSeeks reports whether a drop removes a piece.
func naiveSeeks(r *rule.Rule, piece string) bool {
	name, value, valued := strings.Cut(piece, "=")
	rest, begins := strings.CutPrefix(name, r.Params().Pattern.Prefix)
	switch r.Params().Pattern.Class {
	case rule.Digits:
		return begins && naiveDigits.MatchString(rest)
	case rule.Hex:
		return begins && naiveHex.MatchString(rest) && strings.ContainsAny(rest, "0123456789")
	}
	if r.Params().HasValue && r.Kind() == rule.KindDrop {
		return name == r.Params().Param && valued && value == r.Params().Value
	}
	return name != "" && slices.Contains(append(strings.Split(r.Params().Other, ";"), r.Params().Param), name)
}

// naiveRest returns a URL without the pieces of a query for which is is true, removed one
// at a time from the left.
func naiveRest(url string, is func(piece string) bool) string {
	path, query, _ := strings.Cut(url, "?")
	from := 0
	for from <= len(query) {
		end := len(query)
		if n := strings.IndexAny(query[from:], "&;"); n >= 0 {
			end = from + n
		}
		switch {
		case !is(query[from:end]):
			from = end + 1
		case end < len(query):
			query = query[:from] + query[end+1:]
		default:
			query = query[:max(0, from-1)]
		}
		if query == "" {
			return path
		}
	}
	return path + "?" + query
}

// naivePathRest removes the pieces of the path's segments for which is is true.
func naivePathRest(url string, is func(piece string) bool) string {
	path, query, has := strings.Cut(url, "?")
	segments := strings.Split(path, "/")
	for i, s := range segments {
		pieces := strings.Split(s, ";")
		if i > 0 {
			segments[i] = strings.Join(append(pieces[:1:1], slices.DeleteFunc(pieces[1:], is)...), ";")
		}
	}
	if url = strings.Join(segments, "/"); has {
		url += "?" + query
	}
	return url
}

// naiveDrop drops several names one after the other.
func naiveDrop(r *rule.Rule, url string) string {
	remove := naiveRest
	if r.Params().InPath {
		remove = naivePathRest
	}
	if r.Params().Other != "" {
		for _, name := range strings.Split(r.Params().Param+";"+r.Params().Other, ";") {
			one := rule.Rule{Edit: rule.Drop{Param: name}}
			if naiveHas(r.Params().InPath, url, &one) {
				url = remove(url, func(piece string) bool { return naiveSeeks(&one, piece) })
			}
		}
		return url
	}
	if !naiveHas(r.Params().InPath, url, r) {
		return url
	}
	return remove(url, func(piece string) bool { return naiveSeeks(r, piece) })
}

// naiveHas reports whether a URL has a piece that a drop removes.
func naiveHas(inPath bool, url string, r *rule.Rule) bool {
	path, query, _ := strings.Cut(url, "?")
	if !inPath {
		return slices.ContainsFunc(naivePieces(query), func(piece string) bool { return naiveSeeks(r, piece) })
	}
	for i, s := range strings.Split(path, "/") {
		if i > 0 && slices.ContainsFunc(strings.Split(s, ";")[1:], func(piece string) bool { return naiveSeeks(r, piece) }) {
			return true
		}
	}
	return false
}

// naiveOrder sorts the parameters by name.
func naiveOrder(url string) string {
	path, query, has := strings.Cut(url, "?")
	if !has {
		return url
	}
	pieces := regexp.MustCompile(`[&;]`).Split(query, -1)
	separators := regexp.MustCompile(`[^&;]+`).ReplaceAllString(query, "")
	name := func(piece string) string { n, _, _ := strings.Cut(piece, "="); return n }
	params := slices.DeleteFunc(slices.Clone(pieces), func(p string) bool { return name(p) == "" })
	slices.SortStableFunc(params, func(a, b string) int { return strings.Compare(name(a), name(b)) })
	out := path + "?"
	for i, p := range pieces {
		if i > 0 {
			out += separators[i-1 : i]
		}
		if name(p) != "" {
			p, params = params[0], params[1:]
		}
		out += p
	}
	return out
}

var (
	naiveEscape  = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
	naiveCapital = regexp.MustCompile(`[A-Z]`)
	naiveSlash   = regexp.MustCompile(`//+`)
	naiveEmpty   = regexp.MustCompile(`((?:^|[&;])[^=&;]+)=($|[&;])`)
)

func naiveForm(f rule.Form, url string) string {
	path, query, has := strings.Cut(url, "?")
	switch f {
	case rule.Slashes:
		path = naiveSlash.ReplaceAllString(path, "/")
	case rule.EmptyQuery:
		has = has && query != ""
	case rule.EmptyValue:
		for last := "="; last != query; { // matches share separators
			last, query = query, naiveEmpty.ReplaceAllString(query, "$1$2")
		}
	case rule.Escapes:
		return naiveEscape.ReplaceAllStringFunc(url, func(e string) string {
			c, _ := strconv.ParseUint(e[1:], 16, 8)
			if regexp.MustCompile(`[0-9A-Za-z\-._~]`).Match([]byte{byte(c)}) {
				return string(rune(c))
			}
			return strings.ToUpper(e)
		})
	case rule.Case:
		text := ""
		for from := 0; from < len(path); {
			at := naiveEscape.FindStringIndex(path[from:])
			if at == nil {
				at = []int{len(path) - from, len(path) - from}
			}
			text += naiveCapital.ReplaceAllStringFunc(path[from:from+at[0]], strings.ToLower) + path[from+at[0]:from+at[1]]
			from += at[1]
		}
		path = text
	}
	if has {
		path += "?" + query
	}
	return path
}

func naiveApply(r rule.Rule, url string) string {
	rest := url
	if r.Kind() == rule.KindDrop || r.Kind() == rule.KindSet {
		rest = naiveDrop(&r, url)
	}
	if !naiveHolds(&r, url, rest) || naiveExcepts(&r, url, rest) {
		return url
	}
	switch r.Kind() {
	case rule.KindDrop:
		return rest
	case rule.KindSet:
		return naiveSet(r, url)
	case rule.KindOrder:
		return naiveOrder(url)
	case rule.KindSyntax:
		return naiveForm(r.Syntax().Form, url)
	case rule.KindRewrite:
		return naiveRewrite(r.Rewrite().Template, url)
	case rule.KindSegment:
		return naiveCut(r, url)
	}
	for at := 0; at+len(r.Sides().From) <= len(url); at++ {
		end := at + len(r.Sides().From)
		if r.Sides().From == "" && at > 0 && !r.Sides().AtEnd {
			break // an empty From stands at the start, or nowhere
		}
		if url[at:end] == r.Sides().From && (!r.Sides().AtStart || at == 0) && (!r.Sides().AtEnd || end == len(url)) &&
			dust.Boundary(url, at) && dust.Boundary(url, end) && !naiveMade(r.Sides().To, url, at, end) &&
			(!strings.HasPrefix(url, "/") || strings.HasPrefix(url[:at]+r.Sides().To+url[end:], "/")) {
			return url[:at] + r.Sides().To + url[end:]
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
		if name, _, _ := strings.Cut(piece, "="); name == r.Params().Param {
			piece = r.Params().Param + "=" + r.Params().Value
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

var naiveClass = map[rule.Class]string{rule.Digits: "[0-9]{4,}", rule.Hex: "[0-9a-f]{8,}|[0-9A-F]{8,}"}

// naiveCut cuts the segment out by one expression.
func naiveCut(r rule.Rule, url string) string {
	shape := regexp.MustCompile("^([^/?]*)" + regexp.QuoteMeta(r.Sides().From) + "(" + naiveClass[r.Params().Pattern.Class] + ")/([^/?].*)$")
	m := shape.FindStringSubmatch(url)
	if m == nil || !strings.ContainsAny(m[2], "0123456789") {
		return url
	}
	return m[1] + r.Sides().To + m[3]
}
