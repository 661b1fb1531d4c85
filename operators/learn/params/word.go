package params

// words numbers the names, paths and values of scopes. A word exists while a counter
// refers to it.
type words struct {
	ids   map[string]uint32
	list  []word   // list[0] is unused
	free  []uint32 // numbers to reuse
	bytes int      // of all texts
}

type word struct {
	text string
	refs int // counters whose key holds the word, once for each place
}

func newWords() words { return words{ids: map[string]uint32{}, list: make([]word, 1)} }

// id returns the number of a word. A new word gets a number, and the caller must then
// hold the word for a counter.
func (w *words) id(text []byte) uint32 {
	if id, ok := w.ids[string(text)]; ok {
		return id
	}
	s := string(text)
	id := uint32(len(w.list))
	if n := len(w.free); n > 0 {
		id, w.free = w.free[n-1], w.free[:n-1]
		w.list[id] = word{text: s}
	} else {
		w.list = append(w.list, word{text: s})
	}
	w.ids[s] = id
	w.bytes += len(s)
	return id
}

func (w *words) text(id uint32) string { return w.list[id].text }

func (w *words) hold(id uint32) {
	if id != 0 {
		w.list[id].refs++
	}
}

func (w *words) release(id uint32) {
	if id == 0 {
		return
	}
	o := &w.list[id]
	if o.refs--; o.refs == 0 {
		delete(w.ids, o.text)
		w.bytes -= len(o.text)
		*o = word{}
		w.free = append(w.free, id)
	}
}
