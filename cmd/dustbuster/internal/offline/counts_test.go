package offline

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"dustbuster/config"
)

// A rule between thumbnails and pictures, of which no pair has one size, is hidden and does not count in the waste; the same rule
// between pages does, and so does one between pictures of which some have one size.
func TestThumbnailsAreNoWaste(t *testing.T) {
	for _, c := range []struct {
		name, ending string
		same         int // pairs with one size; the others differ by a hundredth
		want         bool
	}{{"pages", ".html", 0, true}, {"pictures", ".png", 0, false}, {"some pictures", ".png", 1, true}} {
		var log strings.Builder
		for i := range 60 {
			for k, folder := range []string{"small", "large"} {
				size := 1_000_000 + 50_000*i
				if i >= c.same {
					size += k * size / 300
				}
				for visitor := range 3 { // so the pages are public
					fmt.Fprintf(&log, "192.0.2.%d - - [20/May/2015:10:00:%02d +0000] \"GET /%s/p%d%s HTTP/1.1\" 200 %d \"-\" \"Googlebot/2.1\"\n", 1+(i+20*visitor)%60, i, folder, i, c.ending, size)
				}
			}
		}
		file := filepath.Join(t.TempDir(), "access.log")
		must(t, os.WriteFile(file, []byte(log.String()), 0o644))
		settings := config.MineDefaults()
		o := mineOptions{ReadOptions: OptionsOf(&settings, nil)}
		read, err := Read(context.Background(), []string{file}, o.ReadOptions, io.Discard)
		must(t, err)
		run, sites := &mining{Reading: read, o: o}, 0
		for site := range run.Sites.All() {
			found, err := run.mined(site)
			must(t, err)
			sites++
			if shown, hidden := len(found.list.rows) > 0, found.list.hidden.Files > 0; shown != c.want || hidden == c.want {
				t.Errorf("%s: %d rules are shown, %+v", c.name, len(found.list.rows), found.list.hidden)
			}
			if all := found.waste.Crawlers(); all.Fetched != 120 || all.Waste() > 0 != c.want || found.waste.Likely > 0 != c.want {
				t.Errorf("%s: %+v by %d rules", c.name, all, found.waste.Likely)
			}
		}
		if sites != 1 {
			t.Errorf("%d sites", sites)
		}
	}
}
