package page

// Histogram is a picture of columns of numbers.
type Histogram struct {
	Title   string // the picture's name
	Desc    string // the picture in words, for screen readers
	Columns []Column
	Axis    []string // words under the picture, spread evenly
	Legend  []Key
}

// Column is a column of a Histogram.
type Column struct {
	Text  string  // shown at the pointer
	Parts []Stack // from the bottom
}

// Stack is a part of a column.
type Stack struct {
	Tone  Tone
	Count int
}

// Drawn is a column as it is drawn.
type Drawn struct {
	Text string
	Bars []Rect
}

// Drawn returns the columns as they are drawn, the greatest at full height. A column with a
// count other than 0 is at least a line.
func (h Histogram) Drawn() []Drawn {
	greatest := 1
	for _, c := range h.Columns {
		greatest = max(greatest, c.count())
	}
	step := width / float64(max(1, len(h.Columns)))
	unit := height / float64(greatest)
	drawn := make([]Drawn, len(h.Columns))
	for i, c := range h.Columns {
		drawn[i] = Drawn{c.Text, c.bars(float64(i)*step, step, unit)}
	}
	return drawn
}

func (c *Column) count() (n int) {
	for _, p := range c.Parts {
		n += max(0, p.Count)
	}
	return n
}

func (c *Column) bars(x, step, unit float64) (bars []Rect) {
	const gap = .12 // of the step, between columns
	y := float64(height)
	for _, p := range c.Parts {
		if p.Count <= 0 {
			continue
		}
		h := min(max(float64(p.Count)*unit, 1), y)
		y -= h
		bars = append(bars, Rect{p.Tone, place(x + step*gap/2), place(y), place(step * (1 - gap)), place(h)})
	}
	return bars
}
