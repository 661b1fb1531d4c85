package trial

import (
	"fmt"
	"testing"
)

func TestKindOf(t *testing.T) {
	differ := func(u, v []uint32) *Compared { return &Compared{Alike: 0.92, Differing: &Differing{U: u, V: v}} }
	steady := []*Compared{differ([]uint32{1, 2}, nil), differ([]uint32{1, 2, 7}, nil), differ([]uint32{1, 2}, []uint32{8})}
	equal := &Compared{SameText: true}
	for _, c := range []struct {
		name     string
		all      []*Compared
		pair     *Compared
		ofU, ofV []uint32
		want     Kind
	}{
		{"equal", steady, equal, nil, nil, Equal},
		{"the words of every pair", steady, steady[0], nil, nil, Steady},
		{"a word of the page's own", steady, steady[1], nil, nil, Content},
		{"a word of v's own", steady, steady[2], nil, nil, Content},
		{"the URL's own word", steady, steady[1], []uint32{7}, nil, Steady},
		{"both URLs' own words", steady, differ([]uint32{3}, []uint32{4}), []uint32{3}, []uint32{4}, Name},
		{"steady names", []*Compared{differ([]uint32{3}, []uint32{4}), differ([]uint32{3}, []uint32{4}), differ([]uint32{3}, []uint32{4})}, differ([]uint32{3}, []uint32{4}), []uint32{3}, []uint32{4}, Name},
		{"too few pairs", steady[:2], steady[1], nil, nil, Untold},
		{"most pairs are equal", append([]*Compared{equal, equal, equal, equal}, steady...), steady[0], nil, nil, Content},
		{"a sign, and equal words", steady, &Compared{Alike: 1, SameText: true, Differing: &Differing{U: []uint32{9}}}, nil, nil, Content},
		{"the words are not known", steady, &Compared{Alike: 0.92}, nil, nil, Untold},
		{"the same words, reordered", steady, differ(nil, nil), nil, nil, Steady},
	} {
		if got := NewDifferences(once(c.all)).KindOf(c.pair, c.ofU, c.ofV); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// once returns looks at pairs of different v.
func once(all []*Compared) (looked []Looked) {
	for i, c := range all {
		looked = append(looked, Looked{First: c, V: fmt.Sprint("/", i)})
	}
	return looked
}

func TestTurnedDiffering(t *testing.T) {
	s, ok := Seen{Compared: &Compared{Differing: &Differing{U: []uint32{1}, V: []uint32{2}}}}.Turned()
	if !ok || s.Compared.Differing.U[0] != 2 || s.Compared.Differing.V[0] != 1 {
		t.Errorf("%+v", s.Compared)
	}
}

// A word is one of the rule, and not of a page, if one side has it in most pairs of unlike values.
func TestSteadyWords(t *testing.T) {
	differ := func(u, v []uint32) *Compared { return &Compared{Alike: 0.95, Differing: &Differing{U: u, V: v}} }
	none := &Compared{Alike: 1, SameText: true}
	list := func(all ...Looked) []Looked { return all }
	of := func(value uint32, c *Compared) Looked {
		return Looked{First: c, OfU: []uint32{100, value}, OfV: []uint32{100}}
	}
	for _, c := range []struct {
		name string
		all  []Looked
		want Kind // of the first pair
	}{
		{"a banner", list(of(200, differ([]uint32{1}, nil)), of(200, differ([]uint32{1}, nil)), of(200, differ([]uint32{1}, nil))), Steady},
		{"a banner at some values", list(of(200, differ([]uint32{1}, nil)), of(204, differ([]uint32{1}, nil)), of(208, none)), Steady},
		{"a menu in the place of another, at all values", list(of(200, differ([]uint32{1}, []uint32{2})), of(204, differ([]uint32{1}, []uint32{2})), of(208, differ([]uint32{1}, []uint32{2}))), Steady},
		{"a colour in the place of another", list(of(200, differ([]uint32{1}, []uint32{2})), of(200, differ([]uint32{1}, []uint32{2})), of(200, differ([]uint32{1}, []uint32{2}))), Content},
		{"the names of two URLs", list(of(200, differ([]uint32{200}, []uint32{2})), of(200, differ([]uint32{200}, []uint32{2})), of(200, differ([]uint32{200}, []uint32{2}))), Steady},
		{"a clause of one value", list(of(200, differ([]uint32{1}, nil)), of(200, differ([]uint32{1}, nil)), of(200, differ([]uint32{1}, nil)), of(204, none)), Content},
		{"yes and no", list(of(200, differ([]uint32{1}, []uint32{2})), of(204, differ([]uint32{2}, []uint32{1})), of(208, differ([]uint32{1}, []uint32{2})), of(212, differ([]uint32{2}, []uint32{1}))), Content},
		{"one page of many", list(of(200, differ([]uint32{1}, nil)), of(204, none), of(208, none), of(212, none)), Content},
		{"too few", list(of(200, differ([]uint32{1}, nil)), of(204, none)), Untold},
	} {
		if got := NewDifferences(c.all).KindOf(c.all[0].First, c.all[0].OfU, c.all[0].OfV); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
