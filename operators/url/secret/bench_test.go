package secret

import (
	"strings"
	"testing"
)

// BenchmarkInURL measures the test made for each URL, on typical URLs, long URLs, and URLs
// made to be costly.
func BenchmarkInURL(b *testing.B) {
	for _, c := range []struct{ name, url string }{
		{"short", "/story?id=12"},
		{"typical", "/blog/2024/03/15/a-long-title-of-a-story/index.html?page=3&sort=asc&utm_source=newsletter"},
		{"gitweb", "/gitweb/?p=mux.git;a=blob;f=src/main.c;h=4963b66fc955214e5b1099078afcd21f244a191a;hb=HEAD"},
		{"escaped", "/search?q=%E0%B8%81%E0%B8%99%20%D1%81%D1%82%D0%B0%D1%82%D1%8C%D1%8F&lang=th&page=2"},
		{"escapes", "/" + strings.Repeat("%25", 682)},
		{"cards", "/" + strings.Repeat("4111-", 409)},
		{"accounts", "/" + strings.Repeat("DE89-", 409)},
		{"at", "/" + strings.Repeat("a@", 1023)},
		{"letters", "/" + strings.Repeat("ab", 1023)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.url)))
			b.ReportAllocs()
			for b.Loop() {
				InURL(c.url)
			}
		})
	}
}
