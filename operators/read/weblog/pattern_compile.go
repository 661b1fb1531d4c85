package weblog

import (
	"errors"
	"fmt"
	"strings"
)

func compile(s, header string) (scanner, error) {
	if s == "" {
		return nil, errors.New("it is empty")
	}
	if s[0] == '{' {
		return compileJSON(s, header)
	}
	pieces, err := splitter(s, header)(s)
	if err != nil {
		return nil, err
	}
	l, err := compileLine(pieces)
	if err != nil {
		return nil, err
	}
	return l, complete(l.has)
}

// splitter returns the function that splits a format string. A string with a $name is
// nginx's. Any other string is Apache's. Neither server uses the other's variables as
// literal text.
//
// The variable of a header that client.Proxies names counts before X-Forwarded-For.
func splitter(s, header string) func(string) ([]variable, error) {
	split := splitApache
	for i := range s {
		if _, n := nginxName(s[i:]); n > 0 {
			split = splitNginx
			break
		}
	}
	if header == "" {
		return split
	}
	return func(s string) ([]variable, error) {
		pieces, err := split(s)
		for i := range pieces {
			if name := pieces[i].name; strings.EqualFold(name, "$http_"+strings.ReplaceAll(header, "-", "_")) || strings.EqualFold(name, "%{"+header+"}i") {
				pieces[i].field, pieces[i].rank, pieces[i].shape = fieldForwarded, 2, shapeList
			}
		}
		return pieces, err
	}
}

// complete returns an error if a format has no request or no status. Without either, no
// line counts.
func complete(has Fields) error {
	switch {
	case has&HasRequest == 0:
		return errors.New("the format has no request (log $request or %r, or method and URI)")
	case has&HasStatus == 0:
		return errors.New("the format has no status (log $status or %>s)")
	}
	return nil
}

// compileLine builds the scanner of a line, or of a string in a JSON object. The string
// may have no request.
func compileLine(pieces []variable) (*lineScanner, error) {
	pieces = join(pieces)
	choose(pieces)
	l := &lineScanner{escaping: backslashed}
	if len(pieces) > 0 && pieces[0].literal != "" {
		l.lead, pieces = pieces[0].literal, pieces[1:]
	}
	for i := 0; i < len(pieces); i++ {
		v := pieces[i]
		o := op{variable: v}
		if i+1 < len(pieces) && pieces[i+1].literal != "" {
			i++
			o.sep = pieces[i].literal
		} else if i+1 < len(pieces) && !o.abut(pieces[i+1]) {
			return nil, adjacent(pieces[i], pieces[i+1])
		}
		l.ops = append(l.ops, o)
		l.note(&v)
	}
	l.link()
	return l, nil
}

// abut reports whether a field may be followed by another without text between: the field
// has a fixed length, or the next field begins with the '/' of a path.
func (o *op) abut(next variable) bool {
	if o.shape == shapeFixed || o.shape == shapeStatus {
		return true
	}
	if next.role == rolePath {
		o.sep, o.keep = "/", true
	}
	return o.keep
}

func adjacent(a, b variable) error {
	return fmt.Errorf("%s and %s stand side by side at byte %d, so a line does not show where the first ends: put a space or a quote between them",
		a.name, b.name, b.at)
}

// note adds the field of a variable to the scanner's description.
func (l *lineScanner) note(v *variable) {
	l.has |= hasOf[slotOf[v.field]]
	switch v.field {
	case fieldSize:
		l.size = v.size
	case fieldPart:
		l.parts = true
		if v.letter == 'd' || v.letter == 'e' {
			l.has |= HasTime
		}
	}
}

// addLiteral appends literal text, to the last piece if that is literal too.
func addLiteral(pieces []variable, s string, at int) []variable {
	if n := len(pieces); n > 0 && pieces[n-1].literal != "" {
		pieces[n-1].literal += s
		return pieces
	}
	return append(pieces, variable{literal: s, at: at})
}

// addPiece appends a variable, or the literal text of a directive.
func addPiece(pieces []variable, v variable, name string, at int) []variable {
	if v.literal != "" {
		return addLiteral(pieces, v.literal, at)
	}
	v.name, v.at = name, at
	return append(pieces, v)
}

// join replaces neighbouring pieces of one field: a host or a client and its port, a path
// and its query.
func join(pieces []variable) []variable {
	var out []variable
	for len(pieces) > 0 {
		v, n := pieces[0], neighbours(pieces)
		if n > 0 && v.field == fieldPath {
			v.field, v.rank = fieldAddress, 3
		}
		if n > 0 && v.field == fieldClient {
			v.field = fieldPeer
		}
		for _, w := range pieces[1 : 1+n] {
			v.name += w.literal + w.name
		}
		out = append(out, v)
		pieces = pieces[1+n:]
	}
	return out
}

// neighbours returns the number of following pieces that belong to the first piece.
func neighbours(pieces []variable) int {
	v, rest := pieces[0], pieces[1:]
	switch {
	case len(rest) == 0:
		return 0
	case v.field == fieldPath && rest[0].field == fieldQuery:
		return 1
	case len(rest) == 1:
		return 0
	case v.field == fieldPath && rest[0].role == roleIsArgs && rest[1].field == fieldQuery:
		return 2
	case v.field == fieldHost && rest[0].literal == ":" && rest[1].role == rolePort:
		return 2
	case v.field == fieldClient && rest[0].literal == ":" && rest[1].role == roleClientPort:
		return 2
	}
	return 0
}

// choose keeps the best of the variables that fill the same slot, the first among equals.
// The other variables are scanned and not stored.
func choose(pieces []variable) {
	var best [fields]int // index + 1
	for i, v := range pieces {
		s := slotOf[v.field]
		if b := best[s]; b == 0 || v.rank > pieces[b-1].rank {
			best[s] = i + 1
		}
	}
	for i := range pieces {
		v := &pieces[i]
		if s := slotOf[v.field]; s != fieldSkip && best[s] != i+1 {
			v.field = fieldSkip
		}
	}
}

// variable is a piece of a format: literal text, or what one of its fields means and looks like. A column and a key of an
// object are variables too.
type variable struct {
	name    string // as written in the format; empty for literal text
	literal string
	field   field
	rank    uint8 // among variables that fill the same slot, the greatest rank wins
	shape   shape
	letter  byte // of a fieldPart: of strftime, or a whole date or time of day
	width   uint8
	size    SizeCount
	role    role
	at      int // byte offset in the format string
}

// The letters of whole dates and times of day.
const (
	wholeDate = 'D'
	wholeTime = 'T'
)

// role marks variables that the compiler joins with their neighbours, or separates from
// them.
type role uint8

const (
	rolePlain role = iota
	rolePort
	roleIsArgs
	roleClientPort
	rolePath // begins with a '/'
)

func text(f field, rank uint8) variable { return variable{field: f, rank: rank} }

func path(f field, rank uint8) variable { return variable{field: f, rank: rank, role: rolePath} }

// The shapes shared by both servers' tables.
var (
	skipped      = variable{}
	skippedList  = variable{shape: shapeList}
	clientList   = variable{field: fieldForwarded, rank: 1, shape: shapeList}
	clientFirst  = variable{field: fieldClient, rank: 3, shape: shapeList} // many servers write X-Forwarded-For here
	userName     = variable{field: fieldUser}
	statusCode   = variable{field: fieldStatus, rank: 2, shape: shapeStatus}
	protocol     = variable{shape: shapeProtocol}
	port         = variable{role: rolePort}
	codeLoose    = variable{field: fieldStatus, rank: 2, shape: shapeCode}
	padded       = variable{shape: shapePadded}
	clientPort   = variable{role: roleClientPort}
	timeCommon   = variable{field: fieldTime, rank: 2, shape: shapeTime, width: uint8(len("02/Jan/2006:15:04:05 -0700"))}
	timeISO      = variable{field: fieldTime, rank: 2, shape: shapeTime, width: uint8(len("2006-01-02T15:04:05-07:00"))}
	timeEpoch    = variable{field: fieldTime, rank: 2, shape: shapeDecimal}
	sizeBody     = variable{field: fieldSize, rank: 2, shape: shapeNumber, size: SizeBody}
	sizeFramed   = variable{field: fieldSize, rank: 2, shape: shapeNumber, size: SizeBodyFramed}
	sizeTotal    = variable{field: fieldSize, rank: 1, shape: shapeNumber, size: SizeTotal}
	sizeReceived = variable{shape: shapeNumber}
)
