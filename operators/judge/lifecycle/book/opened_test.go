package book_test

import (
	"fmt"
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/judge/sketch"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
)

func list(body string) []byte {
	return sketch.PageAt("/", "text/html", []byte("<p>"+body)).List
}

// The words of a pair are masked where they may be secrets, also where only the name before tells.
func TestWordsAreMasked(t *testing.T) {
	const u = `hello your password: hunter2 and mail ann@example.org or card 4111-1111-1111-1111 with "token": "abc99" end`
	for _, c := range []struct {
		name string
		veil secret.Veil
		want string
	}{
		{"veiled", secret.Veil{}, `your password: *** and mail *** or card *** with "token": ***`},
		{"lifted", secret.Veil{Lifted: true}, `your password: hunter2 and mail ann@example.org or card 4111-1111-1111-1111 with "token": "abc99"`},
	} {
		var o book.Opened
		o.Differ(list(u), list("hello end"), c.veil)
		if len(o.Words) != 1 || o.Words[0].U != c.want || o.Words[0].Before != "hello" || o.Words[0].After != "end" || o.Words[0].V != "" {
			t.Errorf("%s: %+v", c.name, o.Words)
		}
	}
}

// A pair keeps at most 40 words of each page, and none is long, whatever the pages hold.
func TestWordsAreBounded(t *testing.T) {
	const mostWords, longestWord = 40, 64
	var u, v strings.Builder
	for i := range 300 {
		fmt.Fprintf(&u, "w%d a%d ", i, i)
		fmt.Fprintf(&v, "w%d b%d\xff%s ", i, i, strings.Repeat("\u202eé", 30))
	}
	var o book.Opened
	o.Differ(list(u.String()), list(v.String()), secret.Veil{Lifted: true})
	n := [2]int{}
	for _, w := range o.Words {
		n[0] += len(strings.Fields(w.U))
		n[1] += len(strings.Fields(w.V))
		for _, word := range strings.Fields(w.Before + " " + w.U + " " + w.V + " " + w.After) {
			if len([]rune(word)) > longestWord+1 {
				t.Errorf("a word of %d bytes", len(word))
			}
		}
	}
	if n != [2]int{mostWords, mostWords} || o.U.More == 0 || o.V.More == 0 || o.Bytes() > 64<<10 {
		t.Errorf("%d words, %d and %d more, %d bytes", n, o.U.More, o.V.More, o.Bytes())
	}
}

// The pairs of a verdict come in its order and with its outcomes, whatever was kept.
func TestOpen(t *testing.T) {
	kept := []book.Opened{{U: book.Side{URL: "/c"}, V: book.Side{URL: "/d"}, At: 7, Outcome: "similar"}, {U: book.Side{URL: "/x"}, V: book.Side{URL: "/y"}, At: 8, Words: []book.Words{{U: "one"}}, Now: &book.Opened{U: book.Side{Status: 500}}}}
	all := book.Open([]rule.Example{{U: "/a", V: "/b", Outcome: "missing"}, {U: "/c", V: "/d", Outcome: "own_content"}}, kept)
	turned := book.Open([]rule.Example{{U: "/y", V: "/x"}}, kept)[0]
	if turned.U.URL != "/y" || turned.Words[0].V != "one" || turned.Now.V.Status != 500 || kept[1].Words[0].U != "one" {
		t.Errorf("turned: %+v", turned)
	}
	if len(all) != 2 || all[0].U.URL != "/a" || all[0].At != 0 || all[0].Outcome != "missing" || all[1].At != 7 || all[1].Outcome != "own_content" {
		t.Errorf("%+v", all)
	}
}
