package urlnorm

import (
	"encoding/json"
	"testing"
)

// What separates parameters stands behind the first question mark, in a value too.
func TestSeparators(t *testing.T) {
	for _, c := range []struct {
		url  string
		want Separators
	}{
		{"", 0}, {"/", 0}, {"/a;b&c", 0}, {"/?", 0}, {"/p?a=1", 0}, {"/p;x=1?a=1", 0},
		{"/p?a=1&b=2", Ampersand}, {"/p?&", Ampersand}, {"/p?a?b&c", Ampersand},
		{"/p?a=1;b=2", Semicolon}, {"/p?;", Semicolon}, {"/p?a=http://a.example/?x;y", Semicolon},
		{"/p?a=1&b=2;c", Ampersand | Semicolon}, {"/p?a;b&c", Ampersand | Semicolon},
		{"www.a.example/p;q?a=1;b", Semicolon}, {"/p?a=%3Bb%26", 0},
	} {
		if got := SeparatorsIn([]byte(c.url)); got != c.want {
			t.Errorf("%s: %q, want %q", c.url, got, c.want)
		}
		all := Semicolon
		if all.Add([]byte(c.url)); all != c.want|Semicolon || !all.Has(c.want) || !all.Has(Semicolon) {
			t.Errorf("%s: added, %q", c.url, all)
		}
	}
}

func TestSeparatorsText(t *testing.T) {
	for _, c := range []struct {
		given Separators
		want  string
	}{{0, `""`}, {Ampersand, `"\u0026"`}, {Semicolon, `";"`}, {Ampersand | Semicolon, `"\u0026;"`}} {
		text, err := json.Marshal(c.given)
		var back Separators
		if err != nil || string(text) != c.want || json.Unmarshal(text, &back) != nil || back != c.given {
			t.Errorf("%d: %s, %v, read as %d", c.given, text, err, back)
		}
	}
	for _, bad := range []string{`";&"`, `"|"`, `"&&"`, `" "`, `1`} {
		var s Separators
		if err := json.Unmarshal([]byte(bad), &s); err == nil {
			t.Errorf("%s is read as %q", bad, s)
		}
	}
}
