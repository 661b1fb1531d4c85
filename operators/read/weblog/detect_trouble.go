package weblog

import (
	"bytes"
	"regexp"
)

// trouble returns what the bytes are if the first bytes are not lines of text, or an
// empty string.
func trouble(lines [][]byte) string {
	if len(lines) > 0 && IsUTF16(lines[0]) {
		return UTF16
	}
	if len(lines) > 0 && binary(lines) {
		return "it is binary data, not a log"
	}
	return ""
}

// tcpLine is a line of HAProxy's tcplog: address, time, frontend, backend and server, three times, bytes,
// two letters or dashes, counts.
var tcpLine = regexp.MustCompile(`:\d+ \[\d\d/[A-Z][a-z]{2}/\d{4}:[\d:.]+\] \S+ \S+/\S+ -?\d+/-?\d+/\+?-?\d+ \+?\d+ [A-Za-z-]{2} \d+/`)

// tcpLog says what to do with a log of connections.
const tcpLog = "it is HAProxy's tcplog, which logs connections and no requests: set mode http and option httplog"

// ofConnections reports whether most lines are of tcplog.
func ofConnections(lines [][]byte) bool {
	n := 0
	for _, line := range lines {
		if tcpLine.Match(line) {
			n++
		}
	}
	return n > 0 && 2*n >= len(lines)
}

// UTF16 says what to do with UTF-16 text.
const UTF16 = "it is UTF-16 text: convert it to UTF-8, as with iconv -f UTF-16 -t UTF-8"

// IsUTF16 reports whether text that begins with first is UTF-16: it has a byte order mark, or
// every second byte is NUL.
func IsUTF16(first []byte) bool {
	return bytes.HasPrefix(first, []byte("\xff\xfe")) || bytes.HasPrefix(first, []byte("\xfe\xff")) || zeros(first, 1) || zeros(first, 0)
}

// zeros reports whether exactly every second of the first bytes is NUL, beginning at
// start, as in Latin text in UTF-16 without a byte order mark.
func zeros(b []byte, start int) bool {
	b = b[:min(len(b), 64)]
	for i, c := range b {
		if (c == 0) != (i%2 == start) {
			return false
		}
	}
	return len(b) >= 8
}

// binary reports whether at least a tenth of the first bytes are bytes that no server
// writes: control bytes except tabs. NULs do not count, since crashes leave NULs in logs.
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
