package config

import (
	"testing"
	"time"
)

// Days stand before all other units, and are whole.
func TestSpan(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
	}{
		{"0", 0}, {"0d", 0}, {"1d", 24 * time.Hour}, {"7d", 168 * time.Hour}, {"1d12h", 36 * time.Hour}, {"1d.5h", 24*time.Hour + 30*time.Minute},
		{"90m", 90 * time.Minute}, {"-1h", -time.Hour}, {"106751d", 106751 * 24 * time.Hour},
	} {
		var got time.Duration
		if err := span(&got).Set(c.text); err != nil || got != c.want {
			t.Errorf("%s: %v, %v; want %v", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"", "d", "1", "1d1", "1d-1h", "-1d", "1.5d", "1h1d", "1d1d", "99999999d", "106751d24h", "99999d2400000h", "1d 2h", "1D"} {
		var got time.Duration
		if err := span(&got).Set(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// parseSize reads a size as String writes it.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		text string
		want Size
	}{{"auto", Auto}, {"none", Unbounded}, {"64MiB", 64 << 20}, {"67108864", 64 << 20}, {"67108865B", 64<<20 + 1}, {"1GiB", 1 << 30}, {"1536MiB", 1536 << 20}, {"2TiB", 2 << 40}} {
		got, err := parseSize(c.text)
		if err != nil || got != c.want {
			t.Errorf("%q: %d, %v", c.text, got, err)
		}
		if again, err := parseSize(got.String()); err != nil || again != got {
			t.Errorf("%q is written as %q: %d, %v", c.text, got.String(), again, err)
		}
	}
	for _, text := range []string{"", "0", "63MiB", "-1", "1.5GiB", "512M", "512 MiB", "9999999999TiB", "GiB", "x"} {
		if got, err := parseSize(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}
