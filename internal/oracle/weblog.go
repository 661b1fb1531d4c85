package oracle

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// ReadHit returns the mined string, the size and the user agent of an admitted line in the Common or
// Combined format. It is written from the definition of a hit, independently of the program's parser.
func ReadHit(line string) (url, size, agent string, ok bool) {
	request, rest := quoted(line)
	fields := strings.Fields(rest)
	if len(fields) < 2 || !countsStatus(fields[0]) { // old logs do not escape quotes
		request, rest = lastQuoted(line)
		fields = strings.Fields(rest)
	}
	_, rest = quoted(rest) // referrer
	agent, _ = quoted(rest)
	if len(fields) < 2 || !countsStatus(fields[0]) || strings.HasPrefix(agent, "dustbuster/") {
		return "", "", "", false
	}
	url, ok = mined(unescape(request))
	return url, fields[1], unescape(agent), ok
}

// quoted returns the text between the first quote and the next quote without a backslash
// before it, and the rest of the line.
func quoted(s string) (field, rest string) {
	_, s, _ = strings.Cut(s, `"`)
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return s[:i], s[i+1:]
		}
	}
	return s, ""
}

// lastQuoted returns the text between the first quote and the last, and the rest of the
// line.
func lastQuoted(s string) (field, rest string) {
	_, s, _ = strings.Cut(s, `"`)
	i := max(strings.LastIndexByte(s, '"'), 0)
	return s[:i], strings.TrimPrefix(s[i:], `"`)
}

var escapes = regexp.MustCompile(`\\(x[0-9a-fA-F]{2}|["\\ntrbv])`)

// unescape undoes the escaping of nginx and Apache.
func unescape(s string) string {
	return escapes.ReplaceAllStringFunc(s, func(e string) string {
		if e[1] == 'x' {
			c, _ := strconv.ParseUint(e[2:], 16, 8)
			return string([]byte{byte(c)})
		}
		return string("\"\\\n\t\r\b\v"[strings.IndexByte(`"\ntrbv`, e[1])])
	})
}

var (
	method   = regexp.MustCompile(`^[A-Z]+ `)
	protocol = regexp.MustCompile(` HTTP/\d(\.\d)?$`)
	control  = regexp.MustCompile(`[\x00-\x1f\x7f]`)
)

// mined returns the mined string of a request line, if the method and the target belong
// to a page of the log's own site. A target in absolute form names a host, and so belongs
// to another site.
func mined(request string) (string, bool) {
	m := method.FindString(request)
	if m != "GET " && !strings.HasPrefix(request, "/") {
		return "", false
	}
	target := protocol.ReplaceAllString(strings.TrimPrefix(request, m), "")
	target, _, _ = strings.Cut(target, "#")
	if !strings.HasPrefix(target, "/") || control.MatchString(target) {
		return "", false
	}
	target = encode(target)
	return target, len(target) <= 2048 && split(target).tokens() <= 400+2
}

// encode percent-encodes bytes that cannot stand in a URL.
func encode(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(" \"<>", s[i]) >= 0 || s[i] >= 0x80 {
			fmt.Fprintf(&b, "%%%02X", s[i])
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func countsStatus(s string) bool {
	return len(s) == 3 && s[0] == '2' && s != "204" && s != "206"
}
