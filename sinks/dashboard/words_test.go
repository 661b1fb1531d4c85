package dashboard

import (
	"regexp"
	"strings"
	"testing"
)

// insider are words that only this program has. They are for JSON and the code, and stand on no page.
var insider = regexp.MustCompile(`(?i)\b(withheld|tally|neither told|provisional\w*|candidates?|verdicts?|crowded|panes?|fold(ed|s)?|shed|likely rules?|valid rules?|without proof|pages they had|on trial|new trial|proves? nothing|envelopes?|support)\b`)

// parted is what stands between sentences.
var parted = regexp.MustCompile(`\. | · |; |\d\d:\d\d`)

// No page shows a word that only this program has, and none says a sentence of more than 28 words.
func TestWords(t *testing.T) {
	h := serve(newWorld(9, 5, plain))
	for _, address := range addresses("www0.example") {
		t.Run(address, func(t *testing.T) {
			_, text := shape(t, get(t, h, address).Body.String())
			for line := range strings.Lines(text) {
				if word := insider.FindString(line); word != "" {
					t.Errorf("%q in %.300s", word, strings.TrimSpace(line))
				}
				for _, sentence := range parted.Split(line, -1) {
					if n := len(strings.Fields(sentence)); n > 28 {
						t.Errorf("%d words: %s", n, sentence)
					}
				}
			}
		})
	}
}
