package book_test

import (
	"strings"
	"testing"

	"dustbuster/operators/judge/lifecycle/book"
)

// Acts of other versions are refused, with the remedy, whatever members they have.
func TestDecodeOtherVersions(t *testing.T) {
	for _, c := range []struct{ name, version, want string }{
		{"none", "0", "read the logs again"},
		{"older", "3", "read the logs again"},
		{"newer", "5", "run the newer version"},
	} {
		for _, member := range []string{`"noise":0.5`, `"rule":{"same":["a"]}`} {
			if a, err := book.Decode([]byte(`{"v":` + c.version + `,` + member + `}`)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: version %s is read as %+v, %v", c.name, c.version, a, err)
			}
		}
	}
}
