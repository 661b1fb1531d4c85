package weblog

import (
	"bytes"
	"hash/maphash"
)

// agents remembers agents that a format encodes, since the same come again and again, and have many blanks.
type agents struct {
	seed   maphash.Seed
	places []encodedAgent // by hash; nil: the format does not encode
}

type encodedAgent struct{ logged, plain []byte }

const (
	rememberedAgents = 256
	longestAgent     = 256 // bytes; longer ones are decoded each time
)

// decoded returns an agent as decode does, in the buffer.
func (p *Parser) decodedAgent(b []byte, decode func(*Parser, []byte) []byte) []byte {
	if len(b) == 0 || len(b) > longestAgent {
		return decode(p, b)
	}
	a := &p.agents
	if a.places == nil {
		a.seed, a.places = maphash.MakeSeed(), make([]encodedAgent, rememberedAgents)
	}
	at := &a.places[maphash.Bytes(a.seed, b)%rememberedAgents]
	if !bytes.Equal(at.logged, b) {
		plain := decode(p, b)
		at.logged, at.plain = append(at.logged[:0], b...), append(at.plain[:0], plain...)
		return plain
	}
	start := len(p.buf)
	p.buf = append(p.buf, at.plain...)
	return p.buf[start:len(p.buf):len(p.buf)]
}

// percents undoes the encoding of CloudFront.
func percents(p *Parser, b []byte) []byte { return p.unescape(b, percented) }

// agentLast reports whether the last field of a format is a user agent in quotes.
func agentLast(s scanner) bool {
	l, ok := s.(*lineScanner)
	if !ok || len(l.ops) == 0 {
		return false
	}
	last := &l.ops[len(l.ops)-1]
	return last.field == fieldAgent && last.sep == `"`
}

// settleAgent finds the agent of a line that goes on after it. Some servers write quotes of a client
// as they are (morgan, Tomcat, lighttpd of old). With such quotes in its referer, a part of the
// referer stands in the place of the agent:
//
//	"https://www.example.org/?q="a" "b" "Mozilla/5.0"
//
// The agent is then the last quoted text that looks like one. With a quote in the agent, the
// rest has an odd number of quotes, and the agent goes on to the last. A field that a server appends
// does not look like an agent. A line with backslashes has no raw quotes.
func (p *Parser) settleAgent(h *Hit) {
	rest := p.line[p.end:]
	if bytes.IndexByte(rest, '"') < 0 || bytes.IndexByte(p.line, '\\') >= 0 {
		return
	}
	if n := bytes.Count(rest, quote); n%2 == 1 {
		if start := p.end - 1 - len(h.Agent); len(h.Agent) > 0 && p.line[start-1] == '"' {
			h.Agent = p.line[start : p.end+bytes.LastIndexByte(rest, '"')]
		}
		return
	}
	for i := bytes.IndexByte(rest, '"'); i >= 0; i = bytes.IndexByte(rest, '"') {
		rest = rest[i+1:]
		end := bytes.IndexByte(rest, '"')
		if b := rest[:end]; agentShaped(b) {
			h.Agent = b
		}
		rest = rest[end+1:]
	}
}

// agentShaped reports whether a text begins with a product and its version, as agents do:
// Mozilla/5.0. A protocol (HTTP/1.1) has the same shape and is none.
func agentShaped(b []byte) bool {
	n := 0
	for n < len(b) && (nameByte(b[n]) || b[n] == '-' || b[n] == '.' || b[n] == '+') {
		n++
	}
	if n < 2 || !letter(b[0]) || n+1 >= len(b) || b[n] != '/' || string(b[:n]) == "HTTP" || bytes.HasPrefix(b, tls) {
		return false
	}
	return digit(b[n+1]) || b[n+1] == 'v' && n+2 < len(b) && digit(b[n+2])
}

var tls = []byte("TLS")

// unquoted removes the quotes around a user agent. Shippers that cut Apache's lines by patterns
// leave them in the value.
func unquoted(agent []byte) []byte {
	n := len(agent)
	if n < 2 || agent[0] != '"' || agent[n-1] != '"' {
		return agent
	}
	return present(agent[1 : n-1])
}
