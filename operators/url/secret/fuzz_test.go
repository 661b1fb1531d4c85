package secret

import (
	"strings"
	"testing"
)

// No text makes InURL or mask panic, a masked text holds no secret any more, and InURL and
// mask agree.
func FuzzLooks(f *testing.F) {
	w := newWorld(3)
	for _, all := range w.planted() {
		for _, s := range all {
			f.Add(s)
			f.Add(within(s)[3])
		}
	}
	for _, s := range []string{"/x.git/" + strings.Repeat("0", 40), "%", "%25%", "+", "=", "password===x", "a@", "@@", "BEGIN", "4111-", "DE89+"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		masked := (Veil{}).Mask(text)
		if InURL(text) != (masked != text) {
			t.Errorf("%q: InURL %v, masked as %q", text, InURL(text), masked)
		}
		if InURL(masked) {
			t.Errorf("%q is masked as %q", text, masked)
		}
		if InURL(text) && !hidden(text) {
			t.Errorf("%q looks like a secret as a URL only", text)
		}
	})
}
