package tail

import (
	"bytes"
	"slices"
	"testing"
)

// plainCut is the oracle: it cuts the whole of a finished text at once.
func plainCut(text []byte, maxLine int) (lines [][]byte, oversized int) {
	for at := 0; at < len(text); {
		end := bytes.IndexByte(text[at:], '\n')
		if end < 0 {
			break
		}
		from, line := at, text[at:at+end]
		at += end + 1
		// Each line is examined from its beginning, as if its bytes arrived one by one.
		for {
			null := bytes.IndexByte(line, 0)
			if null >= 0 && null <= maxLine {
				run := len(line[null:]) - len(bytes.TrimLeft(line[null:], "\x00"))
				behind := from + null + run
				if run < minRun || behind%pageSize == 0 {
					line = nil
					break
				}
				from, line = behind, line[null+run:]
				continue
			}
			if len(line) > maxLine {
				oversized++
				line = nil
				break
			}
			lines = append(lines, line)
			break
		}
	}
	return lines, oversized
}

func FuzzCut(f *testing.F) {
	nulls := bytes.Repeat([]byte{0}, 40)
	f.Add([]byte("a\nbb\n\nccc"), uint8(4), []byte{2, 3})
	f.Add([]byte("a long long line\nx\n"), uint8(3), []byte{1})
	f.Add(slices.Concat([]byte("torn"), nulls, []byte("whole\nnext\n")), uint8(20), []byte{7})
	f.Add(slices.Concat([]byte("x\n"), nulls[:9], []byte("torn\nnext\n")), uint8(20), []byte{60})
	f.Add(slices.Concat(nulls, []byte("x\n"), nulls, nulls, []byte("\n")), uint8(5), []byte{13})
	f.Fuzz(func(t *testing.T, text []byte, bound uint8, steps []byte) {
		cutAgrees(t, text, int(bound%64), steps)
	})
}

func cutAgrees(t *testing.T, text []byte, maxLine int, steps []byte) {
	t.Helper()
	c := cutter{maxLine: maxLine}
	var got [][]byte
	at, last := 0, 0
	for i := 0; ; i++ {
		room := maxLine + 1
		if len(steps) > 0 {
			room += int(steps[i%len(steps)])
		}
		data := bytes.Clone(text[at:min(len(text), at+room)])
		used, end := c.cut(data, int64(at))
		if end > 0 {
			last = at + end
		}
		for line := range bytes.Lines(c.join(data)) {
			got = append(got, bytes.TrimSuffix(line, []byte("\n")))
		}
		at += used
		if at == len(text) || used == 0 {
			break
		}
	}
	want, oversized := plainCut(text, maxLine)
	if !slices.EqualFunc(got, want, bytes.Equal) || c.oversized != oversized {
		t.Fatalf("%q, at most %d: got %q and %d oversized, want %q and %d", text, maxLine, got, c.oversized, want, oversized)
	}
	if newline := bytes.LastIndexByte(text, '\n') + 1; last != newline {
		t.Fatalf("%q: last line ends at %d, want %d", text, last, newline)
	}
}

// All texts of up to eight letters are tried, in pieces of all sizes.
func TestCutSmallWorld(t *testing.T) {
	const letters = "a\n\x00"
	text := make([]byte, 0, 7)
	var try func()
	try = func() {
		for bound := range 3 {
			for step := range byte(3) {
				cutAgrees(t, text, bound, []byte{step})
			}
		}
		if len(text) == cap(text) {
			return
		}
		for _, letter := range []byte(letters) {
			text = append(text, letter)
			try()
			text = text[:len(text)-1]
		}
	}
	try()
}

func TestRotatedNames(t *testing.T) {
	const base = "access.log"
	oldestFirst := []string{
		"access.log-20240102.gz", "access-2024-01-02T15.log", "access-2024-02-01.log", "access.log-20240303-17",
		"access.log.10.gz", "access.log.2.zst", "access.1.log", "access.log.1", "access.log.0",
	}
	var previous age
	for i, name := range oldestFirst {
		a, ok := rotated(base, name)
		if !ok || i > 0 && i != 1 && i != 2 && i != 3 && compareAge(previous, a) > 0 {
			t.Errorf("%s: %v, %+v after %+v", name, ok, a, previous)
		}
		previous = a
	}
	now, _ := rotated(base, base+".processed")
	if before, _ := rotated(base, base+".processed.1.gz"); compareAge(before, now) >= 0 {
		t.Errorf("%+v is not older than %+v", before, now)
	}
	for _, name := range []string{base, "error.log.1", "access.log.stat", "access.log.webstat", "access.log.processedx", "access.log.swp", "access.log.1x", "ssl-access.log.1", "access.logs", "access.log~", "access-api.log"} {
		if _, ok := rotated(base, name); ok {
			t.Errorf("%s is taken for a generation of %s", name, base)
		}
	}
	for _, name := range []string{"access.log.gz", "access.log.old", "access.log.processed", "access.log.processed.1.gz"} {
		if _, ok := rotated(base, name); !ok {
			t.Errorf("%s is none", name)
		}
	}
}

// Each rotated name leads to its log, as the plain definition says.
func TestOrigins(t *testing.T) {
	names := []string{
		"access.log", "access.log.1", "access.log.2.gz", "access.log-20240102", "access-2024-01-02T15.log", "access.1.log",
		"access.log.old", "access_log", "access_log.processed", "access_log.processed.1.gz", "access.log.gz", "a-1-2.log-3.zst",
		"a", "a-1", "a-1.2", "a.1", ".1", "-1", "a.log.1.2.3", "a.b-1.log", "a.prev.log", "a.log.prev", "a-1-2.log", "a-1.log", "a.log", "a-1-2.log-3", "a-1.log-3",
	}
	for _, name := range names {
		var want, got []string
		for _, base := range names {
			if _, ok := rotated(base, name); ok {
				want = append(want, base)
			}
		}
		found := map[string]bool{}
		for base := range origins(name) {
			found[base] = true
		}
		for _, base := range names {
			if found[base] {
				got = append(got, base)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
