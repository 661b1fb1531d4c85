package cli

import (
	"dustbuster/internal/planted"
	"dustbuster/operators/url/secret"
	"strings"
	"testing"
)

// Malformed lines, which are logged and sent as dead letters, are masked before they are cut.
func TestLinesAreMasked(t *testing.T) {
	for name, s := range planted.Secrets {
		line := strings.Repeat("x", malformedBytes-len(s)/2-1) + "/" + s + "/y"
		for _, lifted := range []bool{false, true} {
			veil := secret.Veil{Lifted: lifted}
			if all := Masked("192.0.2.1 - GET /x?a="+s+" HTTP/1.1", veil); strings.Contains(all, s) != lifted || strings.Contains(all, "192.0.2.1") {
				t.Errorf("%s: veil lifted %v: %s", name, lifted, all)
			}
			if text := quoted([]byte(line), veil); strings.Contains(text, s[:len(s)/2]) != lifted {
				t.Errorf("%s: veil lifted %v: %s", name, lifted, text)
			}
		}
	}
}
