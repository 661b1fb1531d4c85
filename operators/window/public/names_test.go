package public

import (
	"slices"
	"strings"
	"testing"
)

// Numbers, and titles, are one name each.
func TestNames(t *testing.T) {
	for _, c := range []struct{ url, want string }{
		{"/a", ""},
		{"/a?", ""},
		{"/a?b=1&c;b=2", "b c b"},
		{"/a?17=x&=7&&18", "# #"},
		{"h.example/a?one-two-three-four", "~"},
		{"/a?b?c=d", "b?c"},
	} {
		if got := strings.Join(slices.Collect(Names(c.url)), " "); got != c.want {
			t.Errorf("%s has the names %q, want %q", c.url, got, c.want)
		}
	}
	for range Names("/?a&b") {
		break
	}
}
