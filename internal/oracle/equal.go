package oracle

import (
	"fmt"

	"dustbuster/operators/window/evidence"
)

// EqualSupports is figure 1 up to line 20 within each set of URLs of exactly one size or
// digest: the sum of the counts over the sets. Within a set all URLs are similar.
func EqualSupports(o Options, pages []evidence.Page) map[Pair]Count {
	o.Similarity = evidence.Similarity{Off: true}
	sets := map[string][]evidence.Page{}
	for _, p := range pages {
		if z := equalSet(pages, p.Evidence); z != "" {
			sets[z] = append(sets[z], p)
		}
	}
	sum := map[Pair]Count{}
	for _, set := range sets {
		for p, c := range Supports(o, set) {
			sum[p] = Count{sum[p].Support + c.Support, sum[p].High + c.High}
		}
	}
	return sum
}

// equalSet returns the name of the set of a URL, or "" if the URL is in no set. It is that of
// the URL's one digest; otherwise, of its one size in the class of the URL that most URLs of
// the list have, the smaller of two that equally many have.
func equalSet(pages []evidence.Page, e evidence.Spans) string {
	var best evidence.Span
	most := 0
	for _, s := range e {
		if s.Class == evidence.Digest {
			if s.Min == s.Max {
				return fmt.Sprint("digest ", s.Min)
			}
			continue
		}
		if n := urlsOfClass(pages, s.Class); n > most || n == most && s.Class < best.Class {
			best, most = s, n
		}
	}
	if most == 0 || best.Min != best.Max || best.Min <= 0 {
		return ""
	}
	return fmt.Sprint("class ", best.Class, " size ", best.Min)
}

func urlsOfClass(pages []evidence.Page, class uint8) (n int) {
	for _, p := range pages {
		for _, s := range p.Evidence {
			if s.Class == class {
				n++
			}
		}
	}
	return n
}
