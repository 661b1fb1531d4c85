package weblog

import (
	"strings"
	"testing"
)

// TestDetectDashes: logs with a dash more, or without addresses, are in combined and common.
func TestDetectDashes(t *testing.T) {
	for _, c := range []struct{ name, line, format string }{
		{"a dash more", strings.Replace(combined.Example, " - - ", " - - - ", 1), "combined"},
		{"a dash more, common", strings.Replace(common.Example, " - - ", " - - - ", 1), "common"},
		{"no address", strings.Replace(combined.Example, "192.0.2.7", "-", 1), "combined"},
		{"no address, common", strings.Replace(common.Example, "192.0.2.7", "-", 1), "common"},
		{"a host", "www.example.org " + combined.Example, "vhost_combined"},
		{"a host that is an address", "198.51.100.2 " + combined.Example, "combined_forwarded"},
	} {
		t.Run(c.name, func(t *testing.T) {
			best, ok := Detect([][]byte{[]byte(c.line)}).Best()
			if !ok || best.Format.Name != c.format {
				t.Errorf("%s: %s, %t, want %s", c.line, best.Format.Name, ok, c.format)
			}
		})
	}
}
