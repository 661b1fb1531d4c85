package public

import (
	"iter"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/dchest/siphash"
)

// Least is the number of bits in a mask of clients from which on a kind is public. Two
// clients of one bit look like one, so a kind may need more than three clients.
const Least = 3

// Several reports whether a mask of clients is of at least Least clients, so that what they
// asked for is public, if clients can be told apart.
func Several(clients uint16) bool { return bits.OnesCount16(clients) >= Least }

// Count returns the number of clients of a mask, at most Least.
func Count(clients uint16) int { return min(bits.OnesCount16(clients), Least) }

// two reports whether a mask is of two clients or more.
func two(clients uint16) bool { return clients&(clients-1) != 0 }

// Kinds tells which URLs the public of a site asks for. It is immutable but for Allow, and its methods
// may be called by several goroutines. The zero Kinds is that of a window without URLs.
type Kinds struct {
	key     [2]uint64
	kinds   table           // bits of clients by kind
	tails   set             // directories with a long tail
	parts   set             // public parts
	varied  set             // names of parameters that guard nothing
	alike   bool            // clients cannot be told apart
	places  set             // of values in the paths of a kind that the public varies
	allowed map[string]bool // parts that an operator made public
}

// New returns the kinds of a window of n URLs, each with the mask of its clients, which are read several
// times. The key is that of the hashes, so that nobody can find two names of one hash.
func New(key [2]uint64, n int, urls iter.Seq2[string, uint16]) *Kinds {
	k := &Kinds{key: key}
	each := func(take func(f *fold, url string, clients uint16)) *fold {
		f := &fold{most: max(leastKept, 2*n)}
		for url, clients := range urls {
			take(f, url, clients)
		}
		return f
	}
	all := uint16(0)
	for r := range each(k.takeKind).runs() {
		k.kinds.add(r.key(), r.clients())
		all |= r.clients()
	}
	k.alike = !two(all)
	k.kinds.clip()
	k.tails = setIf(each(k.takeChild), run.isLongTail)
	k.parts = setIf(each(k.takeParts), func(r run) bool { return Several(r.clients()) && len(r) >= leastPages })
	k.varied = setIf(each(k.takeValues), run.isVaried)
	k.places = setIf(each(k.takePlaces), func(r run) bool { return len(r) >= Least })
	return k
}

// Bounds of what is public.
const (
	leastPages   = 3  // on which clients ask for a public part
	leastTail    = 30 // pages of a directory with a long tail
	leastValues  = 8  // of a parameter that guards nothing
	mostTailPart = 3  // of the pages of a tail, at least one in so many has two bits
)

func (k *Kinds) takeKind(f *fold, url string, clients uint16) {
	f.add(entry{key: k.hash(Kind(url)), clients: clients})
}

// takeChild takes in a page of a directory, by a URL without parts: that somebody asked for /order?dry=1 says nothing
// of /order. A number or a title of a public kind needs no tail.
func (k *Kinds) takeChild(f *fold, url string, clients uint16) {
	dir, child, _ := pageOf(url)
	if !hasParts(url) && (shape(child) == child || !Several(k.kinds.of(k.hash(Kind(url))))) {
		f.add(entry{key: k.hash(dir), sub: k.hash(child), clients: clients})
	}
}

func (k *Kinds) takeParts(f *fold, url string, clients uint16) {
	page := uint64(0)
	for p := range partsOf(url) {
		if page == 0 {
			page = k.hash(Page(url))
		}
		f.add(entry{key: k.hash(p.text), sub: page, clients: clients})
	}
}

func (k *Kinds) takeValues(f *fold, url string, clients uint16) {
	for p := range partsOf(url) {
		f.add(entry{key: k.hash(p.name), sub: k.hash(p.value), clients: clients, urls: 1})
	}
}

func (k *Kinds) takePlaces(f *fold, url string, clients uint16) {
	kind := ""
	for i, value := range Values(url) {
		if kind == "" {
			kind = Kind(url)
		}
		f.add(entry{key: k.placeOf(kind, i), sub: k.hash(value), clients: clients})
	}
}

func (k *Kinds) hash(text string) uint64 {
	var room [256]byte // longer texts are copied to the heap
	return siphash.Hash(k.key[0], k.key[1], append(room[:0], text...))
}

// placeOf returns the hash of a place in the path of a kind: a segment, counted from 0.
func (k *Kinds) placeOf(kind string, segment int) uint64 {
	return k.hash(strconv.Itoa(segment) + kind)
}

// isLongTail reports whether few of many pages of a directory are asked for by many clients, while all
// together are, and a good part by two clients.
func (r run) isLongTail() bool {
	popular, second := 0, 0
	for _, e := range r {
		if Several(e.clients) {
			popular++
		}
		if two(e.clients) {
			second++
		}
	}
	return len(r) >= leastTail && Several(r.clients()) && 2*popular < len(r) && mostTailPart*second >= len(r)
}

// isVaried reports whether the values of a name are so many, and of so many clients, that none of them
// guards an action: no client alone gave more than half of the values, and no value is that of more than half
// of the URLs. A client who gave most values beside others does no harm.
func (r run) isVaried() bool {
	var alone [16]int // by bit: the values of that bit alone
	all, most := 0, 0
	for _, e := range r {
		all, most = all+int(e.urls), max(most, int(e.urls))
		if e.clients != 0 && !two(e.clients) {
			alone[bits.TrailingZeros16(e.clients)]++
		}
	}
	return len(r) >= leastValues && Several(r.clients()) && 2*slices.Max(alone[:]) <= len(r) && 2*most <= all
}

// Allow makes parts public that an operator named: a name, for values that are no words, or name=value for
// a word. It must be called before the other methods.
func (k *Kinds) Allow(parts []string) {
	k.allowed = map[string]bool{}
	for _, text := range parts {
		for p := range partsOf("/?" + text) {
			if !strings.Contains(text, "=") {
				p.text = p.name
			}
			k.allowed[p.text] = true
		}
	}
}

// Asked reports whether a URL may be asked for by itself: it is bare, or its kind is public, but for some public parts, or
// its page and all its parts are. O(bytes), and a lookup for each subset of at most six parts.
func (k *Kinds) Asked(url string) bool {
	if k.isBare(url) {
		return true
	}
	path, parts := kindOf(url)
	if Several(k.kinds.of(k.hash(join(path, parts)))) {
		return true
	}
	isPublic, some := make([]bool, len(parts)), false
	all := true
	for i, text := range parts {
		isPublic[i] = k.isPartPublic(text)
		all, some = all && isPublic[i], some || isPublic[i]
	}
	return all && k.isPublicWith(url, path, parts) || some && k.isMore(path, parts, isPublic)
}

// isMore reports whether some parts make a public kind, and the others are public: /list?page=2&gclid=7 is /list?page=2 and
// a click.
func (k *Kinds) isMore(path string, parts []string, isPublic []bool) bool {
	for some := range subsets(parts) {
		if !Several(k.kinds.of(k.hash(join(path, some)))) {
			continue
		}
		at := 0 // the subset is in the order of the parts
		for i, text := range parts {
			if at < len(some) && some[at] == text {
				at++
			} else if !isPublic[i] {
				at = -1
				break
			}
		}
		if at == len(some) {
			return true
		}
	}
	return false
}

func (k *Kinds) isPartPublic(text string) bool { return k.allowed[text] || k.parts.has(k.hash(text)) }

// Known reports whether a URL is bare, or some URL of the window is of its kind. O(bytes).
func (k *Kinds) Known(url string) bool { return Bare(url) || k.kinds.has(k.hash(Kind(url))) }

// isBare reports whether a URL shows a page or a file and does nothing else. If clients can be told apart, a
// page must be asked for by two, or lie in a long tail: scripts of some devices end in .html as well.
func (k *Kinds) isBare(url string) bool {
	if !Bare(url) || !isHTML(url) || k.alike {
		return Bare(url)
	}
	return two(k.kinds.of(k.hash(Kind(url)))) || k.isInTail(url)
}

// isInTail reports whether the page of a URL lies in a long tail.
func (k *Kinds) isInTail(url string) bool {
	dir, _, _ := pageOf(url)
	return k.tails.has(k.hash(dir))
}

func isHTML(path string) bool {
	path = strings.ToLower(path)
	return strings.HasSuffix(path, ".html") || strings.HasSuffix(path, ".htm") || strings.HasSuffix(path, ".xhtml")
}

// isPagePublic reports whether the page of a URL is public by what is asked for with no other parts than those of
// the URL: an order that is public with dry=1 is not public without.
func (k *Kinds) isPagePublic(url string) bool {
	path, parts := kindOf(url)
	return k.isPublicWith(url, path, parts)
}

// isPublicWith is isPagePublic of a URL of a kind.
func (k *Kinds) isPublicWith(url, path string, parts []string) bool {
	return k.isBare(pathOf(url)) || k.isInTail(url) || Several(k.within(path, parts))
}

// within returns the clients of a page that gave some of a URL's parts, and no others.
func (k *Kinds) within(path string, parts []string) (clients uint16) {
	for some := range subsets(parts) {
		clients |= k.kinds.of(k.hash(join(path, some)))
	}
	return clients
}

// mostParts is the number of parts of which all subsets are looked up. Of more parts those of two at most are, and those
// that lack two at most.
const mostParts = 6

// subsets yields the subsets of a list, each valid until the next, and of a long list the small ones and the large ones.
func subsets(parts []string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		n := len(parts)
		var some []string
		take := func(in func(i int) bool) bool {
			some = some[:0]
			for i := range n {
				if in(i) {
					some = append(some, parts[i])
				}
			}
			return yield(some)
		}
		if n <= mostParts {
			for set := range 1 << n {
				if !take(func(i int) bool { return set>>i&1 != 0 }) {
					return
				}
			}
			return
		}
		for a := range n {
			for b := range a + 1 {
				if !take(func(i int) bool { return i == a || i == b }) || !take(func(i int) bool { return i != a && i != b }) {
					return
				}
			}
		}
		_ = take(func(int) bool { return false }) && take(func(int) bool { return true })
	}
}

// pathOf returns a mined string without its query and path parameters.
func pathOf(url string) string {
	path, _, _ := strings.Cut(url, "?")
	if !strings.Contains(path, ";") {
		return path
	}
	var out []string
	for segment := range strings.SplitSeq(path, "/") {
		segment, _, _ = strings.Cut(segment, ";")
		out = append(out, segment)
	}
	return strings.Join(out, "/")
}

// Leads reports whether v, which nobody asked for, asks for no more than u: u may be asked for, and v is u in
// another syntax, or without a value in the path that the public varies, and perhaps without parameters that
// guard nothing. O(bytes) for each value in the path of u.
func (k *Kinds) Leads(v, u string) bool {
	return Follows(v, u) && k.isHarmless(v, u) || k.without(v, u)
}

// isHarmless reports whether the parameters that v lacks of u guard nothing.
func (k *Kinds) isHarmless(v, u string) bool {
	left := namesLeftOut(v, u)
	switch {
	case len(left) == 0 || two(k.kinds.of(k.hash(Kind(v)))) || k.Asked(v):
		return true
	case !k.isPagePublic(normal(u)):
		return false
	}
	return !slices.ContainsFunc(left, func(name string) bool { return !k.varied.has(k.hash(name)) })
}

// namesLeftOut returns the names, in shape, of the parameters that v lacks of u.
func namesLeftOut(v, u string) (names []string) {
	kept := map[part]int{}
	for p := range partsOf(normal(v)) {
		kept[p]++
	}
	for p := range partsOf(normal(u)) {
		if kept[p]--; kept[p] < 0 {
			names = append(names, p.name)
		}
	}
	return names
}

// Lacks returns the parts of a URL that would have to be public for the URL to be asked: names, or name=value. nil: the URL
// may be asked, or its page is not public, so that no part helps. O(bytes).
func (k *Kinds) Lacks(url string) (parts []string) {
	if k.Asked(url) || !k.isPagePublic(url) {
		return nil
	}
	for p := range partsOf(url) {
		if !k.isPartPublic(p.text) {
			parts = append(parts, p.text)
		}
	}
	return parts
}
