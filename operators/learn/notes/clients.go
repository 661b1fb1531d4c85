package notes

import "math/bits"

// Clients counts the URLs that only one client requested, by the client's bit. Several
// clients may share a bit, so a count may include several clients. The counts of a bit do
// not include URLs that further clients requested. The zero Clients is ready for use.
type Clients struct {
	alone [16]int // URLs by the bit of their only client
	known int     // URLs with a known client
}

// Add counts a URL, given the mask of its clients. A URL whose client is never named is not
// counted.
func (c *Clients) Add(mask uint16) {
	if mask == 0 {
		return
	}
	c.known++
	if bits.OnesCount16(mask) == 1 {
		c.alone[bits.TrailingZeros16(mask)]++
	}
}

// most returns how many URLs one client alone requested at most, and how many have a known
// client.
func (c *Clients) most() (alone, known int) {
	for _, n := range c.alone {
		alone = max(alone, n)
	}
	return alone, c.known
}
