package config

import (
	"strings"
	"testing"
)

func TestExpand(t *testing.T) {
	env := map[string]string{"A": "a", "_B2": "$A${A}", "EMPTY": ""}
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"plain", "plain"},
		{"${A}", "a"},
		{"x${A}y${A}z", "xayaz"},
		{"${_B2}", "$A${A}"}, // not looked through again
		{"${EMPTY}", ""},
		{"${EMPTY:-d}", "d"},
		{"${NOSUCH:-}", ""},
		{"${NOSUCH:-a b: [$c] \"{}", "a b: [$c] \"{"},
		{"${A:-d}", "a"},
		{"$host $A $1 $", "$host $A $1 $"},
		{"$$", "$"},
		{"$$$$", "$$"},
		{"$${A}", "${A}"},
		{"$$${A}", "$a"},
		{"$$A", "$A"},
		{"'$remote_addr' [$${host}]", "'$remote_addr' [${host}]"},
	} {
		if got, err := expand(c.text, env); err != nil || got != c.want {
			t.Errorf("%q: got %q, %v, want %q", c.text, got, err, c.want)
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
	for _, c := range []struct{ word, want string }{
		{"stat", "state"}, {"sit", "site"}, {"sate", "state"}, {"formats", "format"}, {"bucketlow", "bucket_low"}, {"bukket_lo", "bucket_low"},
		{"x", ""}, {"", ""}, {"none", ""}, {"ståte", "state"}, {"port", ""},
	} {
		if got := Nearest(c.word, names); got != c.want {
			t.Errorf("%q: got %q, want %q", c.word, got, c.want)
		}
	}
}
