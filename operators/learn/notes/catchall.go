package notes

import (
	"strings"

	"dustbuster/operators/window/public"
)

// names is the number of invented names for which a catch-all answers, and of names that a
// scanner alone uses.
const names = 20

// catchAll notes that one page, or few, answers for invented names, and marks the pages.
func (s *Site) catchAll(w *Window, c *census) {
	known := 0
	for i := range c.pages {
		if c.pages[i].content != 0 {
			known++
		}
	}
	seen := c.lastSegments()
	if seen == nil || known < least {
		return
	}
	answers, all := make([]int64, len(c.spans)), int64(0) // by content: invented names
	for i := range c.pages {
		if content := c.pages[i].content; content != 0 && invented(w.Pages[i].URL, seen) {
			answers[content]++
			all++
		}
	}
	pages, answered := 0, int64(0)
	for content, n := range answers {
		if !isCrowd(n, all) {
			answers[content] = 0
			continue
		}
		pages++
		answered += n
	}
	if answered < names {
		return
	}
	n := Note{Kind: CatchAll, Of: known, Contents: pages}
	s.caught = make([]bool, len(w.Pages))
	for i := range c.pages {
		if s.caught[i] = answers[c.pages[i].content] > 0; s.caught[i] {
			n.URLs++
		}
	}
	s.note(w, n, func(page int) bool { return s.caught[page] && invented(w.Pages[page].URL, seen) })
}

// lastSegments returns the number of URLs by the last segment of their path, or nil if names, invented or not,
// crowd at no content.
func (c *census) lastSegments() (seen map[string]int) {
	answers := make([]int64, len(c.spans))
	crowds := false
	for i := range c.pages {
		if content := c.pages[i].content; content != 0 && mayBeInvented(c.w.Pages[i].URL) {
			answers[content]++
			crowds = crowds || answers[content] >= crowd
		}
	}
	if !crowds {
		return nil
	}
	seen = map[string]int{}
	for i := range c.w.Pages {
		seen[lastSegment(c.w.Pages[i].URL)]++
	}
	return seen
}

const digits = "0123456789"

// invented reports whether the last segment of a URL's path is a name that no other URL has and no
// number, and the URL does not end like a file of content.
func invented(url string, seen map[string]int) bool {
	return seen[lastSegment(url)] == 1 && mayBeInvented(url)
}

// mayBeInvented is invented if no other URL has the name.
func mayBeInvented(url string) bool {
	return strings.Trim(lastSegment(url), digits) != "" && !public.Bare(url)
}

// lastSegment returns the last segment of a URL's path that is not empty, or "".
func lastSegment(url string) string {
	path, _, _ := strings.Cut(url, "?")
	_, path, _ = strings.Cut(path, "/") // the host is empty if hosts are mined apart
	path = strings.TrimRight(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}
