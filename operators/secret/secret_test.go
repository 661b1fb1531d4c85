package secret

import "testing"

func TestLooks(t *testing.T) {
	for text, want := range map[string]bool{
		"":                                     false,
		"/story?id=12":                         false,
		".html?commentlimit=0":                 false,
		"/presentations/logstash-preso-1.0/":   false,
		"internationalization2015":             false,
		"a-very-long-title-of-a-page-of-2015":  false,
		"20150314152653":                       false, // a time, not a key
		"?sid=9f3c":                            false, // too short to be one
		"?sid=9f3c2b7d81e04a6f":                true,
		"PHPSESSID=k7vq2m0c9p4r1t8u3w5x6y":     true,
		"550e8400-e29b-41d4-a716-446655440000": true,
		"me@example.org":                       true,
		"?to=me%40example.org&":                true,
		"@example.org":                         false,
		"name@2x.png":                          true, // looks like one: the safe side
		"a@b":                                  false,
	} {
		if got := Looks(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestMask(t *testing.T) {
	for text, want := range map[string]string{
		"":                                      "",
		"/story?id=12&x":                        "/story?id=12&x",
		"/reset/9f3c2b7d81e04a6f/":              "/reset/***/",
		"/a?sid=9f3c2b7d81e04a6f;to=me%40x.org": "/a?sid=***;to=***",
		"/550e8400-e29b-41d4-a716-446655440000": "/***",
		`fetch "/x?9f3c2b7d81e04a6f" of site "a.example": action`: `fetch "/x?***" of site "a.example": action`,
		"//x//": "//x//",
	} {
		if got := Mask(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
