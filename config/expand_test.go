package config

import (
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	env := map[string]string{"A": "a", "_B2": "$A${A}", "EMPTY": ""}
	for text, want := range map[string]string{
		"":                          "",
		"plain":                     "plain",
		"${A}":                      "a",
		"x${A}y${A}z":               "xayaz",
		"${_B2}":                    "$A${A}", // not looked through again
		"${EMPTY}":                  "",
		"${EMPTY:-d}":               "d",
		"${NOSUCH:-}":               "",
		"${NOSUCH:-a b: [$c] \"{}":  "a b: [$c] \"{",
		"${A:-d}":                   "a",
		"$host $A $1 $":             "$host $A $1 $",
		"$$":                        "$",
		"$$$$":                      "$$",
		"$${A}":                     "${A}",
		"$$${A}":                    "$a",
		"$$A":                       "$A",
		"'$remote_addr' [$${host}]": "'$remote_addr' [${host}]",
	} {
		if got, err := expand(text, env); err != nil || got != want {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
	for _, text := range []string{"${", "${}", "${A", "${A-d}", "${A:-d", "${2}", "${a b}", "${NOSUCH}", "${a}"} {
		if got, err := expand(text, env); err == nil {
			t.Errorf("%q: got %q, want an error", text, got)
		}
	}
}

// All short texts over the significant characters.
func TestEscape(t *testing.T) {
	texts := []string{""}
	for range 6 {
		for _, s := range texts {
			for _, c := range "${}A" {
				texts = append(texts, s+string(c))
			}
		}
		for _, s := range texts {
			if got, err := expand(escape(s), nil); err != nil || got != s {
				t.Fatalf("%q as %q: got %q, %v", s, escape(s), got, err)
			}
		}
		if len(texts) > 5000 {
			return
		}
	}
}

func TestNearest(t *testing.T) {
	names := strings.Fields("state site format inputs bucket_low")
	for word, want := range map[string]string{
		"stat": "state", "sit": "site", "sate": "state", "formats": "format", "bucketlow": "bucket_low", "bukket_lo": "bucket_low",
		"x": "", "": "", "none": "", "ståte": "state", "port": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
}
