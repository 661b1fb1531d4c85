package browser

import (
	"bytes"
	"flag"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

var rewrite = flag.Bool("rewrite-pictures", false, "write the pictures of the documents anew")

const (
	pictureDir = "../../docs/pictures"
	mostBytes  = 250_000 // of a picture
)

// The pictures of the documents are those of the program: the report of the shipped log from its head and from
// its first rules, and the page of a made-up site whose rules were tried. Each picture is in a document, is
// small, and has the size of the picture that the program makes now.
func TestPictures(t *testing.T) {
	d := startTown(t)
	s := serve(t, report(t, "mine", "../testdata/semicomplete.log.gz", "--site", "www.example.org"))
	b := open(t, s)
	d.idle()
	for _, p := range []struct {
		name, url string
		height    int64
		at        string // the element at the top of the window
		in        string // the document
	}{{"report", s, 1085, "body", "README.md"}, {"rules", s, 760, "#rules-1", "docs/output.md"}, {"site", d.url + "site?site=", 830, "body", "docs/run.md"}} {
		document, err := os.ReadFile(filepath.Join("../..", p.in))
		must(t, err)
		for _, scheme := range []string{"light", "dark"} {
			file := p.name + "-" + scheme + ".png"
			b.origin = p.url[:strings.LastIndex(p.url, "/")]
			b.look(1000, scheme)
			call(b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: 1000, Height: p.height, DeviceScaleFactor: 1})
			b.visit(p.url)
			eval[int](b, fmt.Sprintf("{ const at = document.querySelector(%q); at.open = true; at.scrollIntoView(); 0 }", p.at))
			picture, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
			must(t, err)
			if *rewrite {
				if err := os.WriteFile(filepath.Join(pictureDir, file), picture, 0o644); err != nil { //nolint:gosec // a file of the repository
					t.Fatal(err)
				}
			}
			checkPicture(t, file, picture)
			if !bytes.Contains(document, []byte("pictures/"+file)) {
				t.Errorf("%s does not show %s", p.in, file)
			}
		}
	}
}

// checkPicture reports a committed picture that is missing, is large, or has another size than
// the picture made now.
func checkPicture(t *testing.T, file string, now []byte) {
	t.Helper()
	committed, err := os.ReadFile(filepath.Join(pictureDir, file))
	if err != nil {
		t.Errorf("%v: make long NAME=pictures writes it", err)
		return
	}
	if len(committed) > mostBytes {
		t.Errorf("%s has %d bytes, more than %d", file, len(committed), mostBytes)
	}
	a, err := png.DecodeConfig(bytes.NewReader(committed))
	must(t, err)
	if b, err := png.DecodeConfig(bytes.NewReader(now)); err != nil || a.Width != b.Width || a.Height != b.Height {
		t.Errorf("%s is %d by %d, and now %d by %d: %v", file, a.Width, a.Height, b.Width, b.Height, err)
	}
}
