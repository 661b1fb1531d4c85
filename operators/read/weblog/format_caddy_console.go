package weblog

import "bytes"

// caddyConsole is Caddy's access log with the encoder console: the time, the level, the logger and
// the message, with tabs between, and caddy's object. A terminal's colors may stand around the level.
var caddyConsole = Format{
	Name:        "caddy_console",
	Description: "Caddy's access log with the encoder console",
	Example: "2006/01/02 22:04:05.123\tINFO\thttp.log.access.log0\thandled request\t" +
		`{"request":{"remote_ip":"192.0.2.7","remote_port":"51234","client_ip":"192.0.2.7","proto":"HTTP/2.0","method":"GET","host":"www.example.org","uri":"/a?b=1",` +
		`"headers":{"User-Agent":["Mozilla/5.0"]}},"bytes_read":0,"user_id":"","duration":0.003,"size":5120,"status":200,"resp_headers":{"Content-Encoding":["gzip"]}}`,
	Size:    caddy.Size,
	scanner: func() scanner { return newCaddyConsole() },
}

// consoleScanner reads the time and the object.
type consoleScanner struct{ jsonScanner }

func newCaddyConsole() *consoleScanner {
	object, err := compile(caddy.Pattern, "")
	if err != nil {
		panic(err) // the pattern is constant
	}
	return &consoleScanner{*object.(*jsonScanner)}
}

func (s *consoleScanner) scan(p *Parser, h *Hit) bool {
	end := bytes.IndexByte(p.line, '\t')
	if end < 0 {
		return p.fail("a time and a tab", 0)
	}
	time, ok := p.clock.read(p.line[:end])
	if !ok || time == 0 {
		return p.fail("a time and a tab", 0)
	}
	object := bytes.Index(p.line, tabObject)
	if object < 0 {
		return p.fail("a tab and a JSON object", end)
	}
	p.line, p.skipped = p.line[object+1:], p.skipped+object+1
	if !s.jsonScanner.scan(p, h) {
		return false
	}
	h.Time = time
	return true
}

var tabObject = []byte("\t{")
