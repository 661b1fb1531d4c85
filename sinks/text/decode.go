package text

import (
	"encoding/hex"
	"unicode"
	"unicode/utf8"
)

// longRun is the number of escaped bytes from which a run of escapes is decoded. Shorter
// runs, such as a single letter with an accent, can be read as they are.
const longRun = 6

// Readable returns a URL with each long run of escapes decoded, if the run spells printable
// characters beyond ASCII.
func Readable(url string) string {
	var out []byte
	for url != "" {
		run := escapes(url)
		if len(run) >= longRun && printable(run) {
			out = append(out, run...)
			url = url[3*len(run):]
			continue
		}
		n := max(1, 3*len(run))
		out = append(out, url[:n]...)
		url = url[n:]
	}
	return string(out)
}

// escapes returns the bytes beyond ASCII of the escapes that begin a text.
func escapes(s string) (run []byte) {
	for len(s) >= 3 && s[0] == '%' {
		b, err := hex.DecodeString(s[1:3])
		if err != nil || b[0] < utf8.RuneSelf {
			break
		}
		run = append(run, b[0])
		s = s[3:]
	}
	return run
}

func printable(run []byte) bool {
	for len(run) > 0 {
		c, n := utf8.DecodeRune(run)
		if c == utf8.RuneError || !unicode.IsPrint(c) {
			return false
		}
		run = run[n:]
	}
	return true
}
