package wrap

import (
	"bytes"
	"encoding/base64"
)

// Unfolder replaces documents, in which shippers send several lines, by these lines. A document is
// a JSON object:
//
//	{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"line"}},…]}]}]}   OTLP
//	{"streams":[{"stream":{labels},"values":[["nanoseconds","line"],…]}]}                   Loki's push API
//	{"schema":…,"payload":"line" or {…}}                                                    Kafka Connect's JsonConverter
//	{"messageType":"DATA_MESSAGE","logEvents":[{"message":"line"},…]}                       CloudWatch Logs
//	{"requestId":…,"records":[{"data":"base64 of lines"},…]}                                Data Firehose
//	{"records":[{…},…]}                                                                     Azure Monitor
//
// Each line is put behind a mark and the host that the document names for it, or a dash:
//
//	@document www.example.org LINE
//
// The wrapper documents removes both. Documents may stand in documents, to maxFold. The lines of a
// document have at most four times its bytes and 64 KiB; further lines, and lines of more than
// MaxLine bytes, are left out. An Unfolder belongs to one goroutine.
type Unfolder struct {
	Left int // lines left out; the caller may reset it

	out   []byte
	from  int // where the present line begins in out
	limit int // of out
	depth int
	texts [maxFold + 1]Unwrapper // for strings, one for each level of documents
}

// maxFold is the greatest number of documents around a document.
const maxFold = 2

const documentMark = "@document "

// Unfold appends text to dst, with its documents replaced by their lines. text is one document, or
// lines of which some are documents. Unfold returns dst and false if there is no document with
// lines in text.
func (u *Unfolder) Unfold(dst, text []byte) (out []byte, ok bool) {
	out, ok = u.unfold(dst, text)
	u.out = nil
	for i := range u.texts { // an Unfolder may rest for long
		if t := &u.texts[i]; cap(t.buf) > MaxLine {
			t.buf = nil
		}
	}
	return out, ok
}

func (u *Unfolder) unfold(dst, text []byte) (out []byte, ok bool) {
	u.out, u.limit = dst, len(dst)+4*len(text)+MaxLine
	copied := 0 // bytes of text in u.out
	for at := 0; at < len(text); {
		end := len(text)
		if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		if Document(text[at:]) {
			before := len(u.out)
			u.out = append(u.out, text[copied:at]...)
			switch {
			case u.document(text[at:end]):
				copied = end
			case at == 0 && end < len(text) && u.document(text): // of several lines
				return u.out, true
			default:
				u.out = u.out[:before]
			}
		}
		at = end
	}
	if copied == 0 {
		return dst, false
	}
	return append(u.out, text[copied:]...), true
}

// Document reports whether text may begin with a document, by its first key.
func Document(text []byte) bool {
	s := scanner{b: text}
	if !s.next('{') {
		return false
	}
	s.blank()
	rest := s.b[s.pos:]
	if len(rest) < 2 || rest[0] != '"' {
		return false
	}
	n := bytes.IndexByte(rest[1:min(len(rest), 32)], '"')
	if n < 0 {
		return false
	}
	switch string(rest[1 : n+1]) {
	case "resourceLogs", "streams", "schema", "payload", "messageType", "owner", "logEvents", "requestId", "invocationId", "records":
		return true
	}
	return false
}

// document unfolds a document. It returns false, and appends nothing, if text is no document with
// lines.
func (u *Unfolder) document(text []byte) bool {
	before, left := len(u.out), u.Left
	keys, records, firehose := 0, false, false
	var schema, payload []byte
	ok := object(text, func(key, value []byte) bool {
		keys++
		switch string(key) {
		case "resourceLogs":
			return each(value, u.resource)
		case "streams":
			return each(value, u.stream)
		case "logEvents":
			return each(value, u.event)
		case "records":
			records = true
			return each(value, u.record)
		case "requestId", "invocationId":
			firehose = true
		case "schema":
			schema = value
		case "payload":
			payload = value
		}
		return true
	})
	if ok && keys == 2 && schema != nil && payload != nil {
		u.payload(schema, payload)
	}
	if records && keys > 1 && !firehose { // a line that happens to have such a key
		ok = false
	}
	if !ok || len(u.out) == before && u.Left == left {
		u.out, u.Left = u.out[:before], left
		return false
	}
	return true
}

// payload unfolds what Kafka Connect sends: text, bytes, or an object.
func (u *Unfolder) payload(schema, payload []byte) {
	kind := member(schema, "type")
	switch {
	case string(payload) == "null":
	case string(kind) == `"bytes"` && u.base64(payload):
	default:
		u.value(nil, payload)
	}
}

// event unfolds an event of CloudWatch Logs.
func (u *Unfolder) event(event []byte) bool {
	if message := member(event, "message"); message != nil {
		event = message
	}
	u.value(nil, event)
	return true
}

// record unfolds a record of Firehose, which has data, or of Azure, which is the line.
func (u *Unfolder) record(record []byte) bool {
	if data := member(record, "data"); data == nil || !u.base64(data) {
		u.value(nil, record)
	}
	return true
}

// base64 unfolds a string that holds lines in base64. It returns false for anything else, and for
// compressed lines.
func (u *Unfolder) base64(value []byte) bool {
	if value[0] != '"' {
		return false
	}
	text := make([]byte, base64.StdEncoding.DecodedLen(len(value)-2))
	n, err := base64.StdEncoding.Decode(text, value[1:len(value)-1])
	if err != nil || bytes.HasPrefix(text, []byte("\x1f\x8b")) {
		return false
	}
	u.lines(nil, text[:n])
	return true
}

// value unfolds a JSON value: the lines in a string, or any other value as a line.
func (u *Unfolder) value(site, value []byte) {
	if value[0] == '"' {
		if text, ok := u.texts[u.depth].unescape(value[1 : len(value)-1]); ok {
			u.lines(site, text)
			return
		}
	}
	if value[0] == '{' && u.inner(value) {
		return
	}
	u.begin(site)
	u.out = append(u.out, value...)
	u.end()
}

// lines unfolds text.
func (u *Unfolder) lines(site, text []byte) {
	for line := range bytes.SplitSeq(text, newline) {
		if len(bytes.TrimSpace(line)) == 0 || u.inner(line) {
			continue
		}
		u.begin(site)
		u.out = append(u.out, line...)
		u.end()
	}
}

// inner unfolds a document within a document. It returns false if text is none.
func (u *Unfolder) inner(text []byte) bool {
	if u.depth == maxFold || !Document(text) {
		return false
	}
	u.depth++
	defer func() { u.depth-- }()
	return u.document(text)
}

func (u *Unfolder) begin(site []byte) {
	u.from = len(u.out)
	u.out = append(u.out, documentMark...)
	if site == nil {
		u.out = append(u.out, '-')
	}
	u.out = append(append(u.out, site...), ' ')
}

// end ends the line, or leaves it out if it is too long.
func (u *Unfolder) end() {
	line := u.out[u.from:]
	if len(line) > MaxLine || len(u.out) >= u.limit {
		u.out = u.out[:u.from]
		u.Left++
		return
	}
	for i, c := range line {
		if c == '\n' { // JSON in several lines
			line[i] = ' '
		}
	}
	u.out = append(u.out, '\n')
}

// object calls f for each member of the object that is value, and reports whether all of value is
// an object and f always returned true. key has no quotes, and its escapes are not undone.
func object(value []byte, f func(key, value []byte) bool) bool {
	s := scanner{b: value}
	return s.members(func(key []byte) bool {
		from := s.pos
		return s.skip() && f(key, s.b[from:s.pos])
	}) && s.atEnd()
}

// each calls f for each element of the array that is value, in the way of object. A nil value, of
// a missing key, is an empty array.
func each(value []byte, f func(value []byte) bool) bool {
	if value == nil {
		return true
	}
	s := scanner{b: value}
	if !s.next('[') {
		return false
	}
	for first := true; !s.next(']'); first = false {
		if !first && !s.next(',') {
			return false
		}
		s.blank()
		from := s.pos
		if !s.skip() || !f(s.b[from:s.pos]) {
			return false
		}
	}
	return s.atEnd()
}

// member returns the last value of a key, or nil if value is no object with this key.
func member(value []byte, name string) (found []byte) {
	if !object(value, func(key, value []byte) bool {
		if string(key) == name {
			found = value
		}
		return true
	}) {
		return nil
	}
	return found
}
