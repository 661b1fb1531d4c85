package urlnorm

import (
	"bytes"
	"fmt"
)

// Separators are the characters that separate parameters in a site's queries. The set
// is a fold of the site's URLs: the union of the sets of any parts of them.
type Separators uint8

// The separators.
const (
	Ampersand Separators = 1 << iota
	Semicolon
)

const allSeparators = Ampersand | Semicolon

// SeparatorsIn returns the separators in a URL's query.
func SeparatorsIn(url []byte) (s Separators) {
	at := bytes.IndexByte(url, '?')
	if at < 0 {
		return 0
	}
	if bytes.IndexByte(url[at:], '&') >= 0 {
		s |= Ampersand
	}
	if bytes.IndexByte(url[at:], ';') >= 0 {
		s |= Semicolon
	}
	return s
}

// Add adds the separators of a URL. It does not look at the URL once both are known.
func (s *Separators) Add(url []byte) {
	if *s != allSeparators {
		*s |= SeparatorsIn(url)
	}
}

// Has reports whether all separators of another set are in s.
func (s Separators) Has(other Separators) bool { return s&other == other }

var separatorTexts = [...]string{0: "", Ampersand: "&", Semicolon: ";", allSeparators: "&;"}

// String returns "", "&", ";" or "&;".
func (s Separators) String() string { return separatorTexts[s&allSeparators] }

// MarshalText returns what String does.
func (s Separators) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes. Any other text is an error.
func (s *Separators) UnmarshalText(text []byte) error {
	for i, is := range separatorTexts {
		if is == string(text) {
			*s = Separators(i)
			return nil
		}
	}
	return fmt.Errorf("read separators %.20q: want one of %q", text, separatorTexts)
}
