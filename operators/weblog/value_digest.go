package weblog

// digest returns a sketch column as 64 bits. Exactly 16 hexadecimal digits are the digest
// itself. Any other text is hashed (FNV-1a, then a finalizer, since FNV leaves the high
// bits of short strings weak). digest returns 0 if there is no digest.
func digest(b []byte) uint64 {
	if absent(b) {
		return 0
	}
	if len(b) == 16 {
		hi, lo := hex(b, 8), hex(b[8:], 8)
		if hi >= 0 && lo >= 0 {
			return max(1, uint64(hi)<<32|uint64(lo))
		}
	}
	h := uint64(14695981039346656037)
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	return max(1, h)
}

// ContentDigest returns the digest of a content from its text in a log. The text may
// begin with the name of the hash.
func ContentDigest(text []byte) uint64 { return payloadDigest(text) }
