package validate

import (
	"slices"

	"dustbuster/operators/sketch"
	"dustbuster/operators/validator"
	"dustbuster/stream/fetch"
)

// A server may show us one page wherever we look: that of a login, of maintenance, of
// a firewall, of its first virtual host. Then any two URLs are alike, and each rule
// would hold. The log knows better: pages of many sizes were seen there.

// mostUnlike is at how many URLs a page may be seen whose sizes in the log all differ
// from each other, and which their rules make different URLs of. With one more it is
// common, and says nothing, nor has it before.
const mostUnlike = 4

// commons are the pages seen lately, the last one first.
type commons struct{ pages []common }

// common is a page, and pairs that it was seen at.
type common struct {
	page   sketch.Sketch
	unlike []validator.Test // pairs that it was seen at: their URLs all differ, and by size
	before []validator.Test // pairs that it spoke for; not of one that is known as common
}

// Bounds of what is kept: pages, each of 1 KiB, and pairs of each.
const (
	mostCommons = 32
	mostBefore  = 64
)

// meets takes in that a page was seen at both ends of a pair, and tells whether it is
// common; when that shows, also for which pairs it has spoken. Pages from tau on are one.
func (c *commons) meets(d fetch.Document, test validator.Test, unlike func(a, b string) bool, tau float64) (is bool, before []validator.Test) {
	s, ok := d.Content.(sketch.Sketch)
	if !ok {
		return false, nil
	}
	p := c.find(&s, tau)
	if len(p.unlike) > mostUnlike {
		return true, nil
	}
	if !slices.ContainsFunc(p.unlike, func(q validator.Test) bool { return q.V == test.V || !unlike(q.U, test.U) }) {
		p.unlike = append(p.unlike, test)
	}
	if len(p.unlike) > mostUnlike {
		before, p.before = p.before, nil
		return true, before
	}
	if len(p.before) < mostBefore {
		p.before = append(p.before, test)
	}
	return false, nil
}

// find moves a page to the front, where it is put if it is new.
func (c *commons) find(s *sketch.Sketch, tau float64) *common {
	at := 0
	for at < len(c.pages) && sketch.Resemblance(&c.pages[at].page, s) < tau {
		at++
	}
	found := common{page: *s}
	switch {
	case at < len(c.pages):
		found = c.pages[at]
	case at < mostCommons:
		c.pages = append(c.pages, found)
	default:
		at--
	}
	copy(c.pages[1:at+1], c.pages[:at])
	c.pages[0] = found
	return &c.pages[0]
}
