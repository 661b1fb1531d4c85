package config

import "testing"

// parseSize reads a size as String writes it.
func TestSizes(t *testing.T) {
	for text, want := range map[string]Size{"auto": Auto, "none": Unbounded, "64MiB": 64 << 20, "67108864": 64 << 20, "67108865B": 64<<20 + 1, "1GiB": 1 << 30, "1536MiB": 1536 << 20, "2TiB": 2 << 40} {
		got, err := parseSize(text)
		if err != nil || got != want {
			t.Errorf("%q: %d, %v", text, got, err)
		}
		if again, err := parseSize(got.String()); err != nil || again != got {
			t.Errorf("%q is written as %q: %d, %v", text, got.String(), again, err)
		}
	}
	for _, text := range []string{"", "0", "63MiB", "-1", "1.5GiB", "512M", "512 MiB", "9999999999TiB", "GiB", "x"} {
		if got, err := parseSize(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}
