package weblog

import (
	"bytes"

	"dustbuster/operators/read/client"
)

// Learn decides, from the lines by which a format was detected, whether lists of forwarded addresses
// count for lines of private peers: at least 99 % of the lines must have one. The decision holds for
// all lines of the parser and of its copies. O(bytes).
func (p *Parser) Learn(lines [][]byte) {
	q := p.Fresh()
	q.proxied.place, q.proxied.heeds = 0, false
	q.proxied.activate()
	var s survey
	var h Hit
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) > 0 && q.Parse(&h, line) == nil && q.Plausible(&h) {
			s.look(q)
		}
	}
	if s.lines == 0 {
		return
	}
	p.proxied.heeds, p.proxied.place = s.bears(s.lists), 0
	p.proxied.peerLead = s.leads > s.trails
	if !q.lists() {
		p.proxied.heeds, p.proxied.place = s.behind()
	}
	p.proxied.activate()
}

// survey counts lines with lists of forwarded addresses.
type survey struct {
	lines  int
	lists  int             // in a field of the format
	quoted [mostQuoted]int // in each of the quoted fields behind the format's last
	leads  int             // of lines with list and peer in front: a private address stands first
	trails int             // a private address stands last
}

// mostQuoted is the greatest number of quoted fields behind a format's last that are looked at.
const mostQuoted = 8

func (s *survey) look(p *Parser) {
	s.lines++
	list := p.record.forwarded
	if p.proxied.inFront {
		first, _ := cutPeer(list, true)
		var last []byte
		last, list = cutPeer(list, false)
		s.leads += isPrivate(first)
		s.trails += isPrivate(last)
	}
	if client.IsList(list) {
		s.lists++
	}
	if !p.further || p.lists() {
		return
	}
	for i := range s.quoted {
		field := quotedField(p.line[p.end:], i+1)
		if client.IsList(field) {
			s.quoted[i]++
		}
	}
}

func isPrivate(text []byte) int {
	var buf []byte
	if a, ok := client.Parse(client.Clean(text, &buf)); ok && client.Private(a) {
		return 1
	}
	return 0
}

// bears reports whether so many of the lines are nearly all.
func (s *survey) bears(n int) bool { return 100*n >= mostOfLines*s.lines }

// behind returns whether nearly all lines have a list behind the format's last field, and its place.
func (s *survey) behind() (heeds bool, place uint8) {
	for i, n := range s.quoted {
		if place == 0 && n > 0 || place > 0 && n > s.quoted[place-1] {
			place = uint8(i + 1)
		}
	}
	return place > 0 && s.bears(s.quoted[place-1]), place
}
