package public_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"dustbuster/operators/window/public"
)

// settledOf returns the settled URLs of a window.
func settledOf(window map[string]uint16) (settled []string) {
	urls := slices.Sorted(maps.Keys(window))
	masks := make([]uint16, len(urls))
	for i, url := range urls {
		masks[i] = window[url]
	}
	for i, is := range public.Settle(masks, slices.All(urls)) {
		if is {
			settled = append(settled, urls[i])
		}
	}
	return settled
}

// A URL is settled if its kind and parts have three clients, and its short values two. Text that may be one client's
// own counts by itself.
func TestSettle(t *testing.T) {
	for _, c := range []struct {
		name   string
		window map[string]uint16
		want   []string
	}{
		{"a public kind", map[string]uint16{"/item/1": 1, "/item/2": 2, "/item/3": 4}, []string{"/item/1", "/item/2", "/item/3"}},
		{"two clients", map[string]uint16{"/item/1": 1, "/item/2": 2, "/item/3": 2}, nil},
		{"words", map[string]uint16{"/a": 1, "/b": 2, "/c": 7}, []string{"/c"}},
		{"values", map[string]uint16{"/i?v=1": 1, "/i?v=2": 6, "/i?v=3": 4}, []string{"/i?v=2"}},
		{"a command", map[string]uint16{"/i/1?do=edit": 3, "/i/2?do=show": 7}, []string{"/i/2?do=show"}},
		{"sessions", map[string]uint16{"/i?sid=8s7d6f5g4h": 1, "/i?sid=9s7d6f5g4h": 6, "/i?sid=7s7d6f5g4h": 7}, []string{"/i?sid=7s7d6f5g4h"}},
		{"long numbers", map[string]uint16{"/i/1234567": 1, "/i/2345678": 7, "/i/3": 1}, []string{"/i/2345678", "/i/3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := settledOf(c.window); !slices.Equal(got, c.want) {
				t.Errorf("settled are %q, want %q", got, c.want)
			}
		})
	}
}

// Numbers of a public kind do not make words beside them public.
func TestTailOfNumbers(t *testing.T) {
	window := map[string]uint16{}
	for i := range 14 {
		window[fmt.Sprintf("/user/%d", i)] = 0xffff // settled
	}
	for i := range 20 {
		window[fmt.Sprintf("/user/act%c", 'a'+i)] = 1 << (i % 8)
	}
	k := public.New([2]uint64{}, len(window), maps.All(window))
	if k.Asked("/user/acta") || !k.Asked("/user/3") {
		t.Errorf("asked for: a word %v, a number %v", k.Asked("/user/acta"), k.Asked("/user/3"))
	}
}
