package secret

import "strings"

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
	p := profileOf(run)
	score, uniform := p.score+caseScore*p.cases, p.turns == 0
	switch {
	case uniform && kind(run[0]) == digit:
		return false
	case run[0] == '0' && run[1]|0x20 == 'x': // a number
		return false
	case p.hex && p.turns >= manyTurns && p.different >= leastShort-2 && strings.ToLower(run) == run:
		return true
	case score > rare*p.pairs || spelled(run):
		return false
	case uniform:
		return p.cases >= manyCases
	}
	least := manyTurns + 1
	if score <= rarest*p.pairs || p.cases > 0 && score <= rarer*p.pairs {
		least = manyTurns - 1
	}
	return p.turns+min(p.cases, 2) >= least && !isSizes(run)
}

// isSizes reports whether the letters of a run stand alone, and most of its numbers have two
// digits or more, as in w800h600.
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
		case 0 < i && i < len(run):
			return false
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
