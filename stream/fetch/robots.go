package fetch

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"dustbuster/operators/rule/dust"
)

// product is the name of this program in robots.txt.
const product = "dustbuster"

// robots holds the rules of a robots.txt for this program: the group that names it, or else
// that of all others (RFC 9309, section 2.2.1). The zero value allows everything.
type robots struct {
	lines []line
	size  int           // bytes of memory, approximately
	delay time.Duration // Crawl-delay, which is not in the RFC but in many files; 0: none
}

// line is one allow or disallow.
type line struct {
	pattern string // in the form of pattern()
	allow   bool
}

// lineSize is the memory of a line without its pattern, in bytes: 24, doubled by the
// growth of the slice.
const lineSize = 48

// maxRobots bounds the bytes read of a robots.txt (RFC 9309, section 2.5).
const maxRobots = 500 << 10

// parseRobots parses a robots.txt. Lines that make no sense are left out, as the RFC
// asks. The result holds at most the lines of one group.
func parseRobots(text []byte) *robots {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	var groups [2]robots // of all others, and of this program
	var in [2]bool
	named, naming := false, false // named: some group names this program; naming: the previous line named an agent
	for raw := range bytes.FieldsFuncSeq(text, func(r rune) bool { return r == '\r' || r == '\n' }) {
		key, value := field(raw)
		switch key {
		case "user-agent":
			if !naming {
				in = [2]bool{}
			}
			us := agent(value) == product
			in[0] = in[0] || agent(value) == "*"
			in[1] = in[1] || us
			named, naming = named || us, true
		case "allow", "disallow", "crawl-delay":
			naming = false
			for i := range groups {
				if in[i] {
					groups[i].add(key, value)
				}
			}
		}
	}
	if named {
		return &groups[1]
	}
	return &groups[0]
}

// field splits a line. A space separates the parts if the colon is missing.
func field(raw []byte) (key, value string) {
	raw, _, _ = bytes.Cut(raw, []byte{'#'})
	k, v, ok := bytes.Cut(raw, []byte{':'})
	if !ok {
		if both := bytes.Fields(raw); len(both) == 2 {
			k, v = both[0], both[1]
		}
	}
	return strings.ToLower(string(bytes.TrimSpace(k))), string(bytes.TrimSpace(v))
}

// agent returns the product token at the start of a value: "DustBuster/1.0" means this
// program.
func agent(value string) string {
	if value == "*" || strings.HasPrefix(value, "* ") {
		return "*"
	}
	end := 0
	for end < len(value) && (dust.IsAlnum(value[end]) || value[end] == '-' || value[end] == '_') {
		end++
	}
	return strings.ToLower(value[:end])
}

func (r *robots) add(key, value string) {
	switch {
	case key == "crawl-delay":
		if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 {
			r.delay = time.Duration(math.Ceil(min(seconds, forever.Seconds()) * 1e9))
		}
	case value != "":
		l := line{pattern(value), key == "allow"}
		r.lines = append(r.lines, l)
		r.size += lineSize + len(l.pattern)
	}
}

// allowed reports whether a path and query may be fetched. The longest matching pattern
// decides. Among patterns of equal length, the one that allows decides (RFC 9309,
// section 2.2.2).
func (r *robots) allowed(path string) bool {
	path = normal(path, "*$")
	allow, length := true, 0
	for _, l := range r.lines {
		if n := len(l.pattern); n >= length && matches(l.pattern, path) {
			allow, length = l.allow || n == length && allow, n
		}
	}
	return allow
}

// pattern converts the value of a line into the form that matches expects: normal, with
// * and a final $ as the only special characters.
func pattern(value string) string {
	value, end := strings.CutSuffix(value, "$")
	p := normal(value, "$")
	if !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "*") {
		p = "/" + p
	}
	if end {
		p += "$"
	}
	return p
}

// matches reports whether a pattern matches a path from its beginning. Each piece
// between two stars matches at its first occurrence, which leaves the most to the later
// pieces. So the time is linear.
func matches(pattern, path string) bool {
	pattern, anchored := strings.CutSuffix(pattern, "$")
	pieces := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(path, pieces[0])
	if !ok {
		return false
	}
	if len(pieces) == 1 {
		return !anchored || rest == ""
	}
	last := pieces[len(pieces)-1]
	for _, piece := range pieces[1 : len(pieces)-1] {
		at := strings.Index(rest, piece)
		if at < 0 {
			return false
		}
		rest = rest[at+len(piece):]
	}
	if anchored {
		return strings.HasSuffix(rest, last)
	}
	return strings.Contains(rest, last)
}

// normal makes equal URLs comparable (RFC 9309, section 2.2.2). Unreserved characters
// are decoded. Characters outside ASCII, and characters in also, are encoded with
// upper-case digits.
func normal(s, also string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		c, encoded := s[i], false
		if c == '%' {
			if octet, ok := dust.Escape(s, i); ok {
				c, encoded = octet, true
				i += dust.EscapeBytes - 1
			}
		}
		switch {
		case encoded && (dust.IsAlnum(c) || strings.IndexByte("-._~", c) >= 0):
			b.WriteByte(c)
		case encoded, c <= ' ', c >= 0x7f, strings.IndexByte(also, c) >= 0:
			fmt.Fprintf(&b, "%%%02X", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
