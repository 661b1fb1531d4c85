package notes

// Clients counts the URLs that only one client requested, by the client's hash. Several
// clients may share a hash, so a count may include several clients. The counts of a hash do
// not include URLs that further clients requested.
type Clients struct {
	absent uint8
	alone  [256]int // URLs by the hash of their only client
	known  int      // URLs with a known client
}

// NewClients returns empty counts. Lines without a client have the hash absent.
func NewClients(absent uint8) *Clients { return &Clients{absent: absent} }

// Add counts a URL, given the smallest and the largest hash of its clients. A URL whose
// client is never named is not counted.
func (c *Clients) Add(low, high uint8) {
	if low == high && low == c.absent {
		return
	}
	c.known++
	if low == high {
		c.alone[low]++
	}
}

// most returns the number of URLs of the client that alone requested the most URLs, and the
// number of URLs with a known client.
func (c *Clients) most() (alone, known int) {
	for _, n := range c.alone {
		alone = max(alone, n)
	}
	return alone, c.known
}
