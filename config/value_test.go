package config

import (
	"testing"
	"time"
)

// Days stand before all other units, and are whole.
func TestSpan(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0": 0, "0d": 0, "1d": 24 * time.Hour, "7d": 168 * time.Hour, "1d12h": 36 * time.Hour, "1d.5h": 24*time.Hour + 30*time.Minute,
		"90m": 90 * time.Minute, "-1h": -time.Hour, "106751d": 106751 * 24 * time.Hour,
	} {
		var got time.Duration
		if err := span(&got).Set(text); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "d", "1", "1d1", "1d-1h", "-1d", "1.5d", "1h1d", "1d1d", "99999999d", "106751d24h", "99999d2400000h", "1d 2h", "1D"} {
		var got time.Duration
		if err := span(&got).Set(text); err == nil {
			t.Errorf("%q is %v", text, got)
		}
	}
}
