package public_test

import (
	"testing"

	"dustbuster/operators/window/public"
)

// Files of images, fonts, sound, film and archives are told by their endings, not text, scripts, feeds or pages.
func TestIsMedia(t *testing.T) {
	for _, url := range []string{"/a.png", "/thumbs/A.JPG?w=120", "/x/film.webm;v=1", "www.example.org/logo.svg", "/a.tar.gz", "/f.woff2", "/s.mp3"} {
		if !public.IsMedia(url) {
			t.Errorf("%s is none", url)
		}
	}
	for _, url := range []string{"", "/", "/a.html", "/a.css", "/a.js", "/feed.rss", "/a.pdf", "/png", "/a.png/b", "/?file=a.png", "/a.png.php"} {
		if public.IsMedia(url) {
			t.Errorf("%s is one", url)
		}
	}
}
