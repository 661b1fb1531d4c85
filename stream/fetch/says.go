package fetch

import (
	"net/http"
	"slices"
	"strings"

	"dustbuster/operators/judge/sketch"
)

// Facts about a page in the header of an answer.

// canonicalLink returns the target of the Link header with rel=canonical (RFC 8288, RFC
// 6596), or "" if there is none or there are several different targets.
func canonicalLink(h http.Header) (found string) {
	for _, field := range h.Values("Link") {
		for _, target := range canonicalTargets(field) {
			if found != "" && found != target {
				return ""
			}
			found = target
		}
	}
	return found
}

// canonicalTargets returns the targets of a Link header's links with the relation
// "canonical".
func canonicalTargets(field string) (targets []string) {
	for {
		_, rest, open := strings.Cut(field, "<")
		target, params, closed := strings.Cut(rest, ">")
		if !open || !closed {
			return targets
		}
		params, field = cutLink(params)
		if hasCanonical(params) {
			targets = append(targets, strings.TrimSpace(target))
		}
	}
}

// cutLink separates the parameters of one link from the following links. A comma within
// quotes is part of a parameter.
func cutLink(s string) (params, rest string) {
	quoted := false
	for i := range len(s) {
		switch {
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ',' && !quoted:
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// hasCanonical reports whether the parameters of a link contain rel=canonical.
func hasCanonical(params string) bool {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(p, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "rel") {
			continue
		}
		relations := strings.Fields(strings.Trim(strings.TrimSpace(value), `"`))
		return slices.ContainsFunc(relations, func(r string) bool { return strings.EqualFold(r, "canonical") })
	}
	return false
}

// noIndex reports whether an X-Robots-Tag header asks all robots, or this program, to
// keep the page out of indexes.
func noIndex(h http.Header) bool {
	return slices.ContainsFunc(h.Values("X-Robots-Tag"), func(field string) bool {
		agent, directives, named := strings.Cut(field, ":")
		if !named || strings.Contains(agent, ",") || strings.EqualFold(strings.TrimSpace(agent), "unavailable_after") {
			directives = field
		} else if !strings.EqualFold(strings.TrimSpace(agent), "dustbuster") {
			return false
		}
		return sketch.NoIndex(directives)
	})
}

// Resolve returns the page to which a document refers, in normal form: a mined string
// if the page belongs to the site and the same host, else "//", the host, the path and
// the query. The base is the href of the document's base element, or "". Resolve
// returns "" if the reference is not an http or https page.
func (d *Document) Resolve(base, ref string) string {
	from := d.place
	if base != "" {
		if p, err := from.redirect(base); err == nil {
			from = p
		}
	}
	to, err := from.redirect(ref)
	switch {
	case err != nil || ref == "":
		return ""
	case to.host == d.place.host || to.whole:
		return to.target()
	}
	return "//" + to.host + to.path
}

// headerSize returns the approximate size of an answer's header in bytes: the status
// line, and for each field its name, a colon, a blank, its value and the line's end.
func headerSize(resp *http.Response) int64 {
	n := len("HTTP/1.1 ") + len(resp.Status) + 2*len("\r\n")
	for name, values := range resp.Header {
		for _, v := range values {
			n += len(name) + len(": ") + len(v) + len("\r\n")
		}
	}
	return int64(n)
}
