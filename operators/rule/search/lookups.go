package search

import "hash/maphash"

// Lookups looks up some texts at once. The texts of a list are scattered over the memory. A Lookups reads what it
// needs of them in rounds, so that the processor can wait for many reads at once.
type Lookups struct {
	numbers *Numbers
	texts   []byte
	all     []lookup
	touched byte // without meaning
}

// Together is the number of texts that callers look up at once. Of a million URLs, with 8 or 32 mine takes 3 % less
// processor time than with one, and with 128 no less.
const Together = 32

type lookup struct {
	end    int // of the text in texts
	hash   uint64
	number int // of a text with nearly the same hash; -1: there is none
}

// Lookups returns a Lookups without texts.
func (x *Numbers) Lookups() *Lookups { return &Lookups{numbers: x} }

// Add adds a text, and returns its place.
func (l *Lookups) Add(text []byte) int {
	l.texts = append(l.texts, text...)
	l.all = append(l.all, lookup{end: len(l.texts), hash: maphash.Bytes(l.numbers.seed, text)})
	return len(l.all) - 1
}

// Find calls found for each text in turn, with its place, and what Numbers.Find returns for it; number
// is without meaning if the text is not listed. Then the Lookups has no texts.
func (l *Lookups) Find(found func(place, number int, hash uint64, ok bool)) {
	x := l.numbers
	for i := range l.all {
		l.touched ^= byte(x.slots[x.home(l.all[i].hash)])
	}
	for i := range l.all {
		l.all[i].number = x.candidate(l.all[i].hash)
	}
	for i := range l.all {
		if n := l.all[i].number; n >= 0 {
			if text := x.text(n); len(text) > 0 {
				l.touched ^= text[0] ^ text[len(text)-1]
			}
		}
	}
	from := 0
	for i := range l.all {
		t := &l.all[i]
		number, ok := t.number, t.number >= 0
		if text := l.texts[from:t.end]; ok && x.text(number) != string(text) {
			number, _, ok = x.Find(text)
		}
		found(i, number, t.hash, ok)
		from = t.end
	}
	l.Clear()
}

// Clear removes the texts.
func (l *Lookups) Clear() { l.texts, l.all = l.texts[:0], l.all[:0] }
