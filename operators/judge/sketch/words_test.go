package sketch

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"It's 3.14, snake_case", "it s 3 14 snake case"},
		{"ÉCOLE Straße ΟΔΟΣ ДОМ", "école straße οδοσ дом"},
		{"e\u0301cole", "e\u0301cole"},
		{"हिन्दी भाषा", "हिन्दी भाषा"},
		{"한국어 문장", "한국어 문장"},
		{"中文abc字", "中 文 abc 字"},
		{"第一〇章⺺", "第 一 〇 章 ⺺"}, // 〇 is not a letter, but a word
		{"ひらカナ", "ひ ら カ ナ"},
		{"ไทย", "ไ ท ย"},
		{"٣٤ ½ ²", "٣٤"}, // digits, but not all numbers
		{"caf\xe9 \xc4\xc5\xcd!", "caf\xe9 \xc4\xc5\xcd"},
		{"a\ufffdb\x00c", "a b c"},
		{"  ", ""},
	} {
		words := plainWords(c.text)
		if !slices.Equal(words, strings.Fields(c.want)) {
			t.Errorf("%q: the oracle has %q, want %q", c.text, words, c.want)
		}
		s := Of("text/html", []byte(c.text))
		if s.Words != len(words) || s.MinHash != plainMinHash(words) {
			t.Errorf("%q: %d words, want %q", c.text, s.Words, words)
		}
	}
}
