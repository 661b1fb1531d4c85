package config

// nearest is the name that somebody who wrote word may have meant; "": none.
func nearest(word string, names []string) string {
	best, least := "", min(2, len(word)/2)+1 // edits
	for _, name := range names {
		if d := edits(word, name); d < least {
			best, least = name, d
		}
	}
	return best
}

// edits counts the bytes to be put in, taken out or replaced to make b of a
// (Levenshtein).
func edits(a, b string) int {
	row := make([]int, len(b)+1) // of a's first i bytes to b's first j
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
