package notes

import (
	"strings"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/public"
)

// names is the number of invented names for which a catch-all answers, and of names that a
// scanner alone uses.
const names = 20

// catchAll notes that one page, or few, answers for invented names, and marks the pages.
func (s *Site) catchAll(w *Window) {
	seen := map[string]int{} // URLs by the last segment of their path
	for i := range w.Pages {
		seen[lastSegment(w.Pages[i].URL)]++
	}
	contents, all := map[evidence.Span]int64{}, int64(0) // of invented names
	known := 0
	for i := range w.Pages {
		content, ok := contentOf(w.Pages[i].Evidence)
		if !ok {
			continue
		}
		known++
		if invented(w.Pages[i].URL, seen) {
			contents[content]++
			all++
		}
	}
	pages, answered := 0, int64(0)
	for content, n := range contents {
		if !isCrowd(n, all) {
			delete(contents, content)
			continue
		}
		pages++
		answered += n
	}
	if answered < names || known < least {
		return
	}
	n := Note{Kind: CatchAll, Of: known, Contents: pages}
	s.caught = make([]bool, len(w.Pages))
	for i := range w.Pages {
		content, ok := contentOf(w.Pages[i].Evidence)
		if s.caught[i] = ok && contents[content] > 0; s.caught[i] {
			n.URLs++
		}
	}
	s.note(w, n, func(page int) bool { return s.caught[page] && invented(w.Pages[page].URL, seen) })
}

const digits = "0123456789"

// contentOf returns what names the content of a page: its digest, or its only size. ok is false
// if the page has several or none.
func contentOf(e evidence.Spans) (content evidence.Span, ok bool) {
	if d, ok := e.Digest(); ok {
		return evidence.Span{Min: d, Max: d, Class: evidence.Digest}, true
	}
	if len(e) != 1 || e[0].Min != e[0].Max || e[0].Class == evidence.Digest {
		return content, false
	}
	return e[0], true
}

// invented reports whether the last segment of a URL's path is a name that no other URL has and no
// number, and the URL does not end like a file of content.
func invented(url string, seen map[string]int) bool {
	name := lastSegment(url)
	return strings.Trim(name, digits) != "" && seen[name] == 1 && !public.Bare(url)
}

// lastSegment returns the last segment of a URL's path that is not empty, or "".
func lastSegment(url string) string {
	path, _, _ := strings.Cut(url, "?")
	_, path, _ = strings.Cut(path, "/") // the host is empty if hosts are mined apart
	path = strings.TrimRight(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}
