package weblog

import "bytes"

// trouble says what is in the place of lines of text, as far as their first bytes
// tell; an empty string if nothing is wrong.
func trouble(lines [][]byte) string {
	if len(lines) == 0 {
		return ""
	}
	first := lines[0]
	switch {
	case bytes.HasPrefix(first, []byte("\xff\xfe")), bytes.HasPrefix(first, []byte("\xfe\xff")), zeros(first, 1), zeros(first, 0):
		return "it is UTF-16 text: convert it to UTF-8, as with iconv -f UTF-16 -t UTF-8"
	case binary(lines):
		return "it is binary data, not a log"
	}
	return ""
}

// zeros reports whether every second byte of the first few is NUL, from the one
// at start on, as of Latin text in UTF-16 without a mark.
func zeros(b []byte, start int) bool {
	b = b[:min(len(b), 64)]
	for i, c := range b {
		if (c == 0) != (i%2 == start) {
			return false
		}
	}
	return len(b) >= 8
}

// binary reports whether a tenth or more of the first bytes is such as no server
// writes: control bytes but tabs, leaving out NULs, which crashes leave in logs.
func binary(lines [][]byte) bool {
	seen, strange := 0, 0
	for _, line := range lines {
		for _, c := range bytes.TrimSuffix(line, []byte("\r")) {
			seen++
			if c != 0 && c < ' ' && c != '\t' {
				strange++
			}
		}
		if seen > 4096 {
			break
		}
	}
	return 10*strange > seen
}
