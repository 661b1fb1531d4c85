package wrap

import (
	"bytes"
	"slices"
)

// syslog is a line as syslog daemons write and send it. A priority may precede the line;
// files have none.
//
//	<190>Jan  2 15:04:05 host nginx: LINE                  RFC 3164; nginx and HAProxy may leave the host out
//	2006-01-02T15:04:05.678901-07:00 host nginx[12]: LINE  rsyslog's and journalctl's
//	<190>1 2006-01-02T15:04:05Z host nginx 12 - - LINE     RFC 5424
//	2006-01-02T15:04:05.678901234Z LINE                    docker logs -t, kubectl logs --timestamps
//	httpd LINE                                             Apache's piped logs through logger -t
//
// The count of bytes of a frame (RFC 6587) may precede all: "83 <190>1 ...". A tag may lack its colon
// before an address (rsyslog's imfile), and the structured data may be missing (Heroku).
// LINE may begin with "@cee:", the mark of JSON.
var syslog = Wrapper{
	Name:        "syslog",
	Description: "syslog (RFC 3164 or 5424, with priority or without), also journalctl's own output, or a time alone",
	Example:     `<190>Jan  2 15:04:05 www nginx: ` + exampleLine,
	unwrap:      (*Unwrapper).syslog,
}

func (u *Unwrapper) syslog(line []byte) ([]byte, Got) {
	line = cutPriority(cutCount(line))
	var ok bool
	if len(line) > 2 && line[0] == '1' && line[1] == ' ' {
		line, ok = cutHeader5424(line[2:])
	} else if rest, found := cutProgram(line); found {
		line, ok = rest, true
	} else {
		line, ok = cutHeader3164(line)
	}
	if !ok {
		return nil, Foreign
	}
	return bytes.TrimPrefix(line, cookie), Inner
}

var (
	cookie = []byte("@cee: ")
	mark   = []byte("\xEF\xBB\xBF") // RFC 5424: a message in UTF-8 begins with a byte order mark
)

// cutCount removes the count of bytes before a priority.
func cutCount(b []byte) []byte {
	n := 0
	for n < min(len(b), 6) && b[n]-'0' <= 9 {
		n++
	}
	if n > 0 && len(b) > n+1 && b[n] == ' ' && b[n+1] == '<' {
		return b[n+1:]
	}
	return b
}

// programs are the tags that are known without a time or a colon. Any other word may be a host.
var programs = []string{"httpd", "apache", "apache2", "nginx", "haproxy", "lighttpd", "caddy", "traefik", "varnishncsa", "squid", "tomcat",
	"access_log", "access-log", "apache-access", "apache_access", "httpd-access", "nginx-access", "nginx_access"}

// cutProgram removes the tag of a known program at the start of a line, with or without a process and a
// colon.
func cutProgram(b []byte) ([]byte, bool) {
	n := bytes.IndexByte(b, ' ')
	if n < 1 || len(b) > n+1 && b[n+1] == '-' {
		return nil, false
	}
	name := bytes.TrimSuffix(b[:n], colon)
	if i := bytes.IndexByte(name, '['); i > 0 && name[len(name)-1] == ']' {
		name = name[:i]
	}
	if !slices.Contains(programs, string(name)) {
		return nil, false
	}
	return b[n+1:], true
}

// cutPriority removes "<190>".
func cutPriority(b []byte) []byte {
	if len(b) == 0 || b[0] != '<' {
		return b
	}
	for i := 1; i < min(len(b), 5); i++ {
		if b[i] == '>' {
			return b[i+1:]
		}
		if b[i]-'0' > 9 {
			break
		}
	}
	return b
}

// cutHeader3164 removes time, host and tag. The tag is a word that ends with a colon. The
// host, the tag, or both may be missing.
func cutHeader3164(b []byte) ([]byte, bool) {
	b, ok := cutTime(b)
	if !ok {
		return nil, false
	}
	n := bytes.IndexByte(b, ' ')
	if n < 1 {
		return b, true
	}
	all, first, b := b, b[:n], b[n+1:]
	switch {
	case ofLine(first, b):
		return all, true
	case first[n-1] == ':':
		return b, true
	}
	if n = bytes.IndexByte(b, ' '); n > 0 && (b[n-1] == ':' || isTag(b[:n], b[n+1:])) {
		b = b[n+1:]
	}
	return b, true
}

// isTag reports whether a word after a host is a tag without its colon: it is no host's name, and an
// address follows.
func isTag(word, rest []byte) bool {
	client, _, _ := bytes.Cut(rest, []byte(" "))
	return word[0]|0x20 >= 'a' && word[0]|0x20 <= 'z' && !bytes.ContainsAny(word, ".:") &&
		bytes.IndexAny(client, ".:") > 0 && len(bytes.Trim(client, ".:0123456789abcdefABCDEF")) == 0
}

// ofLine reports whether the word after a time belongs to the line, and is neither a
// host's name nor a tag. Such a word begins with a bracket or a quote, has a port, or
// stands before the dash of a missing user.
func ofLine(word, rest []byte) bool {
	switch {
	case bytes.IndexByte([]byte(`{["`), word[0]) >= 0:
		return true
	case word[len(word)-1] == ':':
		return false
	}
	_, port, ported := bytes.Cut(word, colon)
	return ported && len(bytes.Trim(port, "0123456789")) == 0 || bytes.HasPrefix(rest, noUser)
}

var noUser, colon = []byte("- "), []byte(":")

// cutTime removes "Jan 2 15:04:05 " or a time in ISO 8601.
func cutTime(b []byte) ([]byte, bool) {
	const shape = "Jan  2 15:04:05 "
	if len(b) < len(shape) || b[0]-'A' > 'Z'-'A' {
		return cutISOTime(b)
	}
	ok := b[3] == ' ' && b[5]-'0' <= 9 && b[6] == ' ' && b[9] == ':' && b[12] == ':' && b[15] == ' '
	return b[len(shape):], ok
}

// cutHeader5424 removes the header after the version: time, host, program, process and
// kind, and the structured data.
func cutHeader5424(b []byte) ([]byte, bool) {
	if len(b) == 0 || b[0] != '-' && b[0]-'0' > 9 {
		return nil, false
	}
	for range 5 {
		n := bytes.IndexByte(b, ' ')
		if n < 1 {
			return nil, false
		}
		b = b[n+1:]
	}
	n := structured(b)
	if n == 0 && len(b) > 0 { // none
		return b, true
	}
	if n <= 0 || n < len(b) && b[n] != ' ' {
		return nil, false
	}
	return bytes.TrimPrefix(b[min(n+1, len(b)):], mark), true
}

// structured returns the length of the structured data at the start of b: "-", or
// elements in brackets with quoted values, in which quotes, backslashes and closing
// brackets are escaped. structured returns -1 if the elements do not end.
func structured(b []byte) int {
	if len(b) > 0 && b[0] == '-' {
		return 1
	}
	n, inside, quoted := 0, false, false
	for ; n < len(b) && (inside || b[n] == '['); n++ {
		switch c := b[n]; {
		case c == '\\' && quoted:
			n++
		case c == '"':
			quoted = !quoted
		case c == '[' && !quoted:
			inside = true
		case c == ']' && !quoted:
			inside = false
		}
	}
	if inside {
		return -1
	}
	return n
}
