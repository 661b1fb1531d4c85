package drops

import (
	"bytes"
	"strings"
)

// paths numbers exact paths and paths with a wildcard, from 1. An exact path has no
// segment "*", so no path is both.
type paths struct {
	ids  map[string]uint32
	list []pathWord // list[0] is any path
}

type pathWord struct {
	text  string
	all   []uint32 // of an exact path: its own number, then stars
	stars []uint32 // of an exact path: the path with one segment as a wildcard
	star  bool     // a segment is a wildcard
}

func newPaths() paths { return paths{ids: map[string]uint32{}, list: make([]pathWord, 1)} }

// exact returns the number of an exact path, or 0 if a segment of the path reads "*".
func (p *paths) exact(text []byte) uint32 {
	if bytes.Contains(text, []byte("/*/")) {
		return 0
	}
	if id, ok := p.ids[string(text)]; ok {
		return id
	}
	s := string(text)
	stars := p.stars(s)
	id := p.id(s)
	p.list[id].stars, p.list[id].all = stars, append([]uint32{id}, stars...)
	return id
}

func (p *paths) id(text string) uint32 {
	id, ok := p.ids[text]
	if !ok {
		id = uint32(len(p.list))
		p.ids[text] = id
		p.list = append(p.list, pathWord{text: text, star: starred(text)})
	}
	return id
}

// stars returns the paths in which one segment of an exact path is a wildcard.
func (p *paths) stars(path string) (ids []uint32) {
	if strings.Count(path, "/") > maxSlashes {
		return nil
	}
	for from := strings.IndexByte(path, '/') + 1; ; {
		n := strings.IndexByte(path[from:], '/')
		if n < 0 {
			return ids
		}
		if n > 0 {
			ids = append(ids, p.id(path[:from]+"*"+path[from+n:]))
		}
		from += n + 1
	}
}
