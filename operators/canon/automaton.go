package canon

import (
	"fmt"
	"slices"
)

// automaton finds in one pass over a URL the rules whose trigger it holds (Aho
// and Corasick 1975, over letters). State 0 is the root.
type automaton struct {
	edges  edges
	states []state  // and one more, for the end of the last one's ranks
	ranks  []uint32 // of the rules by state of their trigger, ascending in each
}

// state stands for a text, as long as possible, that ends where the reading is
// and begins some trigger.
type state struct {
	fail  uint32 // the state of its longest proper suffix
	told  uint32 // the nearest state along fail, itself first, that is a trigger; 0: none
	ranks uint32 // where its ranks begin
}

// scan tells found the ranks of all rules whose trigger stands in the URL.
func (a *automaton) scan(url []byte, f *found) {
	f.add(a.ranksOf(0)) // the trigger that is empty stands everywhere
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

// next is the state after a letter.
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

// tell passes on the ranks of the triggers that end where a state stands, the
// longest first. Behind one that is known all are, so that no URL costs more
// than its letters and the triggers it holds.
func (a *automaton) tell(at uint32, f *found) {
	for s := a.states[at].told; s != 0 && !f.add(a.ranksOf(s)); {
		s = a.states[a.states[s].fail].told
	}
}

func (a *automaton) ranksOf(s uint32) []uint32 {
	return a.ranks[a.states[s].ranks:a.states[s+1].ranks]
}

// builder makes an automaton. Of each state it knows the edge that leads there,
// and its depth.
type builder struct {
	edges edges
	into  []edge
	depth []uint32
}

// newAutomaton takes the triggers in order of rank. O(bytes of all triggers).
func newAutomaton(triggers []trigger) (a automaton, err error) {
	b := builder{edges: newEdges(), into: make([]edge, 1), depth: make([]uint32, 1)}
	last := make([]uint32, len(triggers)) // the state of each trigger
	for rank, t := range triggers {
		last[rank] = b.insert(t)
		if len(b.into) > maxStates {
			return a, fmt.Errorf("compile rules: the first %d rules need %d tokens, more than %d", rank+1, len(b.into), maxStates)
		}
	}
	a = automaton{edges: b.edges, states: make([]state, len(b.into)+1)}
	a.setRanks(last)
	for _, s := range b.byDepth()[1:] {
		a.link(s, b.into[s])
	}
	return a, nil
}

// insert adds the states of a trigger and returns the last.
func (b *builder) insert(t trigger) uint32 {
	at := uint32(0)
	if t.atStart {
		at = b.step(at, begins)
	}
	var l letter
	for i := 0; i < len(t.text); {
		l, i = nextLetter(t.text, i, l)
		at = b.step(at, l)
	}
	if t.atEnd {
		at = b.step(at, ends)
	}
	return at
}

func (b *builder) step(from uint32, l letter) uint32 {
	if e := b.edges.find(from, l); e.to != 0 {
		return e.to
	}
	e := edge{letter: l, from: from, to: uint32(len(b.into))}
	b.edges.add(e)
	b.into = append(b.into, e)
	b.depth = append(b.depth, b.depth[from]+1)
	return e.to
}

// byDepth returns the states, the root first and the deepest last.
func (b *builder) byDepth() []uint32 {
	return sortByCount(b.depth, int(slices.Max(b.depth)))
}

// sortByCount returns the indexes of keys in the order of the keys, which are at
// most most; equal ones in their own order. O(keys + most).
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

// setRanks puts the rules to the states of their triggers.
func (a *automaton) setRanks(last []uint32) {
	for _, s := range last {
		a.states[s+1].ranks++
	}
	for s := range len(a.states) - 1 {
		a.states[s+1].ranks += a.states[s].ranks
	}
	a.ranks = sortByCount(last, len(a.states)-1)
}

// link sets fail and told of a state, all shallower ones being linked.
func (a *automaton) link(s uint32, into edge) {
	if into.from != 0 {
		a.states[s].fail = a.next(a.states[into.from].fail, into.letter)
	}
	a.states[s].told = a.states[a.states[s].fail].told
	if len(a.ranksOf(s)) > 0 {
		a.states[s].told = s
	}
}
