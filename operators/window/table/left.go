package table

import (
	"math"
	"slices"

	"github.com/dchest/siphash"
)

// mostLeft is the number of hashes kept of the URLs left out: an estimate from them has a standard
// error of 3 %.
const mostLeft = 1 << 10

// leftOut counts the different URLs that a pane has left out. It keeps the least of their hashes, so
// it is a fold, and estimates the number of all from how densely these lie (Bar-Yossef et al., Counting
// distinct elements in a data stream, RANDOM 2002).
type leftOut struct{ least []uint64 } // ascending

func (l *leftOut) add(hash uint64) {
	full := len(l.least) == mostLeft
	if full && hash >= l.least[mostLeft-1] {
		return
	}
	at, known := slices.BinarySearch(l.least, hash)
	if known {
		return
	}
	if full {
		l.least = l.least[:mostLeft-1]
	}
	l.least = slices.Insert(l.least, at, hash)
}

// count returns the number of different hashes added: exactly if there are fewer than mostLeft.
func (l *leftOut) count() float64 {
	if len(l.least) < mostLeft {
		return float64(len(l.least))
	}
	return (mostLeft - 1) / (float64(l.least[mostLeft-1]) / math.MaxUint64)
}

func (l *leftOut) join(o leftOut) {
	for _, hash := range o.least {
		l.add(hash)
	}
}

// joinLeft takes over what the panes of another table have left out.
func (t *Table) joinLeft(from *Table) {
	for number, p := range from.state {
		if len(p.left.least) == 0 {
			continue
		}
		if to, inside := t.paneAt(number); inside {
			to.left.join(p.left)
		}
	}
}

// leftOut returns what the panes of the window have left out.
func (t *Table) leftOut() (all leftOut) {
	all.join(t.left)
	for _, p := range t.state {
		all.join(p.left)
	}
	return all
}

// LeftOut returns how many different URLs the panes of the window have left out, by their bounds, that
// are not in the window: exactly below 1,024, and otherwise an estimate. O(URLs).
func (t *Table) LeftOut() int {
	left := t.leftOut()
	if len(left.least) == 0 {
		return 0
	}
	inside := 0
	for id := range t.heads {
		if t.heads[id] != 0 {
			hash := siphash.Hash(t.o.Key[0], t.o.Key[1], t.urls.Text(uint32(id)))
			if _, is := slices.BinarySearch(left.least, hash); is {
				inside++
			}
		}
	}
	n := len(left.least)
	return int(math.Round(left.count() * float64(n-inside) / float64(n)))
}
