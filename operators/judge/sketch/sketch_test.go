package sketch

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

const seven, eight = "one two three four five six seven", "one two three four five six seven eight"

func TestResemblance(t *testing.T) {
	for _, c := range []struct {
		name, typeA, a, typeB, b string
		want                     float64
	}{
		{"equal HTML", "text/html", eight, "text/html", eight, 1},
		{"equal text", "text/plain", eight, "text/plain", eight, 1},
		{"equal bytes, one of them HTML", "text/plain", eight, "text/html", eight, 1},
		{"nothing at all, twice", "text/html", "", "text/html", "", 1},
		{"other types that differ in a byte", "text/plain", eight, "text/plain", eight + "\n", 0},
		{"the same words, one of them HTML", "text/plain", eight, "text/html", eight + "\n", 0},
		{"other markup", "text/html", eight, "text/html", "<p class=x>" + strings.ReplaceAll(eight, " ", "<br>"), 1},
		{"another script, style and comment", "text/html", "<script>1</script><!--1-->" + eight, "text/html", "<script>2</script><style>2</style><!--2-->" + eight, 1},
		{"another case, punctuation and space", "text/html", eight, "text/html", "ONE, two! \n Three (four) five-six; seven... eight", 1},
		{"an entity", "text/html", "caf&eacute; " + eight, "text/html", "café " + eight, 1},
		{"pages without a word", "text/html", "<p>", "text/html", "<p><p>", 0},
		{"a page and one without a word", "text/html", eight, "text/html", "<p>", 0},
		{"few words, the same", "text/html", seven, "text/html", seven + ".", 1},
		{"few words, one more", "text/html", seven, "text/html", eight, 0},
		{"few words, another order", "text/html", "one two", "text/html", "two one", 0},
		{"one shingle of three", "text/html", eight + " nine", "text/html", "zero " + eight, 1.0 / 3},
		{"order across shingles", "text/html", eight + " " + strings.ToUpper(seven) + " nine", "text/html", seven + " nine " + eight, 2.0 / 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := Of(c.typeA, []byte(c.a)), Of(c.typeB, []byte(c.b))
			if got := Resemblance(&a, &b); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
			if got := Resemblance(&b, &a); got != c.want {
				t.Errorf("the other way: %v, want %v", got, c.want)
			}
		})
	}
}

// The same sentences in another order share the shingles within sentences, but not those across.
func TestOrderOfSentences(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var sentences [][]string
	for range 60 {
		sentences = append(sentences, randomText(rng, 'a', 26, 20))
	}
	a := slices.Concat(sentences...)
	rng.Shuffle(len(sentences), func(i, j int) { sentences[i], sentences[j] = sentences[j], sentences[i] })
	b := slices.Concat(sentences...)
	x, y := htmlOf(a), htmlOf(b)
	exact := exactJaccard(a, b)
	if exact < 0.4 || exact > 0.6 {
		t.Fatalf("the texts have Jaccard coefficient %v", exact)
	}
	if got := Resemblance(&x, &y); got < exact-0.15 || got > exact+0.15 {
		t.Errorf("%v, exactly %v", got, exact)
	}
}

func TestSketchIsOfTheDocumentAlone(t *testing.T) {
	body := []byte("<TITLE>A &amp; B</TITLE>\r\n<p>" + eight)
	before := bytes.Clone(body)
	a, b := Of("text/html", body), Of("text/html; charset=utf-8", body)
	if a != b {
		t.Error("two sketches of one document differ")
	}
	if !bytes.Equal(body, before) {
		t.Errorf("the body was changed to %q", body)
	}
	if !a.HTML || a.Words != 10 {
		t.Errorf("HTML %v, %d words, want 10", a.HTML, a.Words)
	}
	if c := Of("image/png", body); c.HTML || c.Words != 0 || c.Digest != a.Digest {
		t.Errorf("as an image: HTML %v, %d words", c.HTML, c.Words)
	}
}

func TestIsHTML(t *testing.T) {
	const page, text = "<!DOCTYPE html><p>", "a < b <html"
	for _, c := range []struct {
		contentType, body string
		want              bool
	}{
		{"text/html", text, true},
		{"Text/HTML ; charset=iso-8859-1", text, true},
		{"text/html;charset=utf-8;charset=utf-8", text, true},
		{"text/html; charset", text, true},
		{"application/xhtml+xml", text, true},
		{"text/plain", page, false},
		{"application/xml", page, false},
		{"text/htmlx", page, false},
		{"nonsense", page, false},
		{"", page, true},
		{" ; charset=utf-8", page, true},
		{"", "\ufeff \r\n" + page, true},
		{"", "<?xml version='1.0'?><!DOCTYPE html PUBLIC>", true},
		{"", "<!-- made by hand --><HTML>", true},
		{"", "<head>", true},
		{"", "<body>", true},
		{"", text, false},
		{"", "<svg>", false},
		{"", "", false},
		{"", "<!--" + strings.Repeat(" ", sniffed) + "--><html>", false},
	} {
		if got := isHTML(c.contentType, []byte(c.body)); got != c.want {
			t.Errorf("%q, %.40q: %v, want %v", c.contentType, c.body, got, c.want)
		}
	}
}

func htmlOf(words []string) Sketch { return Of("text/html", []byte(strings.Join(words, " "))) }
