package report

import (
	"crypto/sha256"
	"encoding/binary"
)

// DefaultOneIn is the usual share of exploration: one changed URL in 1,000.
const DefaultOneIn = 1000

// Explores reports whether a crawler should fetch a URL as found although the rules change
// the URL: whether the first 8 bytes of SHA-256(day, NUL, URL), big-endian, are a multiple of
// oneIn. day is the day in UTC, as 2026-11-22. Crawlers in all languages therefore choose the
// same URLs, and other URLs each day. With oneIn 0 no URL is chosen.
func Explores(day, url string, oneIn uint64) bool {
	if oneIn == 0 {
		return false
	}
	sum := sha256.Sum256([]byte(day + "\x00" + url))
	return binary.BigEndian.Uint64(sum[:])%oneIn == 0
}
