package query

import "testing"

func TestRestOfURL(t *testing.T) {
	for _, c := range []struct {
		url, param, want string
		has              bool
	}{
		{"/?a=1&n=2;b=3", "n", "/?a=1&b=3", true},
		{"/?n", "n", "/", true},
		{"/?a=n", "n", "/?a=n", false},
		{"/n", "n", "/n", false},
		{"/?n=1&a;n", "n", "/?a", true},
		{"/?=n&a", "", "/?=n&a", false},
	} {
		if got, has := Rest([]byte(c.url), c.param); string(got) != c.want || has != c.has {
			t.Errorf("%s without %s: %s (%v), want %s (%v)", c.url, c.param, got, has, c.want, c.has)
		}
	}
}
