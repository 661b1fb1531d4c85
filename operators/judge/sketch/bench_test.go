package sketch

import (
	"go/build"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func BenchmarkOf(b *testing.B) {
	for name, page := range benchPages(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			b.ReportAllocs()
			var s Sketch
			for b.Loop() {
				s = Of("text/html", page)
			}
			b.ReportMetric(float64(s.Words), "words")
		})
	}
}

// benchPages returns a long real page, and the most expensive page for each kind of text.
func benchPages(b *testing.B) map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	pages := map[string][]byte{
		"latin":    []byte(markUp(rng, randomText(rng, 'a', 26, 12_000))),
		"cyrillic": []byte(markUp(rng, randomText(rng, 'а', 32, 7_000))),
		"han":      []byte(markUp(rng, randomText(rng, '一', 5000, 5_000))),
	}
	spec, err := os.ReadFile(filepath.Join(build.Default.GOROOT, "doc", "go_spec.html"))
	if err != nil {
		b.Log(err)
		return pages
	}
	pages["go_spec"] = spec
	return pages
}

// randomText returns words of 2 to 9 letters of an alphabet.
func randomText(rng *rand.Rand, first rune, letters, words int) []string {
	text := make([]string, words)
	for i := range text {
		word := make([]rune, 2+rng.IntN(8))
		for k := range word {
			word[k] = first + rune(rng.IntN(letters))
		}
		text[i] = string(word)
	}
	return text
}

// markUp returns a page with the words: paragraphs, links with attributes, a script.
func markUp(rng *rand.Rand, words []string) string {
	var page strings.Builder
	page.WriteString("<!DOCTYPE html><html><head><meta charset=utf-8><script>var x = '<p>never';</script></head><body>")
	for _, word := range words {
		switch rng.IntN(12) {
		case 0:
			page.WriteString("\n<p class=\"" + word + "\">" + word)
		case 1:
			page.WriteString(" <a href='/" + word + "?a=1&amp;b=2' title=\"x>y\">" + word + "</a>")
		default:
			page.WriteString(" " + word)
		}
	}
	page.WriteString("</body></html>")
	return page.String()
}
