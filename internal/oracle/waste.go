package oracle

import (
	"dustbuster/operators/window/evidence"
	"slices"
)

// WasteFigure is what a family of clients asked for: see Waste.
type WasteFigure struct {
	Fetched, Pages int
	Bytes          int64
}

// Waste computes the waste of each family, and at 32 of all named crawlers together, straight from the definition: U are the URLs of the
// family, F their forms. families are the masks of the URLs, edits what the rules do with a URL. caught are URLs
// of pages that the site gives for any name, which are one form.
func Waste(pages []evidence.Page, families map[string]uint32, edits []func(url string) string, caught map[string]bool) [33]WasteFigure {
	return WasteOf(pages, edits, caught)(families)
}

// WasteOf returns Waste for several families of the same pages.
func WasteOf(pages []evidence.Page, edits []func(url string) string, caught map[string]bool) func(families map[string]uint32) [33]WasteFigure {
	class, most := uint8(0), 0
	for c := range uint8(255) {
		n := 0
		for _, p := range pages {
			if _, ok := smallestOf(p.Evidence, c); ok {
				n++
			}
		}
		if n > most {
			class, most = c, n
		}
	}
	formOf := map[string]string{}
	for _, p := range pages {
		formOf[p.URL] = FormOf(edits, p.URL)
		if caught[p.URL] || caught[formOf[p.URL]] {
			formOf[p.URL] = "any name"
		}
	}
	return func(families map[string]uint32) [33]WasteFigure {
		asked := slices.DeleteFunc(slices.Clone(pages), func(p evidence.Page) bool { return families[p.URL] == 0 })
		return wasteOf(asked, class, formOf, families)
	}
}

// wasteOf computes the waste of pages whose forms are known, in bytes of a class.
func wasteOf(pages []evidence.Page, class uint8, formOf map[string]string, families map[string]uint32) (all [33]WasteFigure) {
	for bit := range all {
		forms, least := map[string]bool{}, map[string]int64{}
		for _, p := range pages {
			mask := uint64(families[p.URL])
			if mask&^(3|1<<28) != 0 { // a named crawler is among them
				mask |= 1 << 32
			}
			if mask>>bit&1 == 0 {
				continue
			}
			form := formOf[p.URL]
			all[bit].Fetched++
			forms[form] = true
			if size, ok := smallestOf(p.Evidence, class); ok {
				all[bit].Bytes += size
				if smallest, known := least[form]; !known || size < smallest {
					least[form] = size
				}
			}
		}
		all[bit].Pages = len(forms)
		for _, size := range least {
			all[bit].Bytes -= size
		}
	}
	return all
}

func smallestOf(e evidence.Spans, class uint8) (int64, bool) {
	for _, s := range e {
		if s.Class == class {
			return s.Min, true
		}
	}
	return 0, false
}

// FormOf returns the canonical form of a URL: the edits are made in turn until a round changes
// nothing, in at most ten rounds and 2,048 bytes; otherwise it is the URL itself.
func FormOf(edits []func(url string) string, url string) string {
	text := url
	for range 10 {
		before := text
		for _, edit := range edits {
			if text = edit(text); len(text) > 2048 {
				return url
			}
		}
		if text == before {
			return text
		}
	}
	return url
}
