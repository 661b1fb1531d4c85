package config

import "github.com/agnivade/levenshtein"

// Nearest returns the name closest to a misspelled word; "": none.
func Nearest(word string, names []string) string {
	best, least := "", min(2, len(word)/2)+1 // edits
	for _, name := range names {
		if d := levenshtein.ComputeDistance(word, name); d < least {
			best, least = name, d
		}
	}
	return best
}
