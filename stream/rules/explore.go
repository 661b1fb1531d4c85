package rules

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"time"
)

// DefaultOneIn is the usual share of exploration: one changed URL in 1,000.
const DefaultOneIn = 1000

// leastSecret is the least bytes of a secret.
const leastSecret = 16

// processSecret is the secret of a process that is given none.
var processSecret = rand.Text()

// Explorer chooses the URLs that a crawler fetches as found although the rules change them, to
// see whether the page is that of the canonical form. The choice depends on a secret of the
// crawler, so that nobody else knows it. An Explorer is safe for concurrent use.
type Explorer struct {
	secret []byte
	oneIn  uint64
}

// NewExplorer returns an Explorer that chooses one changed URL in oneIn; with 0 none. The
// processes of one crawler share a secret, a text of at least 16 bytes, and so choose the same
// URLs. Without it, all Explorers of the process share one that is drawn at random at its start.
// The error is that of a secret that is too short.
func NewExplorer(secret string, oneIn uint64) (*Explorer, error) {
	if secret == "" {
		secret = processSecret
	}
	if len(secret) < leastSecret {
		return nil, fmt.Errorf("the secret of exploration has %d bytes, and must have at least %d", len(secret), leastSecret)
	}
	return &Explorer{[]byte(secret), oneIn}, nil
}

// Explores reports whether a URL that the rules change is chosen on the day of a time, in UTC:
// whether the first 8 bytes of HMAC-SHA-256(secret, day NUL URL), big-endian, are a multiple of
// oneIn. Other URLs are chosen each day. Crawlers in all languages with one secret choose the
// same URLs.
func (e *Explorer) Explores(url string, now time.Time) bool {
	return e.oneIn > 0 && e.hash(url, now)%e.oneIn == 0
}

func (e *Explorer) hash(url string, now time.Time) uint64 {
	mac := hmac.New(sha256.New, e.secret)
	mac.Write([]byte(now.UTC().Format(time.DateOnly) + "\x00" + url))
	return binary.BigEndian.Uint64(mac.Sum(nil))
}
