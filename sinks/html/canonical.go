package html

import (
	"html"
	pathpkg "path"
	"strings"

	"dustbuster/operators/rule/canon"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/sinks/page"
)

// hold joins the pages whose canonical forms by the rules that hold are the same.
func (b *builder) hold() {
	c, err := canon.Compile(b.site.Holding)
	if err != nil { // too many rules for one canonizer
		return
	}
	var buf []byte
	for n, p := range b.reach.Pages() {
		out, end := c.Canon(buf, []byte(p.URL))
		if end.Changed() {
			buf = out
			b.joined.Form(n, out)
		}
	}
}

// settled reports whether a URL is its own canonical form by the rules that hold.
func (b *builder) settled(url string) bool {
	if b.canonizer == nil {
		c, err := canon.Compile(b.site.Holding)
		if err != nil { // too many rules for one canonizer
			return false
		}
		b.canonizer = c
	}
	_, end := b.canonizer.Canon(nil, []byte(url))
	return end.End == canon.Settled && end.Rounds == 0
}

// canonical returns the element that names the canonical form of a page of the examples. ok is false if no example can
// be said as it is.
func (v *adviser) canonical() (element string, ok bool) {
	for _, c := range v.cards {
		if _, shown := c.rule.Shown(v.o.Veil.HidesValid); !shown || !c.Trial.proved || c.scanned {
			continue
		}
		for i := range c.Examples {
			e := &c.Examples[i]
			if e.Tone == string(page.Bad) || v.o.Veil.Mask(e.to) != e.to || !hasHead(e.to) || !v.settled(e.to) {
				continue
			}
			if href, ok := reference(e.to, v.hosts() != nil); ok {
				return `<link rel="canonical" href="` + html.EscapeString(href) + `">`, true
			}
		}
	}
	return "", false
}

// hasHead reports whether a URL looks like that of an HTML page: a document or picture has no
// head in which a link could stand.
func hasHead(url string) bool {
	path, _, _ := strings.Cut(url, "?")
	switch strings.ToLower(pathpkg.Ext(path)) {
	case "", ".html", ".htm", ".shtml", ".xhtml", ".php", ".asp", ".aspx", ".jsp", ".jspx", ".do", ".cgi", ".pl":
		return true
	}
	return false
}

// reference returns the reference by which a page of the same site leads to a mined string, byte
// for byte. ok is false if readers of URLs would change the text: a reader resolves dot segments,
// escapes some bytes, and takes a backslash for a slash and two slashes at the start for a host
// (WHATWG URL, section 4.4). Mined strings begin with their host if hosted is set.
func reference(mined string, hosted bool) (ref string, ok bool) {
	path := mined
	if hosted {
		slash := strings.IndexByte(mined, '/')
		if slash < 0 {
			return "", false
		}
		host, valid := urlnorm.Host(mined[:slash])
		if !valid || host != mined[:slash] {
			return "", false
		}
		ref, path = "//", mined[slash:]
	}
	if !strings.HasPrefix(path, "/") || ref == "" && strings.HasPrefix(path, "//") || !stable(path) {
		return "", false
	}
	return ref + mined, true
}

// stable reports whether readers of URLs leave a path with its query as it is.
func stable(target string) bool {
	path, query, _ := strings.Cut(target, "?")
	for segment := range strings.SplitSeq(path, "/") {
		switch strings.ReplaceAll(strings.ToLower(segment), "%2e", ".") {
		case ".", "..":
			return false
		}
	}
	for i := range len(target) {
		if c := target[i]; !dust.IsAlnum(c) && !strings.ContainsRune("-._~!$&()*+,;=:@/?%[]'", rune(c)) {
			return false
		}
	}
	return !strings.Contains(query, "'")
}
