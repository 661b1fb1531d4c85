package public

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// asked is a URL with the mask of its clients.
type asked struct {
	url     string
	clients uint16
}

func kindsOf(window []asked) *Kinds {
	return New([2]uint64{1, 2}, len(window), func(yield func(string, uint16) bool) {
		for _, a := range window {
			if !yield(a.url, a.clients) {
				return
			}
		}
	})
}

func TestNothing(t *testing.T) {
	k := kindsOf(nil)
	for _, c := range []struct {
		url  string
		want bool
	}{{"/x", false}, {"/", true}, {"/x.png", true}, {"/x.html", true}} {
		if k.Asked(c.url) != c.want {
			t.Errorf("without URLs, %s may be asked for: %v", c.url, !c.want)
		}
	}
}

func TestAsked(t *testing.T) {
	window := []asked{
		{"/story/1", 1}, {"/story/2", 2}, {"/story/3", 1 << 15}, // a kind of three clients
		{"/job/1/stop", 1}, {"/job/2/stop", 3},
		{"/q?a=1", 0}, {"/one.html", 1}, {"/two.html", 3},
	}
	for i := range 3 { // clicks on three pages, from three clients; many look at a page, and two act
		window = append(window, asked{fmt.Sprintf("/p%d?utm_source=mail", i), 1 << i}, asked{fmt.Sprintf("/p%d?gclid=%d00000", i, i), 1 << i},
			asked{fmt.Sprintf("/p%d", i), 7}, asked{"/list?do=show", 7}, asked{"/list?do=draftdel", 3}, asked{"/list?task=170", 3}, asked{"/list?id=170", 7})
	}
	for i := range 16 {
		window = append(window, asked{fmt.Sprintf("/buy/%d?dry=1", i), 1 << i}, asked{fmt.Sprintf("/p%d?id=%d", i, 100+i), 1 << i}, asked{fmt.Sprintf("/buy/%d?dry=1&id=%d", i, 100+i), 1 << i})
	}
	window = append(window, asked{"/buy/7", 1}, asked{"/buy/7?id=170", 1})
	for i := range 30 { // a wiki of few readers, and links to unsubscribe
		window = append(window, asked{fmt.Sprintf("/wiki/Page%c", 'a'+i), 1<<(i%16) | 1<<(i*7%16)}, asked{fmt.Sprintf("/unsubscribe/name%c", 'a'+i), 1 << (i % 16)})
	}
	k := kindsOf(window)
	for _, c := range []struct {
		name, url string
		want      bool
	}{
		{"a kind of many", "/story/77", true},
		{"with a slash", "/story/1/", true},
		{"its directory", "/story", false},
		{"with a parameter that nobody gave", "/story/1?x", false},
		{"an action of two", "/job/1/stop", false},
		{"no client", "/q?a=1", false},
		{"a page of one", "/one.html", false},
		{"a page of two", "/two.html", true},
		{"parts of many on a page of many", "/story/1?utm_source=mail&gclid=9", true},
		{"another word", "/story/1?utm_source=print", false},
		{"a dispatcher shows", "/list?do=show", true},
		{"and acts", "/list?do=draftdel", false},
		{"and acts, encoded", "/list?do=draft%64el", false},
		{"and acts by number", "/list?task=170", false},
		{"a number", "/list?id=171", true},
		{"a page of a long tail", "/wiki/Other", true},
		{"in it, what nobody asked for", "/wiki/Other?purge", false},
		{"a link to each client", "/unsubscribe/other", false},
		{"a path parameter of an action", "/story/1;action=empty", false},
		{"an order that is public as a dry run", "/buy/7", false},
		{"the same, by its parts", "/buy/7?id=170", false},
		{"the dry run", "/buy/8?dry=1", true},
		{"with a public part", "/buy/8?dry=1&gclid=900000", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := k.Asked(c.url); got != c.want {
				t.Errorf("%s may be asked for: %v", c.url, got)
			}
		})
	}
	k.Allow([]string{"x", "utm_source=print"})
	for _, c := range []struct {
		url  string
		want bool
	}{{"/story/1?x=12345", true}, {"/story/1?x=delete", false}, {"/story/1?utm_source=print", true}, {"/job/1/stop?x=12345", false}} {
		if k.Asked(c.url) != c.want {
			t.Errorf("after x and utm_source=print were allowed, %s may be asked for: %v", c.url, !c.want)
		}
	}
}

// A parameter may be left out unless it may guard an action.
func TestLeftOut(t *testing.T) {
	var window []asked
	for i := range 16 {
		window = append(window,
			asked{fmt.Sprintf("/order?item=%d&dry=1", i), 1 << i},
			asked{fmt.Sprintf("/order?item=%d&token=%d", i, 1000*i), 1 << i},
			asked{fmt.Sprintf("/order?item=%d&forged=%d", i, 1000*i), 1},
			asked{fmt.Sprintf("/order?item=%d&guard=1", i), 1 << i},
			asked{fmt.Sprintf("/order?item=%d&guard=%d", i, 1000*i), 1 << 3},
			asked{fmt.Sprintf("/order?item=%d&shared=%d", i, 1000*i), 1 | 2<<(i%14)},
			asked{fmt.Sprintf("/order?item=%d&mostly=%d", i, i/12*i), 1 << i},
			asked{fmt.Sprintf("/try?item=%d&dry=1", i), 1 << i},
			asked{fmt.Sprintf("/seen?ref=%d&k=1", i), 1 << i})
	}
	window = append(window, asked{"/seen?k=1", 3}, asked{"/alone?sid=7", 1})
	k := kindsOf(window)
	for _, c := range []struct {
		name, v, u string
		want       bool
	}{
		{"a guard", "/order?item=7", "/order?item=7&dry=1", false},
		{"many values of many clients", "/order?item=7", "/order?item=7&token=7", true},
		{"and a guard", "/order?item=7", "/order?item=7&dry=1&token=7", false},
		{"many values of one client", "/order?item=7", "/order?item=7&forged=7", false},
		{"a guard to which one client gave many values", "/order?item=7", "/order?item=7&guard=7", false},
		{"many values that one client knows beside others", "/order?item=7", "/order?item=7&shared=7", true},
		{"a value of most URLs", "/order?item=7", "/order?item=7&mostly=7", false},
		{"two asked for it", "/seen?k=1", "/seen?k=1&ref=never", true},
		{"on a page of one client", "/alone", "/alone?token=7", false},
		{"an order that is public as a dry run", "/try?item=7", "/try?item=7&dry=1", false},
		{"syntax alone", "/Order//?item=7", "/order?item=7", true},
		{"something else", "/order?item=8", "/order?item=7&token=7", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := k.Leads(c.v, c.u); got != c.want {
				t.Errorf("%s follows from %s: %v", c.v, c.u, got)
			}
		})
	}
}

// A URL may lack a value in its path to which the public gives several values, and its mark.
func TestWithout(t *testing.T) {
	var window []asked
	for i, client := range []uint16{1, 2, 4, 8} {
		for _, a := range []asked{
			{"/s/123%d/catalog/7?page=2", client},
			{"/s/7f3a9c2%d/catalog/7?sid=x", client},
			{"/123%d/about/us", client},
			{"/12%d/about/them", client},    // short
			{"/few/1234/about", client},     // one value
			{"/job/123%d/rebuild", 1},       // one client
			{"/item/123%d", client},         //
			{"/item/123%d/", client},        //
			{"h.example/123%d/a/b", client}, //
		} {
			a.url = strings.ReplaceAll(a.url, "%d", string(rune('5'+i)))
			window = append(window, a)
		}
	}
	k := kindsOf(window)
	for _, c := range []struct {
		v, u string
		want bool
	}{
		{"/s/catalog/7?page=2", "/s/1235/catalog/7?page=2", true},
		{"/catalog/7?page=2", "/s/1235/catalog/7?page=2", true},
		{"/catalog/9?page=2", "/s/12345/catalog/9?page=2", true},  // another value, of a public kind
		{"/catalog/9?page=2", "/s/12345/catalog/7?page=2", false}, // another page
		{"/Catalog//7?page=2", "/s/1235/catalog/7?page=2", true},  // and syntax
		{"/catalog/7", "/s/1235/catalog/7?page=2", false},         // and a parameter of one value
		{"/catalog/7?new=1", "/s/1235/catalog/7?page=2", false},
		{"/7?page=2", "/s/1235/catalog/7?page=2", false},                 // more than the mark
		{"/s/1235/7?page=2", "/s/1235/catalog/7?page=2", false},          // no value
		{"/s/1235/catalog?page=2", "/s/1235/catalog/1234?page=2", false}, // what the page is of
		{"/catalog/7?sid=x", "/s/7f3a9c25/catalog/7?sid=x", true},
		{"/catalog/7", "/s/7f3a9c25/catalog/7?other=x", false}, // of another kind
		{"/about/us", "/1235/about/us", true},
		{"/us", "/1235/about/us", false},
		{"/about/them", "/125/about/them", false},
		{"/few/about", "/few/1234/about", false},
		{"/job/rebuild", "/job/1235/rebuild", false},
		{"/rebuild", "/job/1235/rebuild", false},
		{"/item", "/item/1235", false},
		{"/item", "/item/1235/", false},
		{"h.example/a/b", "h.example/1235/a/b", true},
		{"other.example/a/b", "h.example/1235/a/b", false},
		{"/a/b", "h.example/1235/a/b", false},
		{"/s/1235/catalog/7?page=2", "/s/catalog/7?page=2", false}, // the other way round
	} {
		if k.without(c.v, c.u) != c.want {
			t.Errorf("%s is %s without a value: %v", c.v, c.u, !c.want)
		}
	}
}

// plain is the definition, written down with maps of texts.
type plain struct{ window []asked }

func (p plain) mask(is func(url string) bool) (mask uint16) {
	for _, a := range p.window {
		if is(a.url) {
			mask |= a.clients
		}
	}
	return mask
}

func (p plain) isTail(dir string) bool {
	children := map[string]uint16{}
	for _, a := range p.window {
		if d, child, _ := pageOf(a.url); d == dir && !hasParts(a.url) {
			children[child] |= a.clients
		}
	}
	all, two, three := uint16(0), 0, 0
	for _, m := range children {
		all |= m
		if n := bits.OnesCount16(m); n >= 3 {
			two, three = two+1, three+1
		} else if n == 2 {
			two++
		}
	}
	return len(children) >= 30 && bits.OnesCount16(all) >= 3 && 3*two >= len(children) && 2*three < len(children)
}

// within is the mask of those who asked for the page of a URL with no other parts.
func (p plain) within(url string) uint16 {
	path, parts := kindOf(url)
	return p.mask(func(other string) bool {
		q, some := kindOf(other)
		return q == path && !slices.ContainsFunc(some, func(part string) bool { return !slices.Contains(parts, part) })
	})
}

func (p plain) isBare(url string) bool {
	dir, _, _ := pageOf(url)
	return Bare(url) && (!isHTML(url) || bits.OnesCount16(p.mask(func(string) bool { return true })) < 2 || p.ofKind(url) >= 2 || p.isTail(dir))
}

func (p plain) isPagePublic(url string) bool {
	dir, _, _ := pageOf(url)
	return p.isBare(pathOf(url)) || bits.OnesCount16(p.within(url)) >= 3 || p.isTail(dir)
}

func (p plain) isPartPublic(text string) bool {
	pages, mask := map[string]bool{}, uint16(0)
	for _, a := range p.window {
		for q := range partsOf(a.url) {
			if q.text == text {
				_, _, page := pageOf(a.url)
				pages[page] = true
				mask |= a.clients
			}
		}
	}
	return len(pages) >= 3 && bits.OnesCount16(mask) >= 3
}

func (p plain) ofKind(url string) int {
	return bits.OnesCount16(p.mask(func(other string) bool { return Kind(other) == Kind(url) }))
}

func (p plain) asked(url string) bool {
	if p.isBare(url) || p.ofKind(url) >= 3 {
		return true
	}
	path, parts := kindOf(url)
	for _, a := range p.window { // of a public kind, but for public parts
		q, some := kindOf(a.url)
		if q != path || p.ofKind(a.url) < 3 || slices.ContainsFunc(some, func(part string) bool { return !slices.Contains(parts, part) }) {
			continue
		}
		if !slices.ContainsFunc(parts, func(part string) bool { return !slices.Contains(some, part) && !p.isPartPublic(part) }) {
			return true
		}
	}
	return p.isPagePublic(url) && !slices.ContainsFunc(parts, func(part string) bool { return !p.isPartPublic(part) })
}

func (p plain) isVaried(name string) bool {
	masks, urls, all, mask := map[string]uint16{}, map[string]int{}, 0, uint16(0)
	for _, a := range p.window {
		for q := range partsOf(a.url) {
			if q.name == name {
				masks[q.value] |= a.clients
				urls[q.value]++
				all++
				mask |= a.clients
			}
		}
	}
	for bit := range 16 {
		n := 0
		for _, m := range masks {
			if m == 1<<bit {
				n++
			}
		}
		if 2*n > len(masks) {
			return false
		}
	}
	for _, n := range urls {
		if 2*n > all {
			return false
		}
	}
	return len(masks) >= 8 && bits.OnesCount16(mask) >= 3
}

func (p plain) isHarmless(v, u string) bool {
	left := namesLeftOut(v, u)
	return len(left) == 0 || p.ofKind(v) >= 2 || p.asked(v) || p.isPagePublic(normal(u)) && !slices.ContainsFunc(left, func(n string) bool { return !p.isVaried(n) })
}

func checkPlain(t *testing.T, window []asked) {
	t.Helper()
	k, p := kindsOf(window), plain{window}
	for i, a := range window {
		if got, want := k.Asked(a.url), p.asked(a.url); got != want {
			t.Fatalf("%s may be asked for: %v, by the definition %v; window %v", a.url, got, want, window)
		}
		v := pathOf(a.url)
		if got, want := k.isHarmless(v, a.url), p.isHarmless(v, a.url); got != want {
			t.Fatalf("%s follows from %s: %v, by the definition %v; window %v", v, a.url, got, want, window)
		}
		if u := window[len(window)-1-i].url; k.isBare(u) != p.isBare(u) || k.isPagePublic(u) != p.isPagePublic(u) {
			t.Fatalf("%s: bare %v, public page %v; window %v", u, k.isBare(u), k.isPagePublic(u), window)
		}
	}
}

// Small worlds of few names, in which all bounds are near.
func TestPlainDefinition(t *testing.T) {
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 1))
		pick := func(all ...string) string { return all[rng.IntN(len(all))] }
		window := make([]asked, 10+rng.IntN(110))
		clients := 1 + rng.IntN(16)
		for i := range window {
			url := pick("/wiki/", "/", "/a/", "/7/") + pick("x", "y", "x.html", fmt.Sprintf("p%c%c", 'a'+rng.IntN(26), 'a'+rng.IntN(26)), "s.css", fmt.Sprint(rng.IntN(99)))
			for range rng.IntN(3) {
				url += pick("?", "&", ";", "&") + pick("do=", "sid=", "ref=", "", "q=") + pick("go", "", fmt.Sprint(rng.IntN(9)), fmt.Sprint(rng.IntN(99)), "%61b")
			}
			window[i] = asked{url, 1 << rng.IntN(clients)}
			if rng.IntN(3) == 0 {
				window[i].clients |= 1 << rng.IntN(clients)
			}
		}
		checkPlain(t, window)
	}
}

func FuzzPlainDefinition(f *testing.F) {
	f.Add("/a?b=1\n/a?b=2\n/c;d=e?f", uint64(3))
	f.Fuzz(func(t *testing.T, urls string, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var window []asked
		for url := range strings.FieldsSeq(urls) {
			if window = append(window, asked{url, uint16(rng.Uint32())}); len(window) == 40 {
				break
			}
		}
		checkPlain(t, window)
	})
}

// A flood of names and values of one client makes nothing public, hides nothing, and takes no more room
// than the URLs.
func TestFlood(t *testing.T) {
	var window []asked
	for i := range 200 {
		window = append(window, asked{fmt.Sprintf("/p%d", i%20), 1 << (i % 16)}, asked{fmt.Sprintf("/p%d?sid=%d", i%20, i), 1 << (i % 16)})
	}
	real := len(window)
	for i := range 2000 {
		url := fmt.Sprintf("/f%d?", i)
		for n := range 40 {
			url += fmt.Sprintf("n%dx%d=%d&", i, n, i*n)
		}
		window = append(window, asked{url, 1})
	}
	k := kindsOf(window)
	for _, a := range window[:real] {
		if !k.Asked(a.url) || !k.isHarmless(pathOf(a.url), a.url) {
			t.Fatalf("%s is not public any more", a.url)
		}
	}
	for _, a := range window[real:] {
		if k.Asked(a.url) {
			t.Fatalf("%s is public", a.url)
		}
	}
	kept := 10*len(k.kinds.keys) + 8*(len(k.tails)+len(k.parts)+len(k.varied)+len(k.places))
	if kept > 32*len(window) {
		t.Errorf("the tables take %d bytes for %d URLs", kept, len(window))
	}
	f := &fold{most: leastKept}
	for i := range 1 << 16 {
		f.add(entry{key: uint64(i), clients: 1})
		f.add(entry{key: 7, sub: uint64(i % 50), clients: 1 << (i % 16)})
		if cap(f.all) > 8*leastKept {
			t.Fatalf("%d entries are kept", cap(f.all))
		}
	}
	found := false
	for r := range f.runs() {
		found = found || r.key() == 7 && len(r) == 50 && Several(r.clients())
	}
	if !found {
		t.Error("what many asked for left")
	}
}

func BenchmarkNew(b *testing.B) {
	var window []asked
	for i := range 100000 {
		window = append(window, asked{fmt.Sprintf("/catalog/%d/item-of-shop?sid=%x&page=%d", i%300, i*7919, i%40), 1 << (i % 16)})
	}
	for b.Loop() {
		kindsOf(window)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(window)), "ns/url")
}
