package weblog

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
