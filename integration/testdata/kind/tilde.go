package rule

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

// A tilde writes the homes of people as folders: /~ann/ as /home/ann/.
var tildeKind = kind{
	name:  "tilde",
	about: "A mark at the beginning of the path becomes a folder.",
	members: []member{
		{name: "folder", of: func(w *Wire) any { return &w.Folder }, need: needed, about: "The folder of all homes."},
		{name: "mark", of: func(w *Wire) any { return &w.Mark }, words: markNames[:], about: "What stands before the name; tilde if missing."},
	},
	lacks: "a tilde needs a folder",
	read: func(w *Wire) (Edit, error) {
		return Tilde{Folder: *w.Folder, Mark: max(0, slices.Index(markNames[:], w.Mark))}, nil
	},
	compare: func(a, b Likely) int {
		return strings.Compare(a.Rule.Edit.(Tilde).Folder, b.Rule.Edit.(Tilde).Folder)
	},
}

// Tilde is the edit.
type Tilde struct {
	Folder string
	Mark   int // in marks
}

func (Tilde) kind() Kind                  { return KindTilde }
func (e Tilde) texts() [mostTexts]fromURL { return [mostTexts]fromURL{{"", e.Folder}} }
func (e Tilde) words() string             { return "write " + marks[e.Mark] + " as " + e.Folder }
func (e Tilde) triggers(t *Triggers)      { t.add(Trigger{Text: marks[e.Mark], AtStart: true}) }
func (e Tilde) write(w *Wire)             { w.Folder, w.Mark = text(e.Folder), markNames[e.Mark] }
func (e Tilde) validate() error {
	if e.Folder == "" || strings.ContainsAny(e.Folder, "/?") {
		return errors.New("the folder of a tilde is not one segment")
	}
	return nil
}

var (
	markNames = [...]string{"tilde", "at"}
	marks     = [...]string{"/~", "/@"}
)

// WireTilde is the members of a tilde in JSON.
type WireTilde struct {
	Folder *string `json:"folder,omitempty"`
	Mark   string  `json:"mark,omitempty"`
}

// apply replaces the mark.
func (e Tilde) apply(dst, url []byte) ([]byte, bool) {
	rest, is := bytes.CutPrefix(url, []byte(marks[e.Mark]))
	if !is {
		return dst, false
	}
	dst = append(append(append(dst, '/'), e.Folder...), '/')
	return append(dst, rest...), true
}
