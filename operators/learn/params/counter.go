package params

// key is drop(n, scope) in words; 0 is the absence of a member. So the kinds of scope are
// (1) 0 0 0, (2) path 0 0, (3) 0 m v, (4) path m 0, (5) path m v.
type key struct{ n, path, m, v uint32 }

// counter counts the groups in the scope of its key.
type counter struct{ comparable, similar int32 }

// change returns the contribution of a group to its scopes when its state changes.
func change(was, now uint32) counter {
	return counter{
		comparable: bit(now&countable) - bit(was&countable),
		similar:    bit(now&similar) - bit(was&similar),
	}
}

func bit(b uint32) int32 {
	if b != 0 {
		return 1
	}
	return 0
}

// apply adds d to the counters of all scopes of a group (n, rest). x.q is one of the
// group's holders.
func (x *Index) apply(n int, d counter) {
	x.total.comparable += d.comparable
	x.total.similar += d.similar
	k := key{n: x.words.id(x.q.Name(n))}
	x.bump(k, d)
	k.path = x.words.id(x.q.Path())
	x.bump(k, d)
	for m := range x.q.Names() {
		if m != n {
			x.applyParam(k, m, d)
		}
	}
}

func (x *Index) applyParam(k key, m int, d counter) {
	k.m = x.words.id(x.q.Name(m))
	x.bump(k, d)
	if !x.q.Valued(m) {
		return
	}
	v := x.values[string(x.q.Name(m))]
	v.demand += int(d.comparable)
	x.idle = x.idle || v.demand == 0
	if v.counted {
		x.applyValues(k, m, d)
	}
}

// applyValues adds d to the counters of the values of m. k holds n, path and m.
func (x *Index) applyValues(k key, m int, d counter) {
	for p := range x.q.Values(m) {
		k.v = x.words.id(x.q.ValueOf(p))
		x.bump(k, d)
		x.bump(key{n: k.n, m: k.m, v: k.v}, d)
	}
}

// bump adds d to a counter and updates x.likely. A counter exists while its scope has
// comparable groups.
func (x *Index) bump(k key, d counter) {
	c, old := x.counters[k]
	if !old {
		x.hold(k)
	}
	was := old && x.isLikely(c)
	c.comparable += d.comparable
	c.similar += d.similar
	if is := x.isLikely(c); is != was {
		x.setLikely(k, is)
	} else if is {
		x.stale = true
	}
	if c.comparable == 0 {
		delete(x.counters, k)
		x.release(k)
		return
	}
	x.counters[k] = c
}

func (x *Index) isLikely(c counter) bool {
	return int(c.similar) >= x.o.MinSupport && 10*int64(c.similar) >= 9*int64(c.comparable)
}

func (x *Index) setLikely(k key, is bool) {
	x.stale = true
	if is {
		x.likely[k] = struct{}{}
	} else {
		delete(x.likely, k)
	}
}

func (x *Index) hold(k key) {
	x.words.hold(k.n)
	x.words.hold(k.path)
	x.words.hold(k.m)
	x.words.hold(k.v)
}

func (x *Index) release(k key) {
	x.words.release(k.n)
	x.words.release(k.path)
	x.words.release(k.m)
	x.words.release(k.v)
}
