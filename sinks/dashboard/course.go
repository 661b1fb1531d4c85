package dashboard

import (
	"fmt"

	"dustbuster/operators/judge/lifecycle"
	"dustbuster/operators/judge/trial"
	"dustbuster/sinks/page"
)

// courseData is the course of a trial for a template.
type courseData struct {
	*lifecycle.Course
	Bounds *page.Curve
	Alike  *page.Histogram
	Last   []lifecycle.TriedPair // newest first
}

// lastPairs is the number of pairs that are listed.
const lastPairs = 12

func newCourse(c *lifecycle.Course) *courseData {
	if c == nil {
		return nil
	}
	d := &courseData{Course: c}
	for i := len(c.Tried) - 1; i >= 0 && len(d.Last) < lastPairs; i-- {
		d.Last = append(d.Last, c.Tried[i])
	}
	if len(c.Tried) > 0 {
		d.Bounds, d.Alike = boundCurve(c), alikeHistogram(c)
	}
	return d
}

// boundCurve draws the upper bound of the share of wrong pairs after each pair.
func boundCurve(c *lifecycle.Course) *page.Curve {
	points := []page.Point{{X: 0, Y: 1}}
	for i, p := range c.Tried {
		points = append(points, page.Point{X: float64(i + 1), Y: p.Bound})
	}
	return &page.Curve{
		Title: "How many of its URLs can be wrong",
		Desc:  fmt.Sprintf("After %d pairs at most %s of its URLs can be wrong. The rule is confirmed below %s.", len(c.Tried), page.Percent(c.Bound), page.Percent(c.Epsilon)),
		Lines: []page.Line{{Tone: page.Accent, Points: points}}, Bound: c.Epsilon, Highest: 1,
		Top:  "at most 100 %",
		Axis: []string{"0 pairs", page.Count(len(c.Tried), "pair")},
	}
}

// columns is the number of columns of the picture of resemblances.
const columns = 25

// alikeHistogram draws how much alike the pages of the pairs are.
func alikeHistogram(c *lifecycle.Course) *page.Histogram {
	var counts [columns][3]int
	compared := 0
	for _, p := range c.Tried {
		if !p.Compared {
			continue
		}
		compared++
		counts[min(columns-1, max(0, int(p.Alike*columns)))][part3(p.Outcome)]++
	}
	if compared == 0 {
		return nil
	}
	h := &page.Histogram{Title: "Resemblance of the pages", Desc: fmt.Sprintf("%s compared. A pair matches from %.2f on.", page.Count(compared, "pair"), c.Threshold),
		Axis:   []string{"0: nothing in common", "1: equal"},
		Legend: []page.Key{{Tone: page.Good, Text: fmt.Sprintf("match, from %.2f on", c.Threshold)}, {Tone: page.Bad, Text: "differ"}, {Tone: page.Kept, Text: "inconclusive"}}}
	for i, n := range counts {
		h.Columns = append(h.Columns, page.Column{
			Text:  fmt.Sprintf("%.2f to %.2f: %d match, %d differ, %d inconclusive", float64(i)/columns, float64(i+1)/columns, n[0], n[1], n[2]),
			Parts: []page.Stack{{Tone: page.Good, Count: n[0]}, {Tone: page.Bad, Count: n[1]}, {Tone: page.Kept, Count: n[2]}},
		})
	}
	return h
}

// part3 returns the place of an outcome among alike, different, and nothing.
func part3(o trial.Outcome) int {
	switch o {
	case trial.Positive:
		return 0
	case trial.Negative, trial.Returned:
		return 1
	}
	return 2
}

// coverageCurve draws the share of merged URLs over the compared pairs. nil: there is nothing to draw.
func coverageCurve(all []lifecycle.Point) *page.Curve {
	if len(all) < 2 || all[0].Pairs == all[len(all)-1].Pairs {
		return nil
	}
	var points []page.Point
	highest := 0.0
	for i, p := range all {
		if i > 0 { // the share holds until the next point
			points = append(points, page.Point{X: float64(p.Pairs), Y: all[i-1].Merged})
		}
		points = append(points, page.Point{X: float64(p.Pairs), Y: p.Merged})
		highest = max(highest, p.Merged)
	}
	if highest == 0 {
		return nil
	}
	first, last := all[0], all[len(all)-1]
	return &page.Curve{
		Title: "Duplicates found over compared pairs",
		Desc:  fmt.Sprintf("After %s, %s of the URLs are known duplicates.", page.Count(last.Pairs, "pair"), page.Percent(last.Merged)),
		Lines: []page.Line{{Tone: page.Dust, Points: points}},
		Top:   page.Percent(highest) + " of the URLs",
		Axis:  []string{page.Count(first.Pairs, "pair"), page.Count(last.Pairs, "pair")},
	}
}
