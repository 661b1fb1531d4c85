package secret

// Runs of 8 to 15 letters and digits, as in invitations and short links. They are random if
// letters and digits, or capitals and small letters, alternate more often than in names, and
// neighboring letters are rare in words.
const (
	leastShort = 8
	manyCases  = 3  // changes between capitals and small letters, in a run without digits
	caseScore  = -3 // such a change
	rare       = -1 // greatest average score of the pairs of a random run
	rarer      = -2 // the same if letters and digits seldom alternate
	rarest     = -3 // the same if the letters are of one case, too
)

// shortRandom reports whether a run of letters and digits, shorter than a long token, looks
// random.
func shortRandom(run string) bool {
	var seen [256]bool
	var runs [3]int // of other bytes, letters and digits
	different, turns, cases, score, single := 0, 0, 0, 0, true
	hex := true
	for i := range len(run) {
		c := run[i]
		if !seen[c] {
			seen[c] = true
			different++
		}
		k := kind(c)
		hex = hex && (k == digit || 'a' <= c && c <= 'f')
		if i == 0 || kind(run[i-1]) != k {
			runs[k]++
		} else if k == letter {
			single = false
		}
		if i == 0 {
			continue
		}
		last := run[i-1]
		switch l := kind(last); {
		case k != l:
			turns++
			score += turnScore
		case k == digit:
			score += digitsScore
		default:
			score += bigram(last|0x20, c|0x20)
			if (last^c)&0x20 != 0 && i > 1 { // not the capital at the start
				cases++
				score += caseScore
			}
		}
	}
	pairs := len(run) - 1
	switch {
	case runs[letter] == 0:
		return false
	case run[0] == '0' && run[1]|0x20 == 'x': // a number
		return false
	case hex && turns >= manyTurns && different >= leastShort-2:
		return true
	case score > rare*pairs || spelled(run):
		return false
	case runs[digit] == 0:
		return cases >= manyCases
	}
	least := manyTurns + 1
	if score <= rarest*pairs || cases > 0 && score <= rarer*pairs {
		least = manyTurns - 1
	}
	return turns+min(cases, 2) >= least && (!single || !isSizes(run))
}

// isSizes reports whether most numbers of a run have two digits or more, as in w800h600. The
// letters stand alone.
func isSizes(run string) bool {
	long, short, n := 0, 0, 0
	for i := range len(run) + 1 {
		switch {
		case i < len(run) && kind(run[i]) == digit:
			n++
			continue
		case n > 1:
			long++
		case n == 1:
			short++
		}
		n = 0
	}
	return long > short
}

// spelled reports whether a run is words that are written with digits for letters, such as
// the marks that scanners leave: n3tsp4rk3r.
func spelled(run string) bool {
	score, last := 0, byte(0)
	for i := range len(run) {
		c := run[i] | 0x20
		if kind(run[i]) == digit {
			if c = digitLetters[run[i]-'0']; c == 0 && i+1 < len(run) {
				return false
			} else if c == 0 {
				break
			}
		}
		if last != 0 {
			score += bigram(last, c)
		}
		last = c
	}
	return 2*score > 3*(len(run)-1)
}

// digitLetters are the letters that digits stand for. 0: none.
var digitLetters = [10]byte{'o', 'i', 0, 'e', 'a', 's', 0, 't', 'b', 0}
