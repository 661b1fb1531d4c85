package envelope

// sieve counts the additions to the supports of pairs roughly: a counter of four bits serves all
// pairs of one hash, so no pair has more than its counter says. Most pairs are found once and never
// become likely. The sieve keeps them out of the table of pairs, which would hold 20 bytes of each
// and wait for the memory at each addition.
type sieve struct {
	counts []uint8 // two counters each; a power of two long
	full   bool    // the additions have been counted
	put    []addition
}

// together is the number of additions that wait for each other: their counters are scattered over the
// memory, and the processor can wait for many reads at once.
const together = 4096

// countersPerURL is the number of counters for a URL. Of ten pairs that a URL of a generated site
// has, one in twenty then passes by chance.
const countersPerURL = 32

// mostCounted is the greatest count of a counter.
const mostCounted = 15

// Survey begins a look at sets of URLs, of so many altogether, in which supports are bounded and
// not counted. After Surveyed the same URLs must enter in the same sets. Survey is for an empty
// index that no URL leaves, and in which none changes. The texts of a set must stay as they are.
func (x *Index) Survey(urls int) {
	size := 1
	for 2*size < countersPerURL*urls {
		size *= 2
	}
	x.sieve = &sieve{counts: make([]uint8, size), put: make([]addition, 0, together)}
}

// surveys reports whether supports are bounded and not counted. Then losses do not count.
func (s *sieve) surveys() bool { return s != nil && !s.full }

// Surveyed ends the look begun by Survey. From now on the index counts the supports of the pairs
// that can be likely, and of no others.
func (x *Index) Surveyed() {
	x.sift()
	x.sieve.full = true
}

// addition is a change of the counts of the pair formed by two middles.
type addition struct {
	key            uint64
	a, b           []byte
	gain           int32
	low, high      bool
	atStart, atEnd bool
}

// sift counts the additions that wait, or does those that pass.
func (x *Index) sift() {
	s := x.sieve
	if s.surveys() {
		for k := range s.put {
			s.count(s.put[k].key)
		}
		s.put = s.put[:0]
		return
	}
	passed := s.put[:0]
	least := uint8(min(x.o.MinSupport, mostCounted))
	for _, a := range s.put {
		if s.of(a.key) >= least {
			passed = append(passed, a)
		}
	}
	for k := range passed {
		x.apply(&passed[k])
	}
	s.put = s.put[:0]
}

func (s *sieve) place(key uint64) (at, shift uint64) {
	return key >> 1 & uint64(len(s.counts)-1), key & 1 * 4
}

func (s *sieve) of(key uint64) uint8 {
	at, shift := s.place(key)
	return s.counts[at] >> shift & mostCounted
}

func (s *sieve) count(key uint64) {
	if at, shift := s.place(key); s.counts[at]>>shift&mostCounted < mostCounted {
		s.counts[at] += 1 << shift
	}
}
