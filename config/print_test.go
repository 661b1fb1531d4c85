package config

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Any text of a value is printed in a form that Load reads as the same text.
func TestPrintedTextsAreReadAgain(t *testing.T) {
	texts := []string{"~", "null", "true", "1", "1e3", "0x1", "- a", "a: b", "a #b", "<<", "!!str a", "&a", "*a", " a ", "a\n\n b\n", "--- a",
		"2026-01-01", "${HOME}", "$$", "\u2028", "\u2029", "\ufeff", "\ufffd", "\uffff", "\U0001f600", "\ue000", strings.Repeat("long word ", 50)}
	for r := range rune(0x200) {
		texts = append(texts, string(r), "a"+string(r)+"b")
	}
	for some := range slices.Chunk(texts, len(textFields(new(Config)))) {
		c := Defaults()
		for i, text := range some {
			*textFields(&c)[i] = text
		}
		var out bytes.Buffer
		must(t, c.Print(&out, false))
		got, err := load("x.yml", out.Bytes(), nil, nil)
		if err != nil {
			t.Errorf("%q: %v", some, err)
			continue
		}
		for i, text := range some {
			if field := *textFields(&got)[i]; field != text {
				t.Errorf("%q: got %q", text, field)
			}
		}
	}
}

// textFields returns the fields that take any text.
func textFields(c *Config) []*string {
	return []*string{&c.Write.Rules, &c.Keep.State, &c.Write.Events, &c.Kafka.Group, &c.Kafka.TLS.CA, &c.Kafka.TLS.ServerName}
}

func TestSecretIsNotTold(t *testing.T) {
	c := Defaults()
	c.Keep.HashKey = "000102030405060708090a0b0c0d0e0f"
	var out strings.Builder
	_ = c.Print(&out, true)
	fmt.Fprintf(&out, "%v %+v %#v %s %q", c, c, c, c.Keep.HashKey, c.Keep.HashKey)
	if strings.Contains(out.String(), "0001") || !strings.Contains(out.String(), `hash_key: "********"`) {
		t.Error(out.String())
	}
	if key, ok := c.Key(); !ok || key != [2]uint64{0x0001020304050607, 0x08090a0b0c0d0e0f} {
		t.Errorf("%x, %v", key, ok)
	}
	c.Keep.HashKey = ""
	if _, ok := c.Key(); ok {
		t.Error("a key of nothing")
	}
}

func TestFormatSpan(t *testing.T) {
	for _, c := range []struct {
		given time.Duration
		want  string
	}{
		{0, "0"}, {time.Hour, "1h"}, {24 * time.Hour, "24h"}, {90 * time.Minute, "1h30m"}, {10 * time.Minute, "10m"}, {10 * time.Second, "10s"},
		{time.Hour + time.Second, "1h0m1s"}, {100 * time.Millisecond, "100ms"}, {-2 * time.Hour, "-2h"}, {70 * time.Second, "1m10s"},
	} {
		if got := formatSpan(c.given); got != c.want {
			t.Errorf("%v: got %s, want %s", int64(c.given), got, c.want)
		}
		if back, err := time.ParseDuration(formatSpan(c.given)); err != nil || back != c.given {
			t.Errorf("%s: %v, %v", formatSpan(c.given), back, err)
		}
	}
}
