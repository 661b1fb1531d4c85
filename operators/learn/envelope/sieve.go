package envelope

// sieve counts hashes roughly: a counter of four bits serves all hashes of one place, so no hash was
// counted more often than its counter says, as far as that counts.
type sieve struct {
	counts []uint8 // two counters each
}

// countersPerHash is the number of counters for a counted hash. Most hashes are counted once. Of
// those, one in nine thousand then passes for counted three times by chance.
const countersPerHash = 4

// mostCounted is the greatest count of a counter.
const mostCounted = 15

// newSieve returns a sieve for so many hashes.
func newSieve(hashes int) sieve {
	return sieve{make([]uint8, 1+countersPerHash*hashes/2)}
}

func (s *sieve) place(hash uint32) (at int, shift int) {
	n := uint64(hash) * uint64(2*len(s.counts)) >> 32
	return int(n / 2), int(n % 2 * 4)
}

func (s *sieve) of(hash uint32) uint8 {
	at, shift := s.place(hash)
	return s.counts[at] >> shift & mostCounted
}

func (s *sieve) count(hash uint32) {
	if at, shift := s.place(hash); s.of(hash) < mostCounted {
		s.counts[at] += 1 << shift
	}
}
