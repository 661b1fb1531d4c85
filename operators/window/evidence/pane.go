package evidence

import "math"

// PaneOf returns the number of the pane that holds a time, for panes of length seconds. If
// length is 0, there is one endless pane.
func PaneOf(time, length int64) int64 {
	switch {
	case length <= 0:
		return 0
	case time < 0:
		return (time+1)/length - 1
	}
	return time / length
}

// PaneStart returns the first second of a pane, or the nearest second that an int64 can
// hold.
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
