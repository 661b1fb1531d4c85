package secret

import "iter"

// Separators of pieces.
var (
	inner = setOf("/?&;=\n")         // within a piece whose escapes are decoded
	outer = setOf("/?&;=\n \t\r\"…") // within a URL, and within a text that quotes URLs or parts of them
)

// What runs have besides letters and digits.
var noneElse, dash = setOf(""), setOf("-")

// set is a set of bytes.
type set [256]bool

func setOf(bytes string) *set {
	var s set
	for i := range len(bytes) {
		s[bytes[i]] = true
	}
	return &s
}

// piece is a part of a text between two separators.
type piece struct {
	name string // of the parameter whose value is the piece or begins before it; "": none
	text string
	at   int  // where the piece begins in the text
	host bool // the piece stands behind two slashes, as the host of a URL does
}

// isServer reports whether the piece is the address of the server that a URL names.
func (p *piece) isServer() bool { return p.host && isHost(p.text) }

// pieces yields the parts of a text between separators, without empty ones.
func pieces(text string, separators *set) iter.Seq[piece] {
	return func(yield func(piece) bool) {
		name, start := "", 0
		for i := 0; i <= len(text); i++ {
			if i < len(text) && !separators[text[i]] {
				continue
			}
			if i > start && !yield(piece{name, text[start:i], start, start > 2 && text[start-2:start] == "//"}) {
				return
			}
			if i == len(text) {
				return
			}
			if text[i] == '=' && name == "" {
				if name = text[start:i]; name == "" { // of a rule that begins with the value
					name = "="
				}
			} else if text[i] != '=' && text[i] != '/' {
				name = ""
			}
			start = i + 1
		}
	}
}

// runs yields the runs of letters, digits and bytes of a set in a text, empty ones too.
func runs(text string, also *set) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := 0
		for i := 0; i <= len(text); i++ {
			if i < len(text) && (kind(text[i]) != other || also[text[i]]) {
				continue
			}
			if !yield(text[start:i]) {
				return
			}
			start = i + 1
		}
	}
}

// Kinds of bytes.
const (
	other = iota
	letter
	digit
)

func kind(c byte) int { return int(kinds[c]) }

var kinds = func() (all [256]uint8) {
	for c := byte('0'); c <= '9'; c++ {
		all[c] = digit
	}
	for c := byte('a'); c <= 'z'; c++ {
		all[c], all[c&^0x20] = letter, letter
	}
	return all
}()
