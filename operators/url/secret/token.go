package secret

// A run of letters and digits is random if the run is long and its neighboring bytes
// resemble those of random text more than those of words. Each pair of neighbors has a
// score. The score of two letters is how much more often the two stand together in words
// than in random text (bigrams.go). Pairs with digits have fixed scores, since digits and
// letters seldom alternate in names and dates.
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
	return dashedRuns(text, func(run string) bool { return isGroups(run) && !public(run) })
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
	var seen [256]bool
	different, turns, pairs, score, hex := 0, 0, 0, 0, true
	last := byte('-')
	for i := range len(run) {
		c := run[i]
		if !seen[c] {
			seen[c] = true
			different++
		}
		k := kind(c)
		if k == letter {
			c |= 0x20
			hex = hex && c <= 'f'
		}
		if l := kind(last); k != other && l != other {
			pairs++
			switch {
			case k != l:
				turns++
				score += turnScore
			case k == digit:
				score += digitsScore
			default:
				score += bigram(last, c)
			}
		}
		last = c
	}
	if pairs < longToken-1 { // of a run with many dashes
		return false
	}
	return wordly*score <= pairs || hex && turns >= manyTurns && different >= manyDifferent
}
