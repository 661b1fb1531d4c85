package notes

import (
	"fmt"

	"dustbuster/operators/rule"
)

// Pairs returns the pairs of pages that a rule joins. Only a site with such a note asks for them.
type Pairs func(*rule.Rule) [][2]uint32

// Explained reports whether a catch-all explains that the pairs of pages of a rule are alike: both
// pages of nearly all pairs are pages of catch-alls.
func (s *Site) Explained(r *rule.Rule, of Pairs) bool {
	if s.caught == nil {
		return false
	}
	caught, pairs := 0, of(r)
	for _, p := range pairs {
		if s.caught[p[0]] && s.caught[p[1]] {
			caught++
		}
	}
	return caught > 0 && reaches(caught, len(pairs), nearly)
}

// OfScanners reports whether scanners made nearly all pairs of pages of a rule: they alone requested
// one page of a pair, or both. Most would not do: a visitor may have the bit of a scanner, and with
// four such bits of sixteen nearly half of the pairs that two single visitors make hold such a page.
func (s *Site) OfScanners(r *rule.Rule, of Pairs) bool {
	if s.scanned == nil {
		return false
	}
	scanned, pairs := 0, of(r)
	for _, p := range pairs {
		if s.scanned[p[0]] || s.scanned[p[1]] {
			scanned++
		}
	}
	return scanned > 0 && reaches(scanned, len(pairs), nearly)
}

// Summary says how the pages of a site without notes on their sizes can be compared. good is false
// if they can hardly be.
func (s *Site) Summary() (words string, good bool) {
	z := &s.Sized
	switch {
	case z.Off:
		return "Pages are compared neither by size nor by digest, so all pages count as the same.", false
	case z.Digests >= z.URLs && z.Digests > 0:
		return "Pages are compared by their content.", true
	case z.URLs == 0:
		return "No size of a page is known, so no two pages can be compared.", false
	case z.URLs < least:
		return fmt.Sprintf("Only %s have a known size. %d are needed to judge this log.", count(z.URLs, "page"), least), false
	}
	hits := ""
	if z.Hits > 0 {
		hits = fmt.Sprintf(" (%s of the requests)", percent(z.ApartHits, z.Hits))
	}
	words, good = "Page sizes identify most pages here", true
	if above(z.Blurred, z.URLs) || above(z.BlurHits, z.Hits) {
		words, good = "Page sizes do not identify most pages here, or most requested pages", false
	}
	return fmt.Sprintf(words+": %s of the URLs share their size with many others, and %s%s change their size by more than %.4g %%.",
		percent(z.Crowd, z.URLs), percent(z.Apart, z.URLs), hits, 100*z.Tolerance), good
}

func percent(part, of int64) string { return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(of)) }
