package page

import (
	"testing"

	"dustbuster/operators/window/waste"
)

func TestEffect(t *testing.T) {
	for _, c := range []struct {
		want   string
		effect waste.Effect
	}{
		{"0 URLs", waste.Effect{}},
		{"1 URL, 9 kB", waste.Effect{URLs: 1, Bytes: 9000}},
		{"1,240 URLs; fetched by Googlebot 1,200, people 7", waste.Effect{URLs: 1240, Families: [32]int{0: 7, 2: 1200}}},
		{"9 URLs; fetched by Googlebot 9, people 5, other robots 4, bingbot 3, and 2 others", waste.Effect{URLs: 9, Families: [32]int{0: 5, 1: 4, 2: 9, 3: 3, 4: 1, 5: 1}}},
	} {
		if got := Effect(c.effect.Record()); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
