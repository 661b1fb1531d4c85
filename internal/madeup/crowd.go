package madeup

import (
	"fmt"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/window/evidence"
)

// Crowd is a site's log whose clients can be told apart, and the site.
type Crowd struct {
	Mined *miner.Machine
	Town  *Town
}

// enoughClients are as many clients as package miner takes for evidence.
const enoughClients = 8

// NewCrowd returns a log without lines.
func NewCrowd() *Crowd { return &Crowd{miner.New("", MinerOptions()), EmptyTown()} }

// Asked records that some clients requested a URL of a page.
func (c *Crowd) Asked(url string, page int, clients ...uint8) {
	c.Town.Text[url] = fmt.Sprint("page ", page)
	size := int64(1000 + 37*page)
	c.Town.Size[url] = size
	for _, client := range clients {
		c.Mined.Fold(&evidence.Observation{URL: []byte(url), Min: size, Max: size, Clients: 1 << (client % 16)})
	}
}

// Many adds enough clients for clients to be evidence.
func (c *Crowd) Many() {
	for client := range uint8(enoughClients) {
		c.Asked("/", 999, client)
	}
	for client := range uint8(enoughClients) {
		c.Asked(fmt.Sprintf("/start%c", 'a'+client), 999, client, client+8)
	}
}

// Links returns a site on which sid has no effect. Only some of the pages may be fetched.
// Each of the other pages is a link given to one client.
func Links(public, private int) *Crowd {
	c := NewCrowd()
	c.Many()
	for i := range public {
		c.Asked(fmt.Sprintf("/page/%d", i), i, 1, 2)
		c.Asked(fmt.Sprintf("/page/%d?sid=7", i), i, 1, 2)
		c.Asked(fmt.Sprintf("/page/%d?sid=9", i), i, 3)
	}
	for i := range private {
		client := uint8(i % 16)
		c.Asked(fmt.Sprintf("/join/kjhg%04d", i), 2000+i, client)
		c.Asked(fmt.Sprintf("/join/kjhg%04d?sid=7", i), 2000+i, client)
		c.Asked(fmt.Sprintf("/reset/9f3c2b7d81e04a6f%d", i), 4000+i, client)
		c.Asked(fmt.Sprintf("/reset/9f3c2b7d81e04a6f%d?sid=7", i), 4000+i, client)
	}
	return c
}
