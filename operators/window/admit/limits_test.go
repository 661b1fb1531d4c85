package admit

import (
	"strings"
	"testing"
)

func TestRefuses(t *testing.T) {
	l := Limits{MaxBytes: 20, MaxTokens: 10}
	for url, want := range map[string]bool{
		"/?/?/?/?/%2F": false, "/" + strings.Repeat("a", 19): false, // 10 tokens, 20 bytes
		"": true, "/ ": true, "/\x00": true, "/\x7f": true, "/é": true, `/"`: true, "/<": true, "/>": true,
		"/" + strings.Repeat("a", 20): true, "/?/?/?/?/??": true,
	} {
		if l.Refuses([]byte(url)) != want {
			t.Errorf("%q: refused is not %v", url, want)
		}
	}
}
