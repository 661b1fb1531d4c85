package weight

import (
	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// probe finds the instances of a pair by one token of one of its sides.
type probe struct {
	pair    dust.Pair // Alpha is the side that is looked for; it need not be the larger
	swapped bool      // Beta is the side of u1
	token   string    // the rarest token of the pair
	offset  int       // of the token in Alpha
}

// place is an occurrence of a token.
type place struct {
	url uint32
	at  uint32 // bytes before the token
}

// eachSubstring weighs the substring rules.
func (w *Weigher) eachSubstring(rules []rule.Likely) {
	probes := map[int]*probe{}
	counts := map[string]int{}
	for i := range rules {
		if rules[i].Rule.Kind == rule.Substring {
			probes[i] = newProbe(&rules[i].Rule)
			probes[i].each(func(token string, _ bool, _ int) { counts[token] = 0 })
		}
	}
	if len(probes) == 0 {
		return
	}
	w.count(counts)
	places := map[string][]place{}
	for _, p := range probes {
		p.choose(counts)
		if places[p.token] == nil {
			places[p.token] = make([]place, 0, counts[p.token])
		}
	}
	w.find(places)
	for i := range rules {
		if p := probes[i]; p != nil && !w.stopped {
			w.instances(p, places[p.token])
			w.set(&rules[i])
		}
	}
}

func newProbe(r *rule.Rule) *probe {
	return &probe{pair: r.Pair()}
}

// each calls f with each token of both sides.
func (p *probe) each(f func(token string, swapped bool, offset int)) {
	for side, text := range [2]string{p.pair.Alpha, p.pair.Beta} {
		for at := 0; at < len(text); {
			end := dust.TokenEnd(text, at)
			f(text[at:end], side == 1, at)
			at = end
		}
	}
}

// choose chooses the rarest token.
func (p *probe) choose(counts map[string]int) {
	least := -1
	swapped := false
	p.each(func(token string, second bool, offset int) {
		if n := counts[token]; least < 0 || n < least {
			least, p.token, p.offset, swapped = n, token, offset, second
		}
	})
	if p.swapped = swapped; swapped {
		p.pair.Alpha, p.pair.Beta = p.pair.Beta, p.pair.Alpha
	}
}

// count counts the occurrences of the given tokens.
func (w *Weigher) count(counts map[string]int) {
	w.tokens(func(_ uint32, url string, from, to int) {
		if n, ok := counts[url[from:to]]; ok {
			counts[url[from:to]] = n + 1
		}
	})
}

// find finds the occurrences of the given tokens.
func (w *Weigher) find(places map[string][]place) {
	w.tokens(func(id uint32, url string, from, to int) {
		if all, ok := places[url[from:to]]; ok {
			places[url[from:to]] = append(all, place{id, uint32(from)})
		}
	})
}

// tokens calls f with each token of each URL.
func (w *Weigher) tokens(f func(id uint32, url string, from, to int)) {
	for id := range w.all {
		if w.stops(1) {
			return
		}
		url := w.all[id].URL
		for at := 0; at < len(url); {
			end := dust.TokenEnd(url, at)
			f(uint32(id), url, at, end)
			at = end
		}
	}
}

// instances samples the instances of a pair that can be compared.
func (w *Weigher) instances(p *probe, places []place) {
	w.sample.reset()
	for _, at := range places {
		if w.stops(1) {
			return
		}
		start := int(at.at) - p.offset
		if start < 0 {
			continue
		}
		var ok bool
		if w.buf, ok = p.pair.ReplaceAt(w.buf[:0], []byte(w.url(at.url)), start); !ok {
			continue
		}
		other, listed := w.number(w.buf)
		if !listed {
			continue
		}
		u, v := at.url, other
		if p.swapped {
			u, v = v, u
		}
		if pair, ok := w.pair(u, v); ok {
			w.sample.add(pair)
		}
	}
}
