package book

import (
	"strings"
	"testing"
)

// Acts of other versions are refused, with the remedy, whatever members they have.
func TestDecodeOtherVersions(t *testing.T) {
	for _, version := range []string{"0", "1", "2", "3", "5"} {
		for _, member := range []string{`"noise":0.5`, `"rule":{"same":["a"]}`} {
			if a, err := Decode([]byte(`{"v":` + version + `,` + member + `}`)); err == nil || !strings.Contains(err.Error(), "read the logs again") {
				t.Errorf("version %s is read as %+v, %v", version, a, err)
			}
		}
	}
}
