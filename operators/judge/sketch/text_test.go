package sketch

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestVisibleText(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"", ""},
		{"plain & <text", "plain"}, // an unfinished tag
		{"a < b > c", "a b c"},
		{"<html><head><title>A &lt;b&gt; title</title><meta name=x content=unseen></head><body><p>text", "a b title text"},
		{"<p title='unseen'>one<br>two</p><img alt=unseen>three", "one two three"},
		{"in<b>side</b> a word", "in side a word"},
		{"<!-- unseen <p> -->seen<!-- unseen", "seen"},
		{"<!DOCTYPE html PUBLIC \"unseen\"><?xml unseen?>seen", "seen"},
		{"<script>unseen('<p>unseen')</script>seen<SCRIPT>unseen</script >seen", "seen seen"},
		{"<script><!-- <script> unseen </script> unseen --></script>seen", "seen"},
		{"<script>unseen", ""},
		{"<style>p::unseen{}</style>a", "a"},
		{"a<noscript>unseen <p>unseen</p></noscript><iframe>unseen</iframe><noframes>unseen</noframes><noembed>unseen</noembed>b", "a b"},
		{"a<template><p>unseen<template>unseen</template>unseen<script>unseen</script></template>b</template>c", "a b c"},
		{"<textarea>seen <p></textarea><select><option>seen</select><xmp><i></xmp>", "seen p seen i"},
		{"<script src='unseen'/>seen<title/>seen<style />seen", "seen seen seen"},
		{"a<plaintext>b<p></plaintext>", "a b p plaintext"},
		{"caf&eacute;&nbsp;&#233;t\u00e9 &amp;c &unseen; AT&T", "café été c unseen at t"},
		{"a\x00b<p\x00>c<title>d\x00e", "a b c d e"},
	} {
		if got := strings.Join(plainWords(pieces(c.body, maxToken)...), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.body, got, c.want)
		}
	}
}

// Words with markup are read back.
func TestMarkupIsOff(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	for range 200 {
		words := randomText(rng, 'a', 26, rng.IntN(200))
		page := markUp(rng, words)
		if got := plainWords(pieces(page, maxToken)...); !slices.Equal(got, words) {
			t.Fatalf("%q:\n%q", page, got)
		}
	}
}

// For well-formed documents, the text equals that of the tree that a browser builds.
func TestTextIsThatOfTheTree(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for range 500 {
		page := "<!DOCTYPE html><html><head><title>T</title></head><body>" + randomMarkup(rng, 5) + "</body></html>"
		root, err := html.Parse(strings.NewReader(page))
		if err != nil {
			t.Fatal(err)
		}
		got, want := plainWords(pieces(page, maxToken)...), plainWords(treeText(root)...)
		if !slices.Equal(got, want) {
			t.Fatalf("%s\n%q\n%q", page, got, want)
		}
	}
}

func randomMarkup(rng *rand.Rand, depth int) string {
	var s strings.Builder
	for range rng.IntN(6) {
		switch element := []string{"", "div", "b", "blockquote", "script", "style", "noscript", "textarea", "template", "section", "!"}[rng.IntN(11)]; {
		case element == "!":
			s.WriteString("<!-- c -->")
		case element == "" || depth == 0:
			s.WriteString(" w" + fmt.Sprint(rng.IntN(100)) + " &lt;&amp;&eacute;")
		case literal[element] || element == "script" || element == "style":
			s.WriteString("<" + element + ">l" + fmt.Sprint(rng.IntN(100)) + " <b x='</i>'></" + element + ">")
		case element == "noscript":
			s.WriteString("<noscript>n</noscript>")
		default:
			s.WriteString("<" + element + " a=\"b>c\">" + randomMarkup(rng, depth-1) + "</" + element + ">")
		}
	}
	return s.String()
}

// treeText returns the visible text of the tree. The parser keeps a template's content
// below the element.
func treeText(n *html.Node) (texts []string) {
	if n.Type == html.TextNode {
		return []string{n.Data}
	}
	if n.Type == html.ElementNode && slices.Contains([]string{"script", "style", "noscript", "template"}, n.Data) {
		return nil
	}
	for child := range n.ChildNodes() {
		texts = append(texts, treeText(child)...)
	}
	return texts
}

// A token over the limit is cut or skipped without effect on other tokens.
func TestLongTokens(t *testing.T) {
	const limit = 64
	long := strings.Repeat("unseen, ", 5*limit)
	for _, c := range []struct{ name, body, want string }{
		{"attribute", "a <img src='" + long + "'>b <p>c", "a b c"},
		{"end tag", "a </p " + long + ">b <p>c", "a b c"},
		{"comment", "a <!--" + long + "-->b <p>c", "a b c"},
		{"script", "a <script><p>" + long + "</p></script>b <p>c", "a b c"},
		{"style", "a <style>" + long + "</style>b <p>c", "a b c"},
		{"template", "a <template><p>" + long + "</template>b <p>c", "a b c"},
		{"text", "a " + strings.Repeat(".", 5*limit) + "b <p>c", "a b c"},
		{"title", "a <title>" + strings.Repeat("<p>", 4*limit) + "</title>b <p>c", "a" + strings.Repeat(" p", 4*limit) + " b c"},
		{"no end", "a <img src='" + long, "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(plainWords(pieces(c.body, limit)...), " "); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
