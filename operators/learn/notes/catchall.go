package notes

import (
	"hash/maphash"
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
	if known < least || !c.mayCatch() {
		return
	}
	seen := make(map[string]int, len(w.Pages)) // URLs by the last segment of their path
	for i := range w.Pages {
		seen[lastSegment(w.Pages[i].URL)]++
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

// mayCatch reports whether a catch-all is not out of the question: all names that may be invented count as
// the names for which it would answer, and of all invented names only those that no other name shares a
// counter with.
func (c *census) mayCatch() bool {
	seed, counts := maphash.MakeSeed(), make([]uint8, 4*len(c.pages))
	counter := func(page int) *uint8 {
		return &counts[maphash.String(seed, lastSegment(c.w.Pages[page].URL))%uint64(len(counts))]
	}
	for i := range c.pages {
		if n := counter(i); *n < 2 {
			*n++
		}
	}
	answers, all := make([]int64, len(c.spans)), int64(0) // by content
	for i := range c.pages {
		if content := c.pages[i].content; content != 0 && mayBeInvented(c.w.Pages[i].URL) {
			answers[content]++
			if *counter(i) == 1 {
				all++
			}
		}
	}
	answered := int64(0)
	for _, n := range answers {
		if isCrowd(n, all) {
			answered += n
		}
	}
	return answered >= names
}

// invented reports whether the last segment of a URL's path is a name that no other URL has and no
// number, and the URL does not end like a file of content.
func invented(url string, seen map[string]int) bool {
	return seen[lastSegment(url)] == 1 && mayBeInvented(url)
}

// mayBeInvented is invented if no other URL has the name.
func mayBeInvented(url string) bool {
	return strings.IndexFunc(lastSegment(url), isNoDigit) >= 0 && !public.Bare(url)
}

func isNoDigit(c rune) bool { return c < '0' || '9' < c }

// lastSegment returns the last segment of a URL's path that is not empty, or "".
func lastSegment(url string) string {
	path, _, _ := strings.Cut(url, "?")
	_, path, _ = strings.Cut(path, "/") // the host is empty if hosts are mined apart
	path = strings.TrimRight(path, "/")
	return path[strings.LastIndexByte(path, '/')+1:]
}
