package page

import "strconv"

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

// within returns a share as a number from 0 to 1.
func within(share float64) float64 {
	if !(share > 0) { // or not a number
		return 0
	}
	return min(share, 1)
}

// place formats a place or a length in an SVG.
func place(x float64) string { return strconv.FormatFloat(x, 'f', -1, 32) }
