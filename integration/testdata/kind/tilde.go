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
	read: func(w *Wire, r *Rule) error {
		r.Home = Home{Folder: *w.Folder, Mark: max(0, slices.Index(markNames[:], w.Mark))}
		return nil
	},
	write: func(r *Rule, w *Wire) {
		w.Folder, w.Mark = text(r.Home.Folder), markNames[r.Home.Mark]
	},
	validate: func(r *Rule) error {
		switch {
		case *r != Rule{Kind: Tilde, Home: r.Home, Scope: r.Scope, Except: r.Except}:
			return errors.New("a tilde has other members than its folder, mark and scope")
		case r.Home.Folder == "" || strings.ContainsAny(r.Home.Folder, "/?"):
			return errors.New("the folder of a tilde is not one segment")
		}
		return nil
	},
	texts:    func(r *Rule) [mostTexts]fromURL { return [mostTexts]fromURL{{"", r.Home.Folder}} },
	words:    func(r *Rule) string { return "write " + marks[r.Home.Mark] + " as " + r.Home.Folder },
	triggers: func(r *Rule, t *Triggers) { t.add(Trigger{Text: marks[r.Home.Mark], AtStart: true}) },
	compare:  func(a, b Likely) int { return strings.Compare(a.Rule.Home.Folder, b.Rule.Home.Folder) },
}

// Home is the members of a tilde.
type Home struct {
	Folder string
	Mark   int // in marks
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

// home replaces the mark.
func (r *Rule) home(dst, url []byte) ([]byte, bool) {
	rest, is := bytes.CutPrefix(url, []byte(marks[r.Home.Mark]))
	if !is {
		return dst, false
	}
	dst = append(append(append(dst, '/'), r.Home.Folder...), '/')
	return append(dst, rest...), true
}
