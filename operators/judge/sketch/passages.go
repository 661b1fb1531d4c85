package sketch

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// Passage is a place where two lists of words differ.
type Passage struct {
	Before []string // words of both lists before, at most aroundWords
	U, V   []string // the words in this place, of each list
	After  []string // words of both lists after, at most aroundWords
}

// aroundWords is the number of words shown around words that differ.
const aroundWords = 4

// Passages returns the places where the Lists of two pages differ, in order. Of lists that differ in very many
// places, a passage may hold words that a longer search would find in both. Words that only one list
// has at its end do not count if a list is cut there. O(words).
func Passages(u, v []byte) (all []Passage) {
	edits := udiff.Lines(string(u), string(v))
	for i, e := range edits {
		from, to := 0, len(u) // what both have around the edit
		if i > 0 {
			from = edits[i-1].End
		}
		if i+1 < len(edits) {
			to = edits[i+1].Start
		}
		if e.End == len(u) && (e.Start == e.End || e.New == "") && (isCut(u) || isCut(v)) {
			break
		}
		before, after := listed(u[from:e.Start]), listed(u[e.End:to])
		all = append(all, Passage{
			Before: before[max(0, len(before)-aroundWords):], After: after[:min(aroundWords, len(after))],
			U: listed(u[e.Start:e.End]), V: listed([]byte(e.New)),
		})
	}
	return all
}

// isCut reports whether a list may lack the last words of its page.
func isCut(list []byte) bool { return len(list) > MaxList-longestListed-1 }

// listed returns the words of a part of a list.
func listed(part []byte) []string {
	return slices.Collect(strings.FieldsFuncSeq(string(part), func(c rune) bool { return c == '\n' }))
}

// mostSwapped is the number of words in a place where single words were put in each other's place.
const mostSwapped = 4

// Swapped returns, of the Lists of two pages with the same words, those words and signs that stand in another's place,
// ascending: of u, and of v. Longer texts that stand elsewhere are none: then it returns nothing. O(words).
func Swapped(u, v []byte) (ofU, ofV []uint32) {
	for _, p := range Passages(u, v) {
		if len(p.U) > mostSwapped || len(p.V) > mostSwapped {
			return nil, nil
		}
		ofU = append(ofU, BagOf([]byte(strings.Join(p.U, " ")))...)
		ofV = append(ofV, BagOf([]byte(strings.Join(p.V, " ")))...)
	}
	slices.Sort(ofU)
	slices.Sort(ofV)
	return ofU, ofV
}
