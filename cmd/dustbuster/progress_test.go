package main

import (
	"regexp"
	"strings"
	"testing"
)

// For files of known sizes, progress shows the share read, the rate, the time taken, and
// the remaining time.
func TestProgressTellsRateAndTime(t *testing.T) {
	var screen strings.Builder
	bar := newBar(&screen, "reading", func() (done, total int64) { return 0, 4e6 })
	bar.StartWithoutRender()
	for done := int64(1e6); done < 4e6; done += 1e6 {
		if err := bar.Set64(done); err != nil {
			t.Fatal(err)
		}
	}
	want := regexp.MustCompile(`^reading  75% \|█+ +\| \(3\.0/4\.0 MB, [0-9.]+ [kMGT]?B/s\) \[[0-9]+s:[0-9]+s\]`)
	frames := strings.Split(strings.TrimSpace(screen.String()), "\r")
	if last := frames[len(frames)-1]; !want.MatchString(last) {
		t.Errorf("the bar ends as %q, want %s", last, want)
	}
}
