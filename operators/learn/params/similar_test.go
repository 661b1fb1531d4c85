package params

import (
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
)

const none, some, alike = 0, countable, countable | similar

func span(class uint8, lo, hi int64) evidence.Span {
	return evidence.Span{Class: class, Min: lo, Max: hi}
}
func digest(d int64) evidence.Span { return span(evidence.Digest, d, d) }

// TestGroupStates tests the corners of comparable and similar, in the index and the
// oracle: classes, digests, and both.
func TestGroupStates(t *testing.T) {
	type ev = evidence.Spans
	mixed := span(evidence.Digest, 1, 2)
	for _, c := range []struct {
		what      string
		tolerance float64
		members   []ev
		want      uint32
	}{
		{"one member", 0, []ev{worlds.Size(5)}, none},
		{"equal sizes", 0, []ev{worlds.Size(5), worlds.Size(5)}, alike},
		{"intervals that touch", 0, []ev{{span(0, 1, 5)}, {span(0, 5, 9)}}, alike},
		{"within the tolerance", 0.01, []ev{worlds.Size(99), worlds.Size(100)}, alike},
		{"not within it", 0.01, []ev{worlds.Size(98), worlds.Size(100)}, some},
		{"the largest of all is the measure", 0.01, []ev{worlds.Size(98), worlds.Size(100), {span(0, 98, 200)}}, alike},
		{"no common class", 0, []ev{{span(0, 5, 5)}, {span(1, 5, 5)}}, none},
		{"two of three share a class", 0, []ev{{span(0, 5, 5)}, {span(1, 5, 5)}, {span(1, 5, 5)}}, alike},
		{"one class of two differs", 0, []ev{{span(0, 5, 5), span(1, 1, 1)}, {span(0, 5, 5), span(1, 2, 2)}}, some},
		{"a class of one says nothing", 0, []ev{{span(0, 5, 5), span(1, 1, 1)}, worlds.Size(5)}, alike},
		{"equal digests overrule sizes", 0, []ev{{span(0, 5, 5), digest(1)}, {span(0, 9, 9), digest(1)}}, alike},
		{"unequal digests overrule sizes", 0, []ev{{span(0, 5, 5), digest(1)}, {span(0, 5, 5), digest(2)}}, some},
		{"digests alone", 0, []ev{{digest(1)}, {digest(1)}}, alike},
		{"a lone digest compares with nothing", 0, []ev{{digest(1)}, worlds.Size(5)}, none},
		{"one digest, sizes decide", 0, []ev{{span(0, 5, 5), digest(1)}, worlds.Size(5)}, alike},
		{"one digest, sizes differ", 0, []ev{{span(0, 5, 5), digest(1)}, worlds.Size(6)}, some},
		{"mixed digests are none", 0, []ev{{span(0, 5, 5), mixed}, {span(0, 5, 5), digest(2)}}, alike},
		{"mixed digests alone are no evidence", 0, []ev{{mixed}, {mixed}}, none},
		{"a plain member near both, which are far apart", 0.06, []ev{{span(0, 95, 95), digest(1)}, {span(0, 105, 105), digest(1)}, worlds.Size(100)}, alike},
		{"a plain member near one only", 0.1, []ev{{span(0, 50, 50), digest(1)}, {span(0, 105, 105), digest(1)}, worlds.Size(100)}, some},
		{"two plain members apart", 0, []ev{{span(0, 5, 5), digest(1)}, {digest(1)}, worlds.Size(5), worlds.Size(6)}, some},
	} {
		o := Options{Similarity: evidence.Similarity{Tolerance: c.tolerance}}
		if got := stateByIndex(o, c.members); got != c.want {
			t.Errorf("%s: index %#x, want %#x", c.what, got, c.want)
		}
		if got := stateByOracle(o, c.members); got != c.want {
			t.Errorf("%s: oracle %#x, want %#x", c.what, got, c.want)
		}
		o.Similarity.Off = true
		if got := stateByIndex(o, c.members); (got == alike) != (len(c.members) > 1) {
			t.Errorf("%s: with similarity off %#x", c.what, got)
		}
	}
}

// stateByIndex makes the members a group of n at the rest "/", which is a member.
func stateByIndex(o Options, members []evidence.Spans) uint32 {
	w := newWorld(o)
	for i, e := range members {
		w.Set([]string{"/", "/?n=1", "/?n=2", "/?n=3"}[i], e)
	}
	w.x.Likely()
	if id, ok := w.URLs.Lookup([]byte("/?n=1")); ok && w.x.rows[id] != 0 {
		return w.x.groups[w.x.nodes[w.x.rows[id]].group].mark & state
	}
	return none
}

func stateByOracle(o Options, members []evidence.Spans) uint32 {
	var known []evidence.Spans
	for _, e := range members {
		if New(o, urllist.New()).joins(e) {
			known = append(known, e)
		}
	}
	switch {
	case !comparableGroup(o, known):
		return none
	case !similarGroup(o, known):
		return some
	}
	return alike
}
