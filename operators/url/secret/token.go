package secret

// A run of letters and digits is random if it is long and its neighboring bytes resemble those
// of random text more than those of words. Each pair of neighbors has a score. That of two
// letters is how much more often they stand together in words than in random text (bigrams.go).
// Pairs with digits have fixed scores, since digits and letters seldom alternate in names and
// dates.
//
// The constants were chosen on synthetic text, half of it random. Of random letters and
// digits, 98 % of 16 bytes and 99.9 % of 32 bytes are found; of random lower-case letters,
// 86 % of 16 and 94 % of 32. Of long words of twenty languages, none is mistaken for random
// text. Of words joined without a separator, 1 in 10,000 is mistaken for random text, and 1
// in 100 if each second word is followed by a number. TestTokens repeats this measurement.
const (
	longToken  = 16 // bytes of a run that may be a key
	longDashed = 32 // bytes of a run with dashes in it, as in a UUID

	turnScore   = -4 // a letter beside a digit
	digitsScore = 2  // two digits
	wordly      = 2  // a run consists of words if its score exceeds one point for every wordly pairs

	manyTurns     = 3 // changes between letter and digit in a hexadecimal number that is not a word
	manyDifferent = 8 // different bytes of such a number
)

// hasToken reports whether a text holds a key, a card, an account, a random token or a code in
// groups. Random tokens and codes that are public do not count.
func hasToken(text string, public func(string) bool) bool {
	start, dashed := 0, 0 // of the run of letters and digits, and of the run with dashes
	for i := 0; i <= len(text); i++ {
		if i < len(text) && kind(text[i]) != other {
			if i == start && begins(text[i:]) {
				return true
			}
			continue
		}
		run := text[start:i]
		start = i + 1
		switch {
		case len(run) >= longToken && public(run):
			dashed = start
			continue
		case len(run) >= longToken && random(run):
			return true
		case len(run) >= leastShort && len(run) < longToken && shortRandom(run) && !public(run):
			return true
		case i < len(text) && (text[i] == '-' || text[i] == '_'):
			continue
		}
		if run := text[dashed:i]; len(run) >= longDashed && random(run) && !public(run) {
			return true
		}
		dashed = start
	}
	return hasGroups(text, public)
}

// begins reports whether a text begins with a key, a card or an account.
func begins(text string) bool {
	if kind(text[0]) == digit {
		return isCard(text)
	}
	return hasPrefix(text) || isAccount(text)
}

// random reports whether a run of letters, digits and dashes looks random.
func random(run string) bool {
	p := profileOf(run)
	if p.pairs < longToken-1 { // of a run with many dashes
		return false
	}
	return wordly*p.score <= p.pairs || p.hex && p.turns >= manyTurns && p.different >= manyDifferent
}

// profile is what tells random text from words in a run of letters, digits and dashes.
type profile struct {
	different int  // different bytes
	pairs     int  // neighbors without a dash
	score     int  // of the pairs
	turns     int  // pairs of a letter and a digit
	cases     int  // pairs of a capital and a small letter, other than the capital at the start
	hex       bool // no letter is beyond f
}

func profileOf(run string) profile {
	var seen [256]bool
	different, pairs, score, turns, cases, hex := 0, 0, 0, 0, 0, true
	last, l := byte('-'), other
	for i := range len(run) {
		c := run[i]
		if !seen[c] {
			seen[c] = true
			different++
		}
		k := kind(c)
		if k == letter && c|0x20 > 'f' {
			hex = false
		}
		if k != other && l != other {
			pairs++
			switch {
			case k != l:
				turns++
				score += turnScore
			case k == digit:
				score += digitsScore
			default:
				score += bigram(last|0x20, c|0x20)
				if (last^c)&0x20 != 0 && i > 1 {
					cases++
				}
			}
		}
		last, l = c, k
	}
	return profile{different, pairs, score, turns, cases, hex}
}
