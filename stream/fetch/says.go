package fetch

import (
	"net/http"
	"slices"
	"strings"

	"dustbuster/operators/sketch"
)

// What the header of an answer says of the page.

// canonicalLink is the target of the Link header with rel=canonical (RFC 8288, RFC
// 6596); "" if there is none, or several that differ.
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

// canonicalTargets are the targets of a Link header's links that have the relation
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

// cutLink cuts the parameters of one link from the links that follow. A comma within
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

// hasCanonical reports whether the parameters of a link hold rel=canonical.
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

// noIndex reports whether an X-Robots-Tag header asks, of all robots or of this one,
// that the page be in no index.
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

// Resolve is the page that a document names by a reference, in normal form: a mined
// string if the page is the site's and on the same host, else "//", the host, the path
// and the query. The base is the href of the document's base element, or "". Resolve
// returns "" for a reference that names no page of http or https.
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

// headerSize is how many bytes the header of an answer had, about: the status line, and
// for each field its name, a colon, a blank, its value and the line's end.
func headerSize(resp *http.Response) int64 {
	n := len("HTTP/1.1 ") + len(resp.Status) + 2*len("\r\n")
	for name, values := range resp.Header {
		for _, v := range values {
			n += len(name) + len(": ") + len(v) + len("\r\n")
		}
	}
	return int64(n)
}
