package kinds

import (
	"strings"
	"testing"

	"dustbuster/internal/worlds"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/evidence"
)

// FuzzLearn reads lines as URLs. The last byte of a line chooses the size.
func FuzzLearn(f *testing.F) {
	f.Add("/a;s=1/b?x0\n/a/b?x0\n/a;s=2/b?x1\n/a/b?x1\n//a/b?x0\n/A?b=&a=0\n/a?b&a=0\n/%41?1")
	f.Add("/?12345670\n/?12345680\n/?1234567a&0\n/;/;a;/;=/;a=;a?;0\n?1\n;a/;a0\nh/;a/x?a=1&;0")
	f.Add("/s/12340/a0\n/s/12341/a0\n/s/12342/a0\n/s/12343/a0\n/s/12344/a0\n/s/12345/a0\n/s/12346/a0\n/s/12347/a0\n/s/12348/a0\n/s/12349/a0\n/s/a0\n/a0\n/12345/a0\n/s/12349//a\n/s/12345/")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 400 {
			return
		}
		sizes := map[string]evidence.Spans{}
		for url := range strings.SplitSeq(text, "\n") {
			if n := len(url); n > 0 && isPlain(url) {
				sizes[url] = worlds.Size(int64(100 + url[n-1]%4))[:min(1, url[n-1]%8)]
			}
		}
		verify(t, Options{MinSupport: 1}, worlds.Pages(sizes))
	})
}

// isPlain reports whether a text can be a mined string.
func isPlain(url string) bool {
	for i := range len(url) {
		if !urlnorm.IsPlain(url[i]) {
			return false
		}
	}
	return true
}
