package weblog

// guess remembers the key that stood in one place of the last line and what it
// means. A server writes all its lines in one order, so that the next line's
// key is compared with the guess, and looked up only where they differ.
type guess struct {
	object *jsonObject
	key    []byte
	value  *jsonValue
}

// The bounds of what is remembered; longer keys and later places are looked
// up.
const (
	maxGuesses  = 64
	maxGuessKey = 64
)

// lookup finds what a key of the object means.
func (o *jsonObject) lookup(p *Parser, key []byte) *jsonValue {
	if p.place == maxGuesses {
		return o.keys.find(key)
	}
	g := &p.guesses[p.place]
	p.place++
	if g.object == o && string(g.key) == string(key) {
		return g.value
	}
	v := o.keys.find(key)
	if len(key) <= maxGuessKey {
		g.object, g.key, g.value = o, append(g.key[:0], key...), v
	}
	return v
}

// jsonKeys maps keys to what they mean.
type jsonKeys map[string]*jsonValue

// unknownKey is what all other keys mean: nothing. It is never written to.
var unknownKey = &jsonValue{}

func (k jsonKeys) find(key []byte) *jsonValue {
	if v := k[string(key)]; v != nil {
		return v
	}
	return unknownKey
}
