package notes

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/public"
)

const (
	leastBits = 8 // of the mask of clients of all URLs
	oftener   = 4 // times as many names as the median client
)

// scanners notes that some clients try names or URLs that nobody else uses, and marks the pages
// that they alone requested.
func (s *Site) scanners(w *Window) {
	suspects := s.suspects(w)
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
func (s *Site) suspects(w *Window) (mask uint16) {
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
	return mask | s.triers(w, all)
}

const fewContents = 5 // that answer nearly all that a scanner tries

// triers returns the bits of the clients that alone asked for many URLs, nearly all of which show
// one of few contents. Others see these contents seldom.
func (s *Site) triers(w *Window, all uint16) (mask uint16) {
	if w.NoSizes {
		return 0
	}
	var shown [16]map[evidence.Span]int // URLs of the only client by content
	var forms [16]map[string]bool
	contents := map[evidence.Span]int{} // URLs
	known := 0
	for i := range w.Pages {
		content, ok := contentOf(w.Pages[i].Evidence)
		if !ok {
			continue
		}
		known++
		contents[content]++
		if m := w.Clients[i]; bits.OnesCount16(m) == 1 {
			b := bits.TrailingZeros16(m)
			if shown[b] == nil {
				shown[b], forms[b] = map[evidence.Span]int{}, map[string]bool{}
			}
			shown[b][content]++
			forms[b][withoutNumbers(w.Pages[i].URL)] = true
		}
	}
	var tried [16]int
	for b := range forms {
		tried[b] = len(forms[b])
	}
	usual := oftener * median(tried, all)
	for b := range shown {
		own, few, everyone := 0, 0, 0
		for i, content := range mostShown(shown[b]) {
			n := shown[b][content]
			if own += n; i < fewContents {
				few, everyone = few+n, everyone+contents[content]
			}
		}
		if tried[b] >= least && tried[b] >= usual && reaches(few, own, nearly) && !above(everyone-few, known-own) {
			mask |= 1 << b
		}
	}
	return mask
}

// mostShown returns contents, those of the most URLs first.
func mostShown(urls map[evidence.Span]int) []evidence.Span {
	return slices.SortedFunc(maps.Keys(urls), func(a, b evidence.Span) int {
		return cmp.Or(cmp.Compare(urls[b], urls[a]), cmp.Compare(a.Min, b.Min), cmp.Compare(a.Class, b.Class))
	})
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
