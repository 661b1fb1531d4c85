package kafka

import (
	"strings"
	"testing"
	"time"
)

// A transaction that holds the same offset for a minute hangs, and is told once a minute. One that moves on
// does not, however long records are behind some transaction.
func TestHanging(t *testing.T) {
	var h held
	begin := time.Unix(1e9, 0)
	for i, c := range []struct {
		second, stable, high int64
		tell, hangs          bool
	}{
		{0, 10, 10, false, false},
		{1, 10, 17, false, false},
		{60, 10, 18, false, false},
		{61, 10, 19, true, true},
		{62, 10, 20, false, true},
		{121, 10, 20, true, true},
		{122, 15, 20, false, false}, // another is open
		{181, 15, 20, false, false},
		{182, 15, 20, true, true},
		{183, 20, 20, false, false},
		{300, 20, 20, false, false},
		{301, -1, 20, false, false}, // an old broker does not say
		{400, -1, 20, false, false},
	} {
		now := begin.Add(time.Duration(c.second) * time.Second)
		if tell := h.look(c.stable, c.high, now); tell != c.tell || h.hangs(now) != c.hangs || c.hangs && h.offsets != c.high-c.stable {
			t.Errorf("step %d: tell %v, hangs %v, %+v", i, tell, h.hangs(now), h)
		}
	}
	h.look(10, 17, begin)
	if said := h.error("o", 3).Error(); !strings.Contains(said, "7 offsets") || !strings.Contains(said, "at offset 10") || !strings.Contains(said, `topic "o", partition 3`) {
		t.Error(said)
	}
}
