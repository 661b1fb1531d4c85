package page

// Piece is a part of a URL.
type Piece struct {
	Text string
	Mark bool // the other URL differs here
}

// Difference returns two URLs in pieces, with marks where they differ.
func Difference(u, v string) (ofU, ofV []Piece) {
	start, end := Common(u, v)
	return pieces(u, start, end), pieces(v, start, end)
}

// Characters shown of the parts of a URL.
const (
	aroundMark = 90
	withinMark = 180
)

// pieces cuts a URL into the difference and the texts around it.
func pieces(url string, start, end int) (all []Piece) {
	for i, s := range []string{url[:start], url[start : len(url)-end], url[len(url)-end:]} {
		switch {
		case s == "":
		case i == 1:
			all = append(all, Piece{Cut(withinMark, s), true})
		default:
			all = append(all, Piece{Cut(aroundMark, s), false})
		}
	}
	return all
}
