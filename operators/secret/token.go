package secret

// A run of letters and digits is random if it is long and its neighbouring bytes are more
// like those of random text than like those of words. Each pair of neighbours has a score:
// for two letters, how much more often they stand together in words than in random text
// (bigrams.go), and fixed ones for pairs with digits, which seldom change places with
// letters in names and dates.
//
// The constants were chosen from text made for the purpose, half of it random: of random
// letters and digits 98 % of 16 bytes and 99.9 % of 32 are found, of random lower-case
// letters 86 % of 16 and 94 % of 32. Of long words of twenty languages none is taken for
// random, of words joined without a separator 1 in 10,000, and if each second word has a
// number behind it 1 in 100. TestTokens measures this again.
const (
	longToken  = 16 // bytes of a run that may be a key
	longDashed = 32 // bytes of a run with dashes in it, as in a UUID

	turnScore   = -4 // a letter beside a digit
	digitsScore = 2  // two digits
	wordly      = 2  // a run is of words if its score is more than one point for so many pairs

	manyTurns     = 3 // changes between letter and digit in a hexadecimal number that is no word
	manyDifferent = 8 // different bytes of such a number
)

// hasToken reports whether a text holds a key, a card, an account, or a random token,
// other than runs that are public.
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
		case i < len(text) && (text[i] == '-' || text[i] == '_'):
			continue
		}
		if run := text[dashed:i]; len(run) >= longDashed && random(run) {
			return true
		}
		dashed = start
	}
	return false
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
