package cli

import (
	"bytes"
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

// A description that is too long for the terminal is cut. Anywhere else, a description has
// no effect.
func TestDescribe(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"äöüß", 3, "äö…"}, {"abc", 0, "abc"}, {"abc", -5, "abc"}} {
		if got := Shorten(c.text, c.n); got != c.want {
			t.Errorf("shorten(%q, %d) = %q, want %q", c.text, c.n, got, c.want)
		}
	}
	var out bytes.Buffer
	p := StartProgress(&out, "x", nil)
	for range 3 {
		p.Describe("trying a rule")
	}
	if p.Stop(); out.Len() > 0 {
		t.Errorf("written where there is no terminal: %q", &out)
	}
}
