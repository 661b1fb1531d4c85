package weblog

import (
	"errors"
	"fmt"
	"strings"
)

// apacheDirectives are Apache's LogFormat directives without an argument. The ranks are
// as in nginxVariables. The final status (%>s) is preferred to the original status. Any
// other directive without an argument is unknown.
var apacheDirectives = map[byte]variable{
	'a': clientFirst, 'h': clientFirst, 'u': userName,
	'A': skipped, 'D': skipped, 'f': skipped, 'k': skipped, 'l': skipped, 'L': skipped,
	'P': skipped, 'R': skipped, 'T': skipped, 'X': skipped,
	'B': sizeBody, 'b': sizeBody, 'O': sizeTotal, 'I': sizeReceived, 'S': sizeReceived,
	'H': protocol,
	'm': text(fieldMethod, 2),
	'p': port,
	'q': text(fieldQuery, 2),
	'r': text(fieldRequest, 2),
	's': {field: fieldStatus, rank: 1, shape: shapeStatus},
	'U': path(fieldPath, 2),
	'V': text(fieldHost, 5),
	'v': text(fieldHost, 4),
}

// apacheHeaders are the request (i) and response (o) headers that a Hit uses.
var apacheHeaders = map[string]variable{
	"i:user-agent":       text(fieldAgent, 2),
	"i:host":             text(fieldHost, 3),
	"i:x-forwarded-for":  clientList,
	"o:content-encoding": text(fieldEncoding, 2),
}

func splitApache(s string) ([]variable, error) {
	var pieces []variable
	for i := 0; i < len(s); {
		if s[i] != '%' {
			pieces = addLiteral(pieces, s[i:i+1], i)
			i++
			continue
		}
		d, n := cutDirective(s[i:])
		found, err := d.pieces()
		if err != nil {
			return nil, fmt.Errorf("%w %q at byte %d%s", err, s[i:i+n], i, d.suggest())
		}
		for _, v := range found {
			pieces = addPiece(pieces, v, s[i:i+n], i)
		}
		i += n
	}
	return pieces, nil
}

// directive is %, modifiers, an optional {argument}, and the letter.
type directive struct {
	modifiers, argument string
	letter              string // one or two bytes; "^ti", "^to" and "^FB" have three
}

// cutDirective returns the directive at the start of s and its length. Modifiers are <
// and > (original or final request) and lists of status codes.
func cutDirective(s string) (d directive, n int) {
	n = 1
	for n < len(s) && strings.IndexByte("<>!,0123456789", s[n]) >= 0 {
		n++
	}
	d.modifiers = s[1:n]
	if n < len(s) && s[n] == '{' {
		end := strings.IndexByte(s[n:], '}')
		if end < 0 {
			return directive{}, len(s)
		}
		d.argument = s[n+1 : n+end]
		n += end + 1
	}
	length := 1
	if strings.HasPrefix(s[n:], "^t") || strings.HasPrefix(s[n:], "^FB") {
		length = 3
	}
	end := min(n+length, len(s))
	d.letter = s[n:end]
	return d, end
}

// argumentLetters are the letters, other than t, of directives with an {argument}.
const argumentLetters = "ioahpCenxPT"

var errDirective = errors.New("unknown directive")

// pieces returns the variables of a directive. A time has several.
func (d directive) pieces() ([]variable, error) {
	switch {
	case d.letter == "":
		return nil, errDirective
	case d.letter == "%":
		return []variable{{literal: "%"}}, nil
	case d.letter == "t":
		return timePieces(d.argument)
	case len(d.letter) != 1:
		return []variable{skipped}, nil
	case d.argument != "":
		return d.withArgument()
	}
	v, ok := apacheDirectives[d.letter[0]]
	if !ok {
		return nil, errDirective
	}
	if d.letter == "s" && strings.Contains(d.modifiers, ">") {
		v = statusCode
	}
	return []variable{v}, nil
}

func (d directive) withArgument() ([]variable, error) {
	switch d.letter {
	case "i", "o":
		return []variable{apacheHeaders[d.letter+":"+strings.ToLower(d.argument)]}, nil
	case "a", "h":
		return []variable{text(fieldClient, 2)}, nil
	case "p":
		return []variable{port}, nil
	case "C", "e", "n", "x", "P", "T":
		return []variable{skipped}, nil
	}
	return nil, errDirective
}
