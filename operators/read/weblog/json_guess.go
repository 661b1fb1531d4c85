package weblog

// guess stores the key at one place of the last line and its meaning. A server writes all
// lines in one order, so the next line's key is compared with the guess, and looked up
// only if the keys differ.
type guess struct {
	object *jsonObject
	key    []byte
	value  *jsonValue
}

// Bounds of the guesses. Longer keys and later places are looked up.
const (
	maxGuesses  = 64
	maxGuessKey = 64
)

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

// jsonKeys maps keys to their meanings.
type jsonKeys map[string]*jsonValue

// unknownKey is the empty meaning of all other keys. unknownKey is never written to.
var unknownKey = &jsonValue{}

func (k jsonKeys) find(key []byte) *jsonValue {
	if v := k[string(key)]; v != nil {
		return v
	}
	return unknownKey
}
