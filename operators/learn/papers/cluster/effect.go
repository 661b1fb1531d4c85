package cluster

import "slices"

// Effect is what a list of rules does to a clustering.
type Effect struct {
	URLs     int `json:"urls"` // of the clustering
	Clusters int `json:"clusters"`
	Forms    int `json:"forms"` // canonical forms of the URLs
	Left     int `json:"-"`     // clusters of the pages of the forms
	False    int `json:"false"` // URLs whose page is not the page of their form
}

// EffectOf counts the effect of a canonizer on a clustering: form returns the canonical form of
// a URL. A form that is a URL of the clustering has its own page, and another that of the first
// URL in byte order with this form. O(URLs) calls of form.
func EffectOf(clusters [][]string, form func(url string) string) Effect {
	e := Effect{Clusters: len(clusters), URLs: URLs(clusters)}
	owner := make(map[string]int, e.URLs)
	members := map[string][]string{}
	for number, c := range clusters {
		for _, url := range c {
			owner[url] = number
			f := form(url)
			members[f] = append(members[f], url)
		}
	}
	e.Forms = len(members)
	left := map[int]bool{}
	for f, urls := range members {
		page := f
		if _, listed := owner[f]; !listed {
			page = slices.Min(urls)
		}
		left[owner[page]] = true
		for _, url := range urls {
			if owner[url] != owner[page] {
				e.False++
			}
		}
	}
	e.Left = len(left)
	return e
}

// Coverage returns the share of the duplicates, URLs - Clusters, that the rules merge
// rightly: 0 without duplicates.
func (e Effect) Coverage() float64 { return share(e.URLs-e.Forms-e.False, e.URLs-e.Clusters) }

// Compression returns 1 - Forms / URLs (Lei et al., formula 1).
func (e Effect) Compression() float64 { return share(e.URLs-e.Forms, e.URLs) }

// Reduction returns the reduction of the duplicate rate, 1 - (1 - Left / Forms) /
// (1 - Clusters / URLs) (Lei et al., formula 2): 0 without duplicates.
func (e Effect) Reduction() float64 {
	before := share(e.URLs-e.Clusters, e.URLs)
	if before == 0 {
		return 0
	}
	return 1 - share(e.Forms-e.Left, e.Forms)/before
}

// FalseMerges returns False for each 10,000 URLs.
func (e Effect) FalseMerges() float64 { return 1e4 * share(e.False, e.URLs) }

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
