package prober

import (
	"crypto/sha256"
	"encoding/hex"
	"time"

	"dustbuster/operators/judge/sketch"
	"dustbuster/stream/fetch"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// visit is the result of fetching a page twice.
type visit struct {
	self  float64 // how much the page resembled itself
	words sketch.Visits
	at    time.Time
	shown bool // a first look showed the later document: a second one needs another
}

func (v *visit) bytes() int64 { return visitBytes + 4*int64(len(v.words.First)+len(v.words.Last)) }

// Limits of the memory of pages fetched twice. The later document is in the cache.
const (
	mostVisits = 1024
	visitTerm  = time.Hour
	visitBytes = 300 // beside the words
)

// visits are the pages of a site that were fetched twice lately.
type visits struct {
	of    *lru.LRU[string, visit] // nil: none
	bytes int64
}

// add adds a visit of a page.
func (k *visits) add(target string, v visit) {
	if k.of == nil {
		k.of = newLRU[string, visit](mostVisits, nil)
	}
	if old, known := k.of.Peek(target); known {
		k.bytes -= old.bytes()
	} else if k.of.Len() == mostVisits {
		_, oldest, _ := k.of.GetOldest()
		k.bytes -= oldest.bytes()
	}
	k.of.Add(target, v)
	k.bytes += v.bytes()
}

// get returns the last two visits of a page; zero if they are not known. first states that a first look shows the page.
func (k *visits) get(target string, first bool) (v visit) {
	if k.of != nil {
		if v, _ = k.of.Get(target); first && !v.at.IsZero() {
			v.shown = true
			k.of.Add(target, v)
		}
	}
	return v
}

// measured holds the SHA-256 of the pages that were fetched for reports, by mined string.
type measured struct {
	sums *lru.LRU[string, [sha256.Size]byte] // nil: none
}

// mostMeasured is the number of pages: those of the pairs that are tried in an hour.
const mostMeasured = 256

// note notes the page at a URL.
func (m *measured) note(url string, d fetch.Document, err error) {
	if c, ok := d.Content.(content); ok && err == nil {
		if m.sums == nil {
			m.sums = newLRU[string, [sha256.Size]byte](mostMeasured, nil)
		}
		m.sums.Add(url, c.sum)
	}
}

// differ reports whether a page was measured and had another SHA-256, given in hexadecimal digits.
func (m *measured) differ(url, sum string) bool {
	if m.sums == nil {
		return false
	}
	was, known := m.sums.Get(url)
	return known && hex.EncodeToString(was[:]) != sum
}
