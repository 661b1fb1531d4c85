package book

import (
	"strings"
	"testing"
)

// Acts of other versions are refused, with the remedy, whatever members they have.
func TestDecodeOtherVersions(t *testing.T) {
	for version, want := range map[string]string{"0": "read the logs again", "3": "read the logs again", "5": "run the newer version"} {
		for _, member := range []string{`"noise":0.5`, `"rule":{"same":["a"]}`} {
			if a, err := Decode([]byte(`{"v":` + version + `,` + member + `}`)); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("version %s is read as %+v, %v", version, a, err)
			}
		}
	}
}
