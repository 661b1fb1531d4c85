package page

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestBars(t *testing.T) {
	for _, c := range []struct {
		parts []Part
		want  string
	}{
		{nil, "[]"},
		{[]Part{{Kept, .25}, {Dust, .5}}, "[{kept 0  250 } {dust 250  500 }]"},
		{[]Part{{Kept, 0}, {Dust, 1e-9}}, "[{dust 0  3 }]"},
		{[]Part{{Kept, 1}, {Dust, 1e-9}}, "[{kept 0  1000 }]"},
		{[]Part{{Kept, .9}, {Dust, .9}}, "[{kept 0  900 } {dust 900  100 }]"},
		{[]Part{{Kept, math.NaN()}, {Dust, math.Inf(1)}, {Bad, -1}}, "[{dust 0  1000 }]"},
	} {
		got := Row{Parts: c.parts}.Bars()
		for i := range got {
			got[i].Y = ""
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%v: %v, want %s", c.parts, got, c.want)
		}
	}
}

func TestHistogramDrawn(t *testing.T) {
	h := Histogram{Columns: []Column{{"a", []Stack{{Kept, 6}, {Dust, 4}}}, {"b", []Stack{{Kept, 0}, {Dust, -3}}}, {}, {"d", []Stack{{Dust, 5}}}}}
	want := "[{a [{kept 15 40 220 60} {dust 15 0 220 40}]} {b []} { []} {d [{dust 765 50 220 50}]}]"
	if got := fmt.Sprint(h.Drawn()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := fmt.Sprint(Histogram{Columns: []Column{{"", []Stack{{Kept, 1}}}, {"", []Stack{{Kept, 1000000}}}}}.Drawn()[0]); got != "{ [{kept 30 99 440 1}]}" {
		t.Errorf("a small column: %s", got)
	}
	h.Marks = []int{1, 3}
	want = "[{a [{kept 15 47.2 220 52.8} {dust 15 12 220 35.2}]} {b [{accent 366 0 18 6}]} { []} {d [{dust 765 56 220 44} {accent 866 0 18 6}]}]"
	if got := fmt.Sprint(h.Drawn()); got != want {
		t.Errorf("with marks: %s, want %s", got, want)
	}
	many := Histogram{Columns: make([]Column, 400), Marks: []int{0, 200, 399}}.Drawn()
	for _, c := range []struct {
		given int
		want  string
	}{{0, "0"}, {200, "496.75"}, {399, "991"}} {
		if r := many[c.given].Bars[0]; r.X != c.want || r.Width != "9" {
			t.Errorf("mark %d of 400 columns: %+v, want x %s", c.given, r, c.want)
		}
	}
	if len(Histogram{}.Drawn()) != 0 {
		t.Error("a histogram without columns")
	}
}

func TestCurvePaths(t *testing.T) {
	line := Line{Accent, []Point{{10, 0}, {20, 1}, {30, 4}}}
	for _, c := range []struct {
		curve Curve
		want  string
	}{
		{Curve{}, "[]"},
		{Curve{Lines: []Line{{}}}, "[]"},
		{Curve{Lines: []Line{line}}, "[{accent M0 100L500 75L1000 0 M1000 0h0}]"},
		{Curve{Lines: []Line{line}, Bound: 8}, "[{accent M0 100L500 87.5L1000 50 M1000 50h0}] M0 0H1000"},
		{Curve{Lines: []Line{line}, Left: 0, Right: 40, Highest: 2, Bound: 1}, "[{accent M250 100L500 50L750 0 M750 0h0}] M0 50H1000"},
		{Curve{Lines: []Line{{Good, []Point{{-5, 3}}}}}, "[{good M0 0 M0 0h0}]"},
		{Curve{Lines: []Line{{Good, []Point{{0, math.NaN()}, {1, 1}}}}, Highest: 1}, "[{good M0 100L1000 0 M1000 0h0}]"},
	} {
		got := fmt.Sprint(c.curve.Paths())
		if b := c.curve.BoundPath(); b != "" {
			got += " " + b
		}
		if got != c.want {
			t.Errorf("%+v:\n%s, want\n%s", c.curve, got, c.want)
		}
	}
}

// A long line keeps its ends, and its path is bounded.
func TestCurveOfManyPoints(t *testing.T) {
	var points []Point
	for i := range 100_000 {
		points = append(points, Point{float64(i), float64(i)})
	}
	p := Curve{Lines: []Line{{Good, points}}}.Paths()[0]
	if len(p.Path) > 20*drawn || p.End != "M1000 0h0" || !slices.Equal([]byte(p.Path[:6]), []byte("M0 100")) {
		t.Errorf("%d bytes, %s to %s", len(p.Path), p.Path[:6], p.End)
	}
}
