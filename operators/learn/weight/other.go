package weight

import "dustbuster/operators/rule"

// eachOther weighs the rules that are neither substring rules nor drops.
func (w *Weigher) eachOther(rules []rule.Likely) {
	for i := range rules {
		if k := rules[i].Rule.Kind; k == rule.Substring || k == rule.Drop {
			continue
		}
		w.sample.reset()
		for id := range w.all {
			if w.stops(1) {
				return
			}
			w.edited(&rules[i].Rule, uint32(id))
		}
		w.set(&rules[i])
	}
}

// edited samples the pair of a URL and the URL that the rule makes of it.
func (w *Weigher) edited(r *rule.Rule, id uint32) {
	out, changed := r.Apply(w.buf[:0], []byte(w.url(id)))
	if !changed {
		return
	}
	w.buf = out
	if other, ok := w.number(out); ok && other != id {
		if p, ok := w.pair(id, other); ok {
			w.sample.add(p)
		}
	}
}
