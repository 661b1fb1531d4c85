package fetch

import (
	"bytes"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"dustbuster/operators/judge/sketch"
)

// Facts about a page in the header of an answer.

// A Link header has links with parameters (RFC 8288). A comma within quotes is part of a parameter.
var (
	aLink = regexp.MustCompile(`<([^>]*)>((?:"[^"]*"|[^",])*)`)
	itsOf = regexp.MustCompile(`(?i);\s*rel\s*=([^;]*)`) // of several, the first counts
)

// canonicalLink returns the target of the Link header with rel=canonical (RFC 6596), or "" if
// there is none or there are several different targets.
func canonicalLink(h http.Header) (found string) {
	for _, field := range h.Values("Link") {
		for _, link := range aLink.FindAllStringSubmatch(field, -1) {
			target, rel := strings.TrimSpace(link[1]), itsOf.FindStringSubmatch(link[2])
			if rel == nil || !slices.Contains(strings.Fields(strings.ToLower(strings.Trim(strings.TrimSpace(rel[1]), `"`))), "canonical") {
				continue
			}
			if found != "" && found != target {
				return ""
			}
			found = target
		}
	}
	return found
}

// noIndex reports whether an X-Robots-Tag header asks all robots, this program, or a robot that is named so, to
// keep the page out of indexes.
func noIndex(h http.Header) bool {
	return slices.ContainsFunc(h.Values("X-Robots-Tag"), func(field string) bool {
		agent, directives, named := strings.Cut(field, ":")
		agent = strings.ToLower(strings.TrimSpace(agent))
		if !named || strings.Contains(agent, ",") || agent == "unavailable_after" {
			directives = field
		} else if agent != "dustbuster" && !strings.HasSuffix(agent, "bot") {
			return false
		}
		return sketch.NoIndex(directives) || IsPast(directives)
	})
}

var until = regexp.MustCompile(`(?i)\bunavailable_after:\s*(?:[a-z]+,\s*)?(\w+)[ /-](\w+),?[ /-](\d+|[a-z]+)`)

// IsPast reports whether robots directives name a date that is past, after which the page is kept out of indexes.
func IsPast(directives string) bool {
	d := until.FindStringSubmatch(directives)
	if d == nil {
		return false
	}
	day := strings.Join(d[1:], " ")
	return slices.ContainsFunc([]string{"2 Jan 2006", "2 Jan 06", "2 January 2006", "Jan 2 2006", "January 2 2006", "2006 1 2"}, func(form string) bool {
		at, err := time.Parse(form, day)
		return err == nil && time.Since(at) > 24*time.Hour
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

// headerSize returns the approximate size of an answer's header in bytes.
func headerSize(resp *http.Response) int64 {
	var fields bytes.Buffer
	_ = resp.Header.Write(&fields) // a buffer takes everything
	return int64(len("HTTP/1.1 ") + len(resp.Status) + 2*len("\r\n") + fields.Len())
}

// varies reports whether an answer depends on what tells browsers from this program: its agent, its languages or its
// cookies.
func varies(h http.Header) bool {
	return slices.ContainsFunc(h.Values("Vary"), func(field string) bool {
		return slices.ContainsFunc(strings.Split(field, ","), func(name string) bool {
			name = strings.TrimSpace(name)
			return name == "*" || strings.EqualFold(name, "User-Agent") || strings.EqualFold(name, "Accept-Language") || strings.EqualFold(name, "Cookie")
		})
	})
}
