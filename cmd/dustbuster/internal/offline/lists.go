package offline

import (
	"slices"
	"strings"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/notes"
	"dustbuster/operators/read/weblog"
)

// about returns what the logs cannot tell about a site. That nobody asked for the URLs of a list is no
// news.
func (r *Reading) about(site *miner.Reach) *notes.Site {
	all := site.Notes()
	if r.lists() {
		s := *all
		s.Notes = slices.DeleteFunc(slices.Clone(s.Notes), func(n notes.Note) bool { return n.Kind == notes.NoClient })
		return &s
	}
	return all
}

// lists reports whether all that was read are lists of URLs: formats of weblog in which nobody asks.
func (r *Reading) lists() bool {
	for names, files := range r.formats {
		for name := range strings.SplitSeq(names[strings.IndexByte(names, '/')+1:], "+") {
			if files > 0 && !isList(name) {
				return false
			}
		}
	}
	return true
}

func isList(name string) bool {
	p, err := weblog.New(name)
	return err == nil && p.Fields()&weblog.HasClient == 0
}
