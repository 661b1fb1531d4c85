package rule_test

import (
	"testing"

	"dustbuster/operators/rule"
)

// A drop of several names tells which of them a URL has.
func TestDropHeld(t *testing.T) {
	t.Parallel()
	query, path := rule.DropOf("a", "b", "c"), rule.DropOf("a", "b")
	path.InPath = true
	one := rule.DropOf("a")
	for _, c := range []struct {
		drop rule.Drop
		url  string
		want uint8
	}{
		{query, "/x?a=1", 1},
		{query, "/x?c=1&x=2;a", 5},
		{query, "/x;b=2?bb=1", 0},
		{query, "/x", 0},
		{path, "/x;b=2/y;a?b=1", 3},
		{path, "/x?a=1", 0},
		{one, "/x?a=1", 0},
	} {
		if got := c.drop.Held([]byte(c.url)); got != c.want {
			t.Errorf("%v in %s: %b, want %b", c.drop, c.url, got, c.want)
		}
	}
	if got := query.Only(5); got != rule.DropOf("a", "c") {
		t.Errorf("%v", got)
	}
	if got := path.Only(2); got.Param != "b" || !got.InPath {
		t.Errorf("%v", got)
	}
}
