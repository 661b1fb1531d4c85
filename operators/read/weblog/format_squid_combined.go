package weblog

import "bytes"

// squidCombined is Squid's format combined.
var squidCombined = Format{
	Name:        "squid_combined",
	Description: "Squid's combined format: combined, cache result, hierarchy; the size is that of the whole answer",
	Pattern:     combined.Pattern + ` %{result}n:%{hierarchy}n`,
	Example: `192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET http://www.example.org/a?b=1 HTTP/1.1" 200 5120 "-" "Mozilla/5.0" ` +
		`TCP_MISS:FIRSTUP_PARENT`,
	Size:     SizeTotal,
	SizeNote: squidQueries,
	plausible: func(h *Hit, line []byte) bool {
		result, hierarchy, ok := bytes.Cut(line[bytes.LastIndexByte(line, ' ')+1:], []byte(":"))
		return ok && len(h.Client) > 0 && squidWord(result) && squidWord(hierarchy)
	},
}

// squidWord reports whether b is a code of Squid, such as TCP_MISS. Other servers end a
// line with an address or a quoted list.
func squidWord(b []byte) bool {
	return len(b) > 3 && len(bytes.Trim(b, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_")) == 0
}
