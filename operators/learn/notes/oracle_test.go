package notes

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/public"
)

// The notes on random windows are those of the definitions, written plainly: each question is put
// to all pages anew.
func TestPlain(t *testing.T) {
	told := map[Kind]int{}
	for seed := range uint64(400) {
		w := randomWindow(rand.New(rand.NewPCG(seed, 1)))
		s, p := Of(w), newPlain(w)
		got := map[Kind]Note{}
		for _, n := range bare(s.Notes) {
			told[n.Kind]++
			got[n.Kind] = n
		}
		for _, c := range []struct {
			kind Kind
			want Note
		}{
			{OneSize, p.oneSize()}, {CrowdedSizes, p.crowdedSizes()}, {SizesApart, p.apart()}, {CatchAll, p.catchAll()}, {OneClient, p.oneClient()}, {Scanner, p.scanner()},
		} {
			if c.want.Kind = c.kind; (c.want.URLs > 0) != (got[c.kind].Kind == c.kind) || c.want.URLs > 0 && got[c.kind] != c.want {
				t.Fatalf("seed %d: %s is %+v, want %+v", seed, c.kind, got[c.kind], c.want)
			}
		}
		catchAll, scanner := p.catchAll(), p.scanner()
		for i := range w.Pages {
			if s.CatchAll(i) != (catchAll.URLs > 0 && p.show[i]) || s.Scanned(i) != (scanner.URLs > 0 && p.scanned(i)) {
				t.Fatalf("seed %d: page %s is of a catch-all %v, scanned %v", seed, w.Pages[i].URL, s.CatchAll(i), s.Scanned(i))
			}
		}
	}
	for _, kind := range []Kind{OneSize, CrowdedSizes, CatchAll, SizesApart, OneClient, Scanner} {
		if told[kind] < 20 {
			t.Errorf("%s is told of %d windows, want more", kind, told[kind])
		}
	}
}

func randomWindow(rng *rand.Rand) *Window {
	w := &Window{Tolerance: .01 * float64(rng.IntN(3))}
	hits, clients, sizes, spread, extra := rng.IntN(2) == 0, 1+rng.IntN(16), []int{1, 3, 6, 60}[rng.IntN(4)], rng.IntN(4), rng.IntN(3)
	alone := rng.IntN(2) == 0
	for i := range 40 + rng.IntN(80) {
		url := fmt.Sprintf("/d%d/n%d", rng.IntN(5), rng.IntN(200))
		if rng.IntN(9) == 0 {
			url = fmt.Sprintf("/d/%d", rng.IntN(200))
		}
		switch rng.IntN(3 + extra) {
		case 0:
			url += fmt.Sprintf("?p%d=%d", rng.IntN(6), rng.IntN(50))
		case 1:
			url += []string{"/", ".txt", ".php"}[rng.IntN(3)]
		case 3, 4:
			url = fmt.Sprintf("/d?odd%c%d", 'a'+rune(i%20), i)
		}
		w.Pages = append(w.Pages, evidence.Page{URL: url})
		p := &w.Pages[len(w.Pages)-1]
		if rng.IntN(9) > 0 {
			size := int64(1000 + rng.IntN(sizes))
			p.Evidence = evidence.Spans{{Min: size, Max: size + int64(rng.IntN(30)*rng.IntN(1+spread)), Class: uint8(rng.IntN(7) / 6)}}
		}
		if rng.IntN(20) == 0 {
			p.Evidence = append(p.Evidence, evidence.Span{Min: 1, Max: int64(1 + rng.IntN(2)), Class: evidence.Digest})
		}
		mask := uint16(1) << rng.IntN(clients)
		if rng.IntN(4) == 0 {
			mask |= 1 << rng.IntN(clients)
		}
		if strings.Contains(url, "odd") && alone {
			mask = 1 << 3
		}
		w.Clients = append(w.Clients, mask*uint16(min(1, rng.IntN(30))))
		if hits {
			w.Hits = append(w.Hits, 1+rng.Int64N(20)*rng.Int64N(20))
		}
	}
	return w
}

// plain has the answers about each page.
type plain struct {
	w               *Window
	sizes, contents []string
	are, show       []bool // of invented names; the content that many invented names show
	scanners        uint16
}

func newPlain(w *Window) *plain {
	p := &plain{w: w}
	for i := range w.Pages {
		p.sizes = append(p.sizes, sizeOf(w.Pages[i].Evidence))
		p.contents = append(p.contents, shown(w.Pages[i].Evidence))
	}
	for i := range w.Pages {
		p.are = append(p.are, p.invented(i))
	}
	for i := range w.Pages {
		p.show = append(p.show, p.caught(i))
	}
	p.scanners = p.suspects()
	return p
}

// pages returns the number of pages with a property, and of the hits on them.
func (p *plain) pages(has func(i int) bool) (n int, hits int64) {
	for i := range p.w.Pages {
		if has(i) {
			n++
			if p.w.Hits != nil {
				hits += p.w.Hits[i]
			}
		}
	}
	return n, hits
}

func sizeOf(e evidence.Spans) string {
	if e = e.Sizes(); len(e) > 0 {
		return fmt.Sprint(e[0])
	}
	return ""
}

func (p *plain) exact(i int) bool {
	e := p.w.Pages[i].Evidence.Sizes()
	return len(e) > 0 && e[0].Min == e[0].Max
}

func (p *plain) like(i int) func(k int) bool {
	return func(k int) bool { return p.sizes[k] == p.sizes[i] }
}

func (p *plain) sized(i int) bool { return p.sizes[i] != "" }

func (p *plain) crowded(i int) bool {
	n, _ := p.pages(p.like(i))
	of, _ := p.pages(p.sized)
	return p.exact(i) && n >= 10 && float64(n) >= .01*float64(of)
}

// most returns a note on pages, if they are most of the pages with a size, or have most hits.
func (p *plain) most(has func(i int) bool) (n Note) {
	var ofHits, hits int64
	n.Of, ofHits = p.pages(p.sized)
	n.URLs, hits = p.pages(has)
	if n.Of < 50 || 2*n.URLs <= n.Of && (p.w.Hits == nil || 2*hits <= ofHits) {
		return Note{}
	}
	n.Hits, n.OfHits = hits, ofHits
	return n
}

func (p *plain) oneSize() (best Note) {
	for i := range p.w.Pages {
		if !p.crowded(i) {
			continue
		}
		n := p.most(p.like(i))
		n.Size = p.w.Pages[i].Evidence[0].Min
		if n.URLs > best.URLs {
			best = n
		}
	}
	return best
}

func (p *plain) crowdedSizes() Note {
	if p.oneSize().URLs > 0 {
		return Note{}
	}
	n := p.most(p.crowded)
	sizes := map[string]bool{}
	for i := range p.w.Pages {
		if p.crowded(i) {
			sizes[p.sizes[i]] = true
		}
	}
	n.Contents = len(sizes)
	return n
}

func (p *plain) apart() Note {
	n := p.most(func(i int) bool {
		return slices.ContainsFunc(p.w.Pages[i].Evidence.Sizes(), func(s evidence.Span) bool { return float64(s.Max-s.Min) > p.w.Tolerance*float64(s.Max) })
	})
	n.Tolerance = p.w.Tolerance
	return n
}

// shown returns the digest or the only size of a page.
func shown(e evidence.Spans) string {
	if d, ok := e.Digest(); ok {
		return fmt.Sprint("digest ", d)
	}
	if e.HasDigest() || len(e) != 1 || e[0].Min != e[0].Max {
		return ""
	}
	return sizeOf(e)
}

func (p *plain) name(i int) string {
	path := strings.TrimRight(strings.Split(p.w.Pages[i].URL, "?")[0], "/")
	return path[strings.LastIndex(path, "/")+1:]
}

func (p *plain) invented(i int) bool {
	n, _ := p.pages(func(k int) bool { return p.name(k) == p.name(i) })
	return n == 1 && regexp.MustCompile(`[^0-9]`).MatchString(p.name(i)) && !public.Bare(p.w.Pages[i].URL) && p.contents[i] != ""
}

// caught reports whether many invented names show the content of a page.
func (p *plain) caught(i int) bool {
	n, _ := p.pages(func(k int) bool { return p.are[k] && p.contents[k] == p.contents[i] })
	of, _ := p.pages(func(k int) bool { return p.are[k] })
	return p.contents[i] != "" && n >= 10 && float64(n) >= .01*float64(of)
}

func (p *plain) catchAll() (n Note) {
	contents := map[string]bool{}
	answered, _ := p.pages(func(i int) bool { return p.show[i] && p.are[i] })
	n.Of, _ = p.pages(func(i int) bool { return p.contents[i] != "" })
	if answered < 20 || n.Of < 50 {
		return Note{}
	}
	n.URLs, _ = p.pages(func(i int) bool { return p.show[i] })
	for i := range p.w.Pages {
		if p.show[i] {
			contents[p.contents[i]] = true
		}
	}
	n.Contents = len(contents)
	return n
}

func (p *plain) asked(i int) bool { return p.w.Clients[i] != 0 }

func (p *plain) oneClient() (best Note) {
	for bit := range 16 {
		n := Note{}
		n.Of, _ = p.pages(p.asked)
		n.URLs, _ = p.pages(func(i int) bool { return p.w.Clients[i] == 1<<bit })
		single := n.URLs == n.Of && n.Of > 0 && len(p.w.Pages) >= 10
		if single || n.Of >= 50 && float64(n.URLs) >= .9*float64(n.Of) {
			best = n
		}
	}
	return best
}

// tries returns the number of names that a client alone uses.
func (p *plain) tries(bit int) (n int) {
	users, catches := map[string]uint16{}, p.catchAll().URLs > 0
	for i := range p.w.Pages {
		if _, query, ok := strings.Cut(p.w.Pages[i].URL, "?"); ok {
			name, _, _ := strings.Cut(query, "=")
			users[name] |= p.w.Clients[i]
		}
		if catches && p.show[i] {
			users["/"+p.name(i)] |= p.w.Clients[i]
		}
	}
	for _, mask := range users {
		if mask == 1<<bit {
			n++
		}
	}
	return n
}

func (p *plain) suspects() (mask uint16) {
	var all uint16
	for _, m := range p.w.Clients {
		all |= m
	}
	var tries, sorted []int
	for bit := range 16 {
		tries = append(tries, p.tries(bit))
		if all&(1<<bit) != 0 {
			sorted = append(sorted, tries[bit])
		}
	}
	if slices.Sort(sorted); len(sorted) < 8 {
		return 0
	}
	for bit, n := range tries {
		if n >= 20 && n >= 4*sorted[(len(sorted)-1)/2] {
			mask |= 1 << bit
		}
	}
	if !p.w.NoSizes {
		mask |= p.triers(all)
	}
	return mask
}

var number = regexp.MustCompile("[0-9]+")

// triers returns the bits of clients that alone see few contents.
func (p *plain) triers(all uint16) (mask uint16) {
	var sorted []int
	var tried [16]int
	for bit := range 16 {
		forms := map[string]bool{}
		for i := range p.w.Pages {
			if p.contents[i] != "" && p.w.Clients[i] == 1<<bit {
				forms[number.ReplaceAllString(p.w.Pages[i].URL, "#")] = true
			}
		}
		if tried[bit] = len(forms); all>>bit&1 == 1 {
			sorted = append(sorted, len(forms))
		}
	}
	slices.Sort(sorted)
	for bit, n := range tried {
		if n >= 50 && n >= 4*sorted[(len(sorted)-1)/2] && p.seesLittle(bit) {
			mask |= 1 << bit
		}
	}
	return mask
}

// seesLittle reports whether nine tenths of what one client alone asks for are the five contents
// that most of it has, of which others see no more than half.
func (p *plain) seesLittle(bit int) bool {
	own, others := map[string]int{}, map[string]int{}
	all, rest := 0, 0
	for i, content := range p.contents {
		switch {
		case content == "":
		case p.w.Clients[i] == 1<<bit:
			own[content]++
			all++
		default:
			others[content]++
			rest++
		}
	}
	var counts []int
	for _, n := range own {
		counts = append(counts, n)
	}
	slices.Sort(counts)
	most := counts[max(0, len(counts)-5):]
	few, seen := 0, 0
	for _, n := range most {
		few += n
	}
	for content, n := range own {
		if n >= most[0] { // ties apart, which random windows seldom have
			seen += others[content]
		}
	}
	return 10*few >= 9*all && 2*seen <= rest
}

func (p *plain) scanned(i int) bool {
	for bit := range 16 {
		if p.w.Clients[i]>>bit&1 == 1 && p.scanners>>bit&1 == 0 {
			return false
		}
	}
	return p.asked(i)
}

func (p *plain) scanner() (n Note) {
	if n.Of, _ = p.pages(p.asked); n.Of < 50 || p.scanners == 0 {
		return Note{}
	}
	n.URLs, _ = p.pages(p.scanned)
	n.Clients = bits.OnesCount16(p.scanners)
	return n
}
