// Package crawler tells by a user agent who asks: a named crawler, another robot or people.
//
// A family is a bit of a mask of 32. Bit 0 is people: the agent names no robot. Bit 1 is other
// robots: the agent calls itself bot, crawler or spider, or names a library that robots use
// (robots.txt) or another known robot (known.txt).
// Bits 2 to 31 are named crawlers (crawlers.txt), but for bit 28. If an agent names several, the first of the
// list counts. A request without an agent has no family. The text decides, and everybody may send any
// text. So a client may be checked by its address (Addresses, IsName). One that names a crawler and is none has
// bit 28 in place of the crawler's.
package crawler

import (
	"bytes"
	_ "embed"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math/bits"
	"strconv"
	"strings"
)

// The families without a name.
const (
	People uint32 = 1 << 0
	Other  uint32 = 1 << 1
	Fake   uint32 = 1 << 28                  // the agent names a crawler, and the address says that it is none
	Named         = ^(People | Other | Fake) // all bits of named crawlers
)

// Most is the number of bytes of an agent that are looked at. The longest agent of a known robot
// has 330 bytes.
const Most = 512

//go:embed crawlers.txt
var crawlers string

//go:embed robots.txt
var robots string

//go:embed known.txt
var known string

// word is a text that names a family at the beginning of a word.
type word struct {
	text  string
	bit   uint8
	first bool // only at the beginning of the agent
}

// words are the texts of all families, by the first byte, the first family first. begun has the beginnings of
// all texts.
var words, begun, names = readLists()

// beginnings is a set of texts of four bytes, by a hash: every text has so many. It may hold others.
type beginnings [256]uint64

func (b *beginnings) add(text []byte)      { h := hashFour(text); b[h/64] |= 1 << (h % 64) }
func (b *beginnings) has(text []byte) bool { h := hashFour(text); return b[h/64]>>(h%64)&1 != 0 }

func hashFour(text []byte) uint32 { return binary.LittleEndian.Uint32(text) * 0x9e3779b1 >> 18 }

// lower has each byte in lower case.
var lower = func() (in [256]byte) {
	for c := range in {
		in[c] = byte(c)
	}
	copy(in['A':], "abcdefghijklmnopqrstuvwxyz")
	return in
}()

// readLists reads the lists. They are part of the program, so a line that is wrong is a fault of it.
func readLists() (words [256][]word, begun beginnings, names [32]string) {
	add := func(text string, bit uint8) {
		text, first := strings.CutPrefix(strings.ReplaceAll(text, "~", " "), "^")
		words[text[0]] = append(words[text[0]], word{text, bit, first})
		begun.add([]byte(text))
	}
	for line := range rows(crawlers) {
		fields := strings.Fields(line)
		bit, err := strconv.Atoi(fields[0])
		if err != nil || bit < 2 || bit > 31 || 1<<bit == Fake || names[bit] != "" || len(fields) < 4 {
			panic(fmt.Sprintf("crawlers.txt: %q: want a free bit, a name, texts and a source", line))
		}
		names[bit] = fields[1]
		for _, text := range fields[2 : len(fields)-1] {
			add(text, uint8(bit))
		}
	}
	for line := range rows(robots + known) {
		for text := range strings.FieldsSeq(line) {
			add(text, 1)
		}
	}
	names[0], names[1], names[28] = "people", "other robots", "fake crawlers"
	return words, begun, names
}

// rows yields the lines of a list without comments.
func rows(list string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(list) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// Name returns the name of the family of a bit, "" if the bit is free.
func Name(bit int) string { return names[bit] }

// Family returns the bit of an agent's family, as a mask; 0 if there is no agent. O(bytes).
func Family(agent []byte) uint32 {
	if len(agent) == 0 {
		return 0
	}
	var buffer [Most]byte
	text := buffer[:min(len(agent), Most)]
	for i := range text {
		text[i] = lower[agent[i]]
	}
	found := named(text)
	switch {
	case found&Named != 0:
		return 1 << bits.TrailingZeros32(found&Named)
	case found != 0 || isRobot(text):
		return Other
	}
	return People
}

// named returns the families that a text in lower case names.
func named(text []byte) (families uint32) {
	for i := 0; i+4 <= len(text); i++ {
		if !begun.has(text[i:]) || i > 0 && isAlphanumeric(text[i-1]) { // the other way round it takes twice as long
			continue
		}
		for _, w := range words[text[i]] {
			if (i == 0 || !w.first) && bytes.HasPrefix(text[i:], []byte(w.text)) {
				families |= 1 << w.bit
			}
		}
	}
	return families
}

// isRobot reports whether a text in lower case says bot at the end of a word, crawl or spider.
// Cubot makes telephones.
func isRobot(text []byte) bool {
	if bytes.Contains(text, []byte("spider")) || bytes.Contains(text, []byte("crawl")) {
		return true
	}
	for from := 0; ; {
		at := bytes.Index(text[from:], []byte("bot"))
		if at < 0 {
			return false
		}
		at += from
		from = at + len("bot")
		if (from == len(text) || !isLetter(text[from])) && !bytes.HasSuffix(text[:at], []byte("cu")) {
			return true
		}
	}
}

func isLetter(c byte) bool { return c-'a' < 26 }

func isAlphanumeric(c byte) bool { return isLetter(c) || c-'0' < 10 }

// remembered is the number of agents that a Memory knows at most. A log of half a million lines
// has some thousands.
const remembered = 1 << 13

// Memory knows the families of the last agents. A Memory belongs to one goroutine.
//
// An agent has one place, by its hash, and replaces the agent that was there. A known agent takes
// 13 ns; in a map it takes 22 ns (BenchmarkFamily).
type Memory struct {
	seed  maphash.Seed
	known []Known
}

// Known is a place of a Memory: an agent, and the agent's family.
type Known struct {
	agent  []byte // up to Most bytes
	Family uint32
}

// NewMemory returns an empty memory.
func NewMemory() *Memory { return &Memory{seed: maphash.MakeSeed(), known: make([]Known, remembered)} }

// Find returns the place of an agent, which another agent may take at the next Find. An agent that the memory knows
// costs a hash and a comparison.
func (m *Memory) Find(agent []byte) *Known {
	k := &m.known[maphash.Bytes(m.seed, decisive(agent))%remembered]
	if !k.Is(agent) {
		k.agent, k.Family = append(k.agent[:0], decisive(agent)...), Family(agent)
	}
	return k
}

// Is reports whether the place is that of an agent.
func (k *Known) Is(agent []byte) bool { return bytes.Equal(k.agent, decisive(agent)) }

// decisive returns the bytes of an agent that are looked at.
func decisive(agent []byte) []byte { return agent[:min(len(agent), Most)] }
