package page

import (
	"strconv"
	"strings"
)

// Tone is a colour by its meaning.
type Tone string

// Tones. A picture never tells by its tones alone: the words beside the picture say the same.
const (
	Track  Tone = "track"  // nothing: the ground of a bar
	Kept   Tone = "kept"   // what is no duplicate
	Dust   Tone = "dust"   // duplicates
	Accent Tone = "accent" // neither good nor bad
	Good   Tone = "good"
	Warn   Tone = "warn"
	Bad    Tone = "bad"
)

// Key explains a tone in a legend.
type Key struct {
	Tone Tone
	Text string
}

// Shares is a picture of bars of one length, each with its parts.
type Shares struct {
	Rows   []Row
	Legend []Key
}

// Row is a bar of Shares.
type Row struct {
	Label, Value string // the words before and behind the bar
	Title        string // the bar in words, for screen readers
	Parts        []Part // from the left; the rest of the bar is Track
}

// Part is a part of a bar.
type Part struct {
	Tone  Tone
	Share float64 // of the bar, from 0 to 1
}

// Rect is a rectangle of an SVG.
type Rect struct {
	Tone          Tone
	X, Y          string
	Width, Height string
}

const (
	width  = 1000 // of all pictures
	height = 100  // of histograms and curves
	least  = 3    // width of a part that is not 0, to be seen
)

// Bars returns the parts as they are drawn.
func (r Row) Bars() (bars []Rect) {
	x := 0.0
	for _, p := range r.Parts {
		w := min(within(p.Share)*width, width-x)
		if w <= 0 {
			continue
		}
		w = min(max(w, least), width-x)
		bars = append(bars, Rect{Tone: p.Tone, X: place(x), Width: place(w)})
		x += w
	}
	return bars
}

func within(share float64) float64 {
	if !(share > 0) { // or not a number
		return 0
	}
	return min(share, 1)
}

// place formats a place or a length in an SVG.
func place(x float64) string { return strconv.FormatFloat(x, 'f', -1, 32) }

// Histogram is a picture of columns of numbers.
type Histogram struct {
	Title   string // the picture's name
	Desc    string // the picture in words, for screen readers
	Columns []Column
	Marks   []int    // columns with a mark above
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
	room := 0.0
	if len(h.Marks) > 0 {
		room = 2 * markHeight
	}
	unit := (height - room) / float64(greatest)
	drawn := make([]Drawn, len(h.Columns))
	for i, c := range h.Columns {
		drawn[i] = Drawn{c.Text, c.bars(float64(i)*step, step, unit)}
	}
	for _, i := range h.Marks {
		wide := min(max(.3*step, markWidth), 2*markWidth)
		x := min(max(0, (float64(i)+.5)*step-wide/2), width-wide)
		drawn[i].Bars = append(drawn[i].Bars, Rect{Accent, place(x), "0", place(wide), place(markHeight)})
	}
	return drawn
}

// The size of a mark, whose width is this to twice this. A narrow window is a third as wide.
const (
	markWidth  = 9
	markHeight = 6
)

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

// Curve is a picture of lines over one axis.
type Curve struct {
	Title string // the picture's name
	Desc  string // the picture in words, for screen readers

	Lines []Line
	Bound float64 // the height of a dashed line across the picture; 0: none

	Left, Right float64 // the range of x; equal: that of the points
	Highest     float64 // of y, which begins at 0; 0: the greatest of the points and the bound

	Top    string   // words at the top of the axis of y
	Axis   []string // words under the picture, spread evenly
	Legend []Key
}

// Line is a line of a Curve. Points are in the order of x.
type Line struct {
	Tone   Tone
	Points []Point
}

// Point is a point of a Line.
type Point struct{ X, Y float64 }

// Path is a line as it is drawn. End is its last point.
type Path struct {
	Tone      Tone
	Path, End string
}

// drawn is the greatest number of points that are drawn of a line.
const drawn = 500

// Paths returns the lines as they are drawn. A line of more than 500 points is drawn with an
// even selection of them.
func (c Curve) Paths() (paths []Path) {
	f := c.frame()
	for _, l := range c.Lines {
		if len(l.Points) == 0 {
			continue
		}
		paths = append(paths, f.path(l))
	}
	return paths
}

// BoundPath returns the dashed line, or "".
func (c Curve) BoundPath() string {
	if c.Bound == 0 {
		return ""
	}
	f := c.frame()
	y := f.place(Point{f.left, c.Bound})
	return "M" + y + "H" + place(width)
}

// frame is the part of the plane that a picture shows.
type frame struct{ left, wide, high float64 }

func (c *Curve) frame() frame {
	left, right, high := c.Left, c.Right, c.Highest
	first := left == right
	for _, l := range c.Lines {
		for _, p := range l.Points {
			if c.Left == c.Right {
				if first {
					left, right, first = p.X, p.X, false
				}
				left, right = min(left, p.X), max(right, p.X)
			}
			if c.Highest == 0 {
				high = max(high, p.Y)
			}
		}
	}
	if c.Highest == 0 {
		high = max(high, c.Bound)
	}
	return frame{left, right - left, high}
}

func (f frame) path(l Line) Path {
	n := len(l.Points)
	step := max(1, (n+drawn-1)/drawn)
	var b strings.Builder
	for i := 0; i < n-1; i += step {
		b.WriteString(command(i) + f.place(l.Points[i]))
	}
	b.WriteString(command(n-1) + f.place(l.Points[n-1]))
	return Path{l.Tone, b.String(), "M" + f.place(l.Points[n-1]) + "h0"}
}

func command(i int) string {
	if i == 0 {
		return "M"
	}
	return "L"
}

// place returns the place of a point in the picture. Points outside the frame are drawn at
// its edge.
func (f frame) place(p Point) string {
	x, y := 0.0, 0.0
	if f.wide > 0 {
		x = within((p.X - f.left) / f.wide)
	}
	if f.high > 0 {
		y = within(p.Y / f.high)
	}
	return place(x*width) + " " + place((1-y)*height)
}
