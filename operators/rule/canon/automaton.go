package canon

import (
	"hash/maphash"
	"slices"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/dust"
)

// automaton finds, in one pass over a URL, the rules whose trigger is in it (Aho and
// Corasick 1975, over letters). State 0 is the root.
type automaton struct {
	edges  edges
	states []state  // and one more, for the end of the last state's slots
	slots  []uint32 // by state of their trigger, ascending in each
}

// state stands for the longest text that ends at the current position and begins some
// trigger.
type state struct {
	fail  uint32 // the state of the longest proper suffix
	told  uint32 // the nearest state along fail, including the state itself, that is a trigger; 0: none
	slots uint32 // the index of the first of its slots
}

// scan adds to f all slots whose trigger is in the URL.
func (a *automaton) scan(url []byte, f *found) {
	f.add(a.slotsOf(0)) // the empty trigger is in every URL
	at := a.next(0, begins)
	a.tell(at, f)
	var l letter
	for i := 0; i < len(url); {
		l, i = nextLetter(url, i, l)
		if at = a.next(at, l); a.states[at].told != 0 {
			a.tell(at, f)
		}
	}
	a.tell(a.next(at, ends), f)
}

// next returns the state after a letter.
func (a *automaton) next(from uint32, l letter) uint32 {
	for from != 0 {
		if e := a.edges.find(from, l); e.to != 0 {
			return e.to
		}
		from = a.states[from].fail
	}
	if l&continues != 0 { // no trigger begins inside a token
		return 0
	}
	return a.edges.find(0, l).to
}

// tell adds the slots of the triggers that end at a state, the longest first. If the
// slots of a trigger are known, so are those of all shorter ones. So the cost of a URL is
// bounded by its letters and triggers.
func (a *automaton) tell(at uint32, f *found) {
	for s := a.states[at].told; s != 0 && !f.add(a.slotsOf(s)); {
		s = a.states[a.states[s].fail].told
	}
}

func (a *automaton) slotsOf(s uint32) []uint32 {
	return a.slots[a.states[s].slots:a.states[s+1].slots]
}

// builder builds an automaton. into and depth hold the edge to each state and its depth.
type builder struct {
	most  int // states
	edges edges
	into  []edge
	depth []uint32
}

// maxStates is the greatest number of states of a site: different beginnings of triggers, in letters. Beyond
// it, a trigger is cut to a beginning that has a state, or to the empty one. Then the rule is tried
// on more URLs, which takes time but changes no result.
const maxStates = 1 << 20

// newAutomaton builds an automaton of at most most states from slots in order of rank. O(bytes of
// all triggers).
func newAutomaton(slots []slot, most int) (a automaton) {
	b := builder{most: most, edges: newEdges(), into: make([]edge, 1), depth: make([]uint32, 1)}
	last := make([]uint32, len(slots)) // the state of each trigger
	for i, s := range slots {
		last[i] = b.insert(s.trigger)
	}
	a = automaton{edges: b.edges, states: make([]state, len(b.into)+1)}
	a.setSlots(last)
	for _, s := range b.byDepth()[1:] {
		a.link(s, b.into[s])
	}
	return a
}

// insert adds the states of a trigger, as long as there is room, and returns the last state.
func (b *builder) insert(t rule.Trigger) uint32 {
	at, ok := uint32(0), true
	if t.AtStart {
		at, ok = b.step(at, begins)
	}
	var l letter
	for i := 0; ok && i < len(t.Text); {
		l, i = nextLetter(t.Text, i, l)
		at, ok = b.step(at, l)
	}
	if ok && t.AtEnd {
		at, _ = b.step(at, ends)
	}
	return at
}

// step returns the state after a letter, or the same state and false if there is no room for
// another.
func (b *builder) step(from uint32, l letter) (to uint32, ok bool) {
	if e := b.edges.find(from, l); e.to != 0 {
		return e.to, true
	}
	if len(b.into) >= b.most {
		return from, false
	}
	e := edge{letter: l, from: from, to: uint32(len(b.into))}
	b.edges.add(e)
	b.into = append(b.into, e)
	b.depth = append(b.depth, b.depth[from]+1)
	return e.to, true
}

// byDepth returns the states, the root first and the deepest state last.
func (b *builder) byDepth() []uint32 {
	return sortByCount(b.depth, int(slices.Max(b.depth)))
}

// sortByCount returns the indexes of keys in the order of the keys. Equal keys keep their
// order. The keys are at most most. O(keys + most).
func sortByCount(keys []uint32, most int) []uint32 {
	from := make([]uint32, most+2)
	for _, k := range keys {
		from[k+1]++
	}
	for k := range most + 1 {
		from[k+1] += from[k]
	}
	order := make([]uint32, len(keys))
	for i, k := range keys {
		order[from[k]] = uint32(i)
		from[k]++
	}
	return order
}

// setSlots assigns the slots to the states of their triggers.
func (a *automaton) setSlots(last []uint32) {
	for _, s := range last {
		a.states[s+1].slots++
	}
	for s := range len(a.states) - 1 {
		a.states[s+1].slots += a.states[s].slots
	}
	a.slots = sortByCount(last, len(a.states)-1)
}

// link sets fail and told of a state. All shallower states are already linked.
func (a *automaton) link(s uint32, into edge) {
	if into.from != 0 {
		a.states[s].fail = a.next(a.states[into.from].fail, into.letter)
	}
	a.states[s].told = a.states[a.states[s].fail].told
	if len(a.slotsOf(s)) > 0 {
		a.states[s].told = s
	}
}

// edges is a hash table of the automaton's transitions: open addressing, at most a
// quarter full. The two factors are drawn for each table, so that nobody can write rules
// whose edges collide.
type edges struct {
	slots           []edge
	shift           uint // of a hash, to an index
	used            int
	letters, states uint64 // odd factors
}

// edge is the transition by letter from state from to state to. No edge leads to state 0,
// so a zero to marks a free slot. 16 bytes, four to a cache line.
type edge struct {
	letter   letter
	from, to uint32
}

func newEdges() edges {
	seed := maphash.MakeSeed()
	return edges{
		slots: make([]edge, 4), shift: 62,
		letters: maphash.String(seed, "letters") | 1, states: maphash.String(seed, "states") | 1,
	}
}

// find returns the slot of an edge, or the free slot for it.
func (t *edges) find(from uint32, l letter) *edge {
	mask := uint64(len(t.slots) - 1)
	for i := (uint64(l)*t.letters + uint64(from)*t.states) >> t.shift; ; i++ {
		e := &t.slots[i&mask]
		if e.to == 0 || e.letter == l && e.from == from {
			return e
		}
	}
}

func (t *edges) add(e edge) {
	if 4*(t.used+1) > len(t.slots) {
		old := t.slots
		t.slots, t.shift = make([]edge, 2*len(old)), t.shift-1
		for _, e := range old {
			if e.to != 0 {
				*t.find(e.from, e.letter) = e
			}
		}
	}
	*t.find(e.from, e.letter) = e
	t.used++
}

// letter is a unit of the automaton's input, packed: up to 8 letters and digits of a
// token, an escape, or any other byte. Long tokens have marks in the top bits of bytes,
// which ASCII leaves free. So equal letters are equal texts in equal places of a token.
type letter uint64

const (
	wordBytes = 8

	begins letter = 0x100 // ^; two bytes of a word are greater
	ends   letter = 0x101 // $

	continues letter = 1 << 15 // the token began earlier; also set on a single byte
	goesOn    letter = 1 << 63 // the token ends later
)

// nextLetter returns the letter at an offset of a URL, or of a part of one, and its end.
// before is the previous letter, or 0.
func nextLetter[S ~string | ~[]byte](s S, at int, before letter) (letter, int) {
	l, end, more := letter(s[at]), at+1, false
	switch {
	case dust.IsAlnum(s[at]):
		for end < len(s) && end < at+wordBytes && dust.IsAlnum(s[end]) {
			l = l<<8 | letter(s[end])
			end++
		}
		more = end < len(s) && (dust.IsAlnum(s[end]) || s[end] == '%' && !dust.Boundary(s, end))
	case s[at] != '%' || dust.Boundary(s, end):
		return l, end
	default: // an escape
		for ; end < at+dust.EscapeBytes; end++ {
			l = l<<8 | letter(s[end])
		}
		more = !dust.Boundary(s, end)
	}
	if before&goesOn != 0 {
		l |= continues
	}
	if more {
		l |= goesOn
	}
	return l, end
}

// slot is one trigger of a rule. A rule has several slots if any one of several texts may
// stand in the URLs that it changes. Slots are in the order of their rules.
type slot struct {
	rank    uint32
	trigger rule.Trigger
}

// rarest chooses for each rule the set of triggers that the fewest rules share, the first
// of several. A rule without triggers gets the empty trigger, which is in every URL.
func rarest(rules []rule.Rule) (slots []slot) {
	uses := make(map[rule.Trigger]int, 2*len(rules))
	all := make([]rule.Triggers, len(rules))
	for i := range rules {
		t := &all[i]
		*t = rules[i].Triggers()
		for k := range t.Len() {
			for _, trigger := range t.Set(k) {
				uses[trigger]++
			}
		}
	}
	slots = make([]slot, 0, len(rules))
	for i := range rules {
		t := &all[i]
		if t.Len() == 0 {
			slots = append(slots, slot{uint32(i), rule.Trigger{}})
			continue
		}
		for _, trigger := range leastUsed(t, uses) {
			slots = append(slots, slot{uint32(i), trigger})
		}
	}
	return slots
}

func leastUsed(t *rule.Triggers, uses map[rule.Trigger]int) (best []rule.Trigger) {
	least := 0
	for k := range t.Len() {
		n := 0
		for _, trigger := range t.Set(k) {
			n += uses[trigger]
		}
		if k == 0 || n < least {
			best, least = t.Set(k), n
		}
	}
	return best
}
