package evidence

import "math"

// PaneOf is the number of the pane that holds a time, panes being so many
// seconds long. Of length 0 there is one pane, without end.
func PaneOf(time, length int64) int64 {
	switch {
	case length <= 0:
		return 0
	case time < 0:
		return (time+1)/length - 1
	}
	return time / length
}

// PaneStart is the first second of a pane, or of those that an int64 holds the
// nearest.
func PaneStart(pane, length int64) int64 {
	switch {
	case length <= 0:
		return 0
	case pane < math.MinInt64/length:
		return math.MinInt64
	case pane > math.MaxInt64/length:
		return math.MaxInt64
	}
	return pane * length
}
