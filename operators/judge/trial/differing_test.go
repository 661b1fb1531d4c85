package trial

import (
	"fmt"
	"testing"
)

func TestKindOf(t *testing.T) {
	differ := func(u, v []uint32) *Compared { return &Compared{Alike: 0.92, Differing: &Differing{U: u, V: v}} }
	steady := []*Compared{differ([]uint32{1, 2}, nil), differ([]uint32{1, 2, 7}, nil), differ([]uint32{1, 2}, []uint32{8})}
	equal := &Compared{SameText: true}
	for name, c := range map[string]struct {
		all      []*Compared
		pair     *Compared
		ofU, ofV []uint32
		want     Kind
	}{
		"equal":                     {steady, equal, nil, nil, Equal},
		"the words of every pair":   {steady, steady[0], nil, nil, Steady},
		"a word of the page's own":  {steady, steady[1], nil, nil, Content},
		"a word of v's own":         {steady, steady[2], nil, nil, Content},
		"the URL's own word":        {steady, steady[1], []uint32{7}, nil, Steady},
		"both URLs' own words":      {steady, differ([]uint32{3}, []uint32{4}), []uint32{3}, []uint32{4}, Name},
		"steady names":              {[]*Compared{differ([]uint32{3}, []uint32{4}), differ([]uint32{3}, []uint32{4}), differ([]uint32{3}, []uint32{4})}, differ([]uint32{3}, []uint32{4}), []uint32{3}, []uint32{4}, Name},
		"too few pairs":             {steady[:2], steady[1], nil, nil, Untold},
		"most pairs are equal":      {append([]*Compared{equal, equal, equal, equal}, steady...), steady[1], nil, nil, Untold},
		"the words are not known":   {steady, &Compared{Alike: 0.92}, nil, nil, Untold},
		"the same words, reordered": {steady, differ(nil, nil), nil, nil, Steady},
	} {
		if got := NewDifferences(once(c.all)).KindOf(c.pair, c.ofU, c.ofV); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
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
