package weblog

// digest turns a sketch column into 64 bits: exactly 16 hexadecimal digits are
// the digest itself, anything else is hashed (FNV-1a, then a finalizer, since
// FNV leaves the high bits of short strings weak). 0 means that there is none.
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

// ContentDigest is the digest of a content of which this is the text in a log, without
// the name of the hash in front.
func ContentDigest(text []byte) uint64 { return payloadDigest(text) }
