package wrap

import (
	"bytes"
	"strings"
)

// envelope reads a line from a JSON object: the string under the best key present.
type envelope struct {
	keys []string // the best first
	mark string   // a key that the object must also have; "": none
	cut  int      // a string of at least cut bytes without newline is a piece of a line; 0: never
}

// siteRank returns the rank of a key beside the line that names the host that the client asked
// for, or 0 for any other key. The host counts for lines that name none. The key host is not among
// them: shippers write their own machine there.
func siteRank(prefix string, key []byte) int {
	switch prefix {
	case "":
		switch string(key) {
		case "url.domain":
			return 3
		case "destination.domain":
			return 2
		case "vhost":
			return 1
		}
	case "url.":
		if string(key) == "domain" {
			return 3
		}
	case "destination.":
		if string(key) == "domain" {
			return 2
		}
	}
	return 0
}

// docker16K is the length at which docker cuts a line.
const docker16K = 16 << 10

var docker = Wrapper{
	Name:        "docker",
	Description: "docker's json-file: the key log, lines over 16 KiB in pieces",
	Example:     `{"log":"` + exampleJSON + `\n","stream":"stdout","time":"2006-01-02T15:04:05.678901234Z"}`,
	unwrap:      (&envelope{keys: []string{"log"}, mark: "stream", cut: docker16K}).unwrap,
	joins:       true,
}

var journalJSON = Wrapper{
	Name:        "journal_json",
	Description: "the systemd journal as JSON (journalctl -o json): the field MESSAGE, text or bytes",
	Example:     `{"__REALTIME_TIMESTAMP":"1136239445000000","SYSLOG_IDENTIFIER":"nginx","MESSAGE":"` + exampleJSON + `"}`,
	unwrap:      (&envelope{keys: []string{messageField}}).unwrap,
}

var filebeat = Wrapper{
	Name:        "filebeat",
	Description: "Filebeat and Logstash: the key event.original or message, beside @timestamp",
	Example:     `{"@timestamp":"2006-01-02T15:04:05.000Z","log":{"offset":0},"message":"` + exampleJSON + `"}`,
	unwrap:      (&envelope{keys: []string{"event.original", "message"}, mark: "@timestamp"}).unwrap,
}

var vector = Wrapper{
	Name:        "vector",
	Description: "Vector, and other JSON with the key message",
	Example:     `{"file":"/var/log/access.log","message":"` + exampleJSON + `","timestamp":"2006-01-02T15:04:05Z"}`,
	unwrap:      (&envelope{keys: []string{"message"}}).unwrap,
}

var fluentBit = Wrapper{
	Name:        "fluentbit",
	Description: "Fluent Bit: the key log, in an object or in [time, object]",
	Example:     `[1136239445.0,{"log":"` + exampleJSON + `"}]`,
	unwrap:      (&envelope{keys: []string{"log"}}).unwrap,
}

// msgField holds everything after the tag: usually a blank first, and perhaps the cookie
// before JSON.
const msgField = "msg"

var rsyslog = Wrapper{
	Name:        "rsyslog",
	Description: "rsyslog's JSON (%jsonmesg%, omkafka): the key msg",
	Example:     `{"msg":" ` + exampleJSON + `","hostname":"www","programname":"nginx","syslogtag":"nginx:"}`,
	unwrap:      (&envelope{keys: []string{msgField}}).unwrap,
}

const exampleJSON = `192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] \"GET /a?b=1 HTTP/1.1\" 200 5120 \"-\" \"Mozilla/5.0\"`

// siteName returns the host in a string with its quotes, or nil if the string is no host.
func siteName(value []byte) []byte {
	if len(value) < 2 || len(value) > maxSite || value[0] != '"' {
		return nil
	}
	host, named := value[1:len(value)-1], false
	for _, c := range host {
		switch {
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9', c >= 0x80:
			named = true
		case bytes.IndexByte([]byte(".-:[]_"), c) < 0:
			return nil
		}
	}
	if !named {
		return nil
	}
	return host
}

// maxSite bounds the length of a host in quotes.
const maxSite = 255 + len(`""`)

// found is the state of a scan.
type found struct {
	value  []byte // as written, in quotes or brackets
	rank   int    // the index of the value's key in keys; len(keys): none
	mark   bool
	second bool   // the stream is not stdout
	site   []byte // in quotes; nil: none
	best   int    // the rank of its key
}

func (e *envelope) unwrap(u *Unwrapper, line []byte) ([]byte, Got) {
	f := found{rank: len(e.keys), mark: e.mark == ""}
	s := scanner{b: line}
	inArray := s.next('[')
	if inArray && (!s.skip() || !s.next(',')) || !e.object(&f, &s, "") || inArray && !s.next(']') || !s.atEnd() {
		return nil, Foreign
	}
	if f.rank == len(e.keys) || !f.mark {
		return nil, Foreign
	}
	if site := siteName(f.site); site != nil {
		u.site = site
	}
	text, got := u.text(f.value)
	if e.keys[f.rank] == msgField {
		text = bytes.TrimPrefix(bytes.TrimLeft(text, " "), cookie)
	}
	if got != Inner || e.cut == 0 {
		return trimNewline(text), got
	}
	p := &u.pieces[0]
	if f.second {
		p = &u.pieces[1]
	}
	whole, got := p.add(text, len(text) < e.cut || text[len(text)-1] == '\n')
	return trimNewline(whole), got
}

func trimNewline(b []byte) []byte { return bytes.TrimSuffix(b, newline) }

// object scans an object. prefix is the key of the object and a dot, or empty.
func (e *envelope) object(f *found, s *scanner, prefix string) bool {
	return s.members(func(key []byte) bool {
		from := s.pos
		inner := ""
		if prefix == "" && s.at('{') {
			inner = e.nested(key)
		}
		if inner != "" && !e.object(f, s, inner) || inner == "" && !s.skip() {
			return false
		}
		e.member(f, prefix, key, s.b[from:s.pos])
		return true
	})
}

// nested returns key and a dot if one of the wanted keys, or the site, may stand in an object
// under key, and "" otherwise.
func (e *envelope) nested(key []byte) string {
	switch string(key) {
	case "url":
		return "url."
	case "destination":
		return "destination."
	}
	for _, k := range e.keys {
		if n := len(key); len(k) > n && k[n] == '.' && k[:n] == string(key) {
			return k[:n+1]
		}
	}
	return ""
}

// member records a key and its value if the envelope uses them.
func (e *envelope) member(f *found, prefix string, key, value []byte) {
	for i, k := range e.keys {
		if i <= f.rank && strings.HasPrefix(k, prefix) && k[len(prefix):] == string(key) && isText(k, value) {
			f.value, f.rank = value, i
			break
		}
	}
	if value[0] == '"' && len(key) > 0 && (key[0] == 'u' || key[0] == 'd' || key[0] == 'v') {
		if rank := siteRank(prefix, key); rank > 0 && rank >= f.best {
			f.site, f.best = value, rank
		}
	}
	f.mark = f.mark || prefix == "" && string(key) == e.mark
	if e.cut > 0 && string(key) == "stream" {
		f.second = string(value) != `"stdout"`
	}
}

// isText reports whether a key's value can be a line: a string or, from the journal, an
// array of bytes, or null for a line that is too long.
func isText(key string, value []byte) bool {
	return value[0] == '"' || key == messageField && (value[0] == '[' || value[0] == 'n')
}
