package page

import "strings"

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
