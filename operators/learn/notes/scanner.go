package notes

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"dustbuster/operators/window/public"
)

const (
	leastBits = 8 // of the mask of clients of all URLs
	oftener   = 4 // times as many names as the median client
)

// scanners notes that some clients try names or URLs that nobody else uses, and marks the pages
// that they alone requested.
func (s *Site) scanners(w *Window, c *census) {
	suspects := s.suspects(w, c)
	if suspects == 0 {
		return
	}
	n := Note{Kind: Scanner, Clients: bits.OnesCount16(suspects)}
	scanned := make([]bool, len(w.Pages))
	for i, mask := range w.Clients {
		if mask == 0 {
			continue
		}
		n.Of++
		if scanned[i] = mask&^suspects == 0; scanned[i] {
			n.URLs++
		}
	}
	if n.Of >= least {
		s.scanned = scanned
		s.note(w, n, s.Scanned)
	}
}

// suspects returns the bits of the clients that seem to be scanners.
func (s *Site) suspects(w *Window, c *census) (mask uint16) {
	var all uint16
	for _, m := range w.Clients {
		all |= m
	}
	if bits.OnesCount16(all) < leastBits {
		return 0
	}
	clients := map[string]uint16{} // by name
	for i := range w.Pages {
		for name := range public.Names(w.Pages[i].URL) {
			clients[name] |= w.Clients[i]
		}
		if s.CatchAll(i) {
			name := "/" + lastSegment(w.Pages[i].URL)
			clients[name] |= w.Clients[i]
		}
	}
	var alone [16]int // names by the bit of their only client
	for _, m := range clients {
		if bits.OnesCount16(m) == 1 {
			alone[bits.TrailingZeros16(m)]++
		}
	}
	usual := oftener * median(alone, all)
	for b, n := range alone {
		if n >= names && n >= usual {
			mask |= 1 << b
		}
	}
	if c != nil {
		mask |= c.triers(all)
	}
	return mask
}

const fewContents = 5 // that answer nearly all that a scanner tries

// triers returns the bits of the clients that alone asked for many URLs, nearly all of which show
// one of few contents. Others see these contents seldom. The URLs are read only if there is a client that
// sees few contents.
func (c *census) triers(all uint16) (mask uint16) {
	contents := make([]int, len(c.spans)) // URLs by content
	known := 0
	var own [16][]uint32 // pages of an only client
	for i := range c.pages {
		content := c.pages[i].content
		if content == 0 {
			continue
		}
		known++
		contents[content]++
		if m := c.w.Clients[i]; bits.OnesCount16(m) == 1 {
			b := bits.TrailingZeros16(m)
			own[b] = append(own[b], uint32(i))
		}
	}
	shown := make([]int, len(c.spans))
	for b, pages := range own {
		few, everyone := c.mostShown(pages, shown, contents)
		if len(pages) >= least && reaches(few, len(pages), nearly) && !above(everyone-few, known-len(pages)) {
			mask |= 1 << b
		}
	}
	if mask == 0 {
		return 0
	}
	var tried [16]int
	for b, pages := range own {
		tried[b] = c.forms(pages)
	}
	usual := oftener * median(tried, all)
	for b, n := range tried {
		if n < least || n < usual {
			mask &^= 1 << b
		}
	}
	return mask
}

// mostShown returns how many of some pages show the few contents that most of them show, and how many of all
// pages do. shown is scratch, of zeros.
func (c *census) mostShown(pages []uint32, shown, contents []int) (few, everyone int) {
	var seen []uint32
	for _, i := range pages {
		content := c.pages[i].content
		if shown[content]++; shown[content] == 1 {
			seen = append(seen, content)
		}
	}
	var best []uint32
	for _, content := range seen {
		at, _ := slices.BinarySearchFunc(best, content, func(a, b uint32) int {
			return cmp.Or(cmp.Compare(shown[b], shown[a]), cmp.Compare(c.spans[a].Min, c.spans[b].Min), cmp.Compare(c.spans[a].Class, c.spans[b].Class))
		})
		if at < fewContents {
			best = slices.Insert(best, at, content)
			best = best[:min(fewContents, len(best))]
		}
	}
	for _, content := range best {
		few, everyone = few+shown[content], everyone+contents[content]
	}
	for _, content := range seen {
		shown[content] = 0
	}
	return few, everyone
}

// forms returns the number of URLs of some pages that differ in more than numbers.
func (c *census) forms(pages []uint32) int {
	forms := map[string]bool{}
	for _, i := range pages {
		forms[withoutNumbers(c.w.Pages[i].URL)] = true
	}
	return len(forms)
}

// withoutNumbers returns a URL with one 0 for each number.
func withoutNumbers(url string) string {
	var b strings.Builder
	in := false
	for i := range len(url) {
		digit := url[i] >= '0' && url[i] <= '9'
		switch {
		case !digit:
			b.WriteByte(url[i])
		case !in:
			b.WriteByte('0')
		}
		in = digit
	}
	return b.String()
}

// median returns the median of the numbers of some bits, the lower of two.
func median(of [16]int, mask uint16) int {
	var some []int
	for b, n := range of {
		if mask>>b&1 == 1 {
			some = append(some, n)
		}
	}
	slices.Sort(some)
	return some[(len(some)-1)/2]
}
