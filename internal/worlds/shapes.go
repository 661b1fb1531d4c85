package worlds

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// A Shape is a made-up site as a web application lays it out, as clusters of the URLs of one page.
type Shape struct {
	Name  string
	Pages func(rng *rand.Rand, page int) []string // the URLs of a page
}

// Shapes are layouts on which learners of templates differ. Each page has a few URLs, and some pages
// have many, such as the login page of "login addresses".
var Shapes = []Shape{
	{"trailing slashes", func(rng *rand.Rand, n int) []string {
		page := fmt.Sprintf("/%d/%02d/%s", 2015+n%9, 1+n%12, slug(n))
		return some(rng, page+"/", page+"/amp/", page+"/feed/", page)
	}},
	{"front controller", func(rng *rand.Rand, n int) []string {
		title := slug(n)
		if n == 0 {
			title = "Main_Page"
		}
		all := []string{"/index.php?title=" + title, "/wiki/" + title, "/index.php?title=" + title + "&action=view",
			fmt.Sprintf("/index.php?title=%s&oldid=%d", title, 7*n+3), "/index.php?title=" + title + "&printable=yes"}
		return some(rng, all...)
	}},
	{"login addresses", func(rng *rand.Rand, n int) []string {
		if n > 0 {
			return some(rng, "/index.php?title="+slug(n), "/index.php?title="+slug(n)+"&redirect=no")
		}
		var all []string
		for i := range loginAddresses {
			all = append(all, "/index.php?title=Special:UserLogin&returnto="+slug(i+1))
			if i%3 == 0 {
				all = append(all, fmt.Sprintf("/index.php?title=Special:UserLogin&returnto=%s&returntoquery=action%%3Dedit%%26section%%3D%d", slug(i+1), i%40))
			}
		}
		return all
	}},
	{"comment pages", func(rng *rand.Rand, n int) []string {
		page := fmt.Sprintf("/post/%d", 1000+n)
		all := []string{page, page + "?view=threaded"}
		for range rng.IntN(6) {
			all = append(all, fmt.Sprintf("%s?comment=%d", page, rng.IntN(90_000)))
			all = append(all, fmt.Sprintf("%s?comment=%d&sort=old", page, rng.IntN(90_000)))
		}
		return all
	}},
	{"amp", func(rng *rand.Rand, n int) []string {
		section := []string{"news", "sport", "culture"}[n%3]
		page := fmt.Sprintf("/%s/%s-%d", section, slug(n), n)
		return some(rng, page+".html", page+".amp.html", "/amp/"+section+"/"+slug(n)+fmt.Sprintf("-%d.html", n), page+".html?amp=1")
	}},
	{"blog", func(rng *rand.Rand, n int) []string { // a post, its comments to answer, its buttons to share
		page := fmt.Sprintf("/%d/%02d/%02d/%s/", 2010+n%9, 1+n%12, 1+n%28, slug(n))
		all := []string{page, page + "?share=mail", page + "?share=print", fmt.Sprintf("/?p=%d", 100+n)}
		for range rng.IntN(5) {
			all = append(all, fmt.Sprintf("%s?replytocom=%d", page, rng.IntN(90_000)))
		}
		return some(rng, all...)
	}},
	{"wiki", func(rng *rand.Rand, n int) []string { // exports and views of a page, some with a session
		page := "/doku.php?id=" + slug(n)
		session := fmt.Sprintf("&sid=%08x", rng.Uint32())
		return some(rng, page, page+"&do=show", page+"&do=show"+session, page+session, fmt.Sprintf("%s&rev=%d&do=show", page, n),
			fmt.Sprintf("%s&rev=%d", page, n), page+"&purge", page+"&do=show&purge")
	}},
	{"bare numbers", func(rng *rand.Rand, n int) []string { // builds of files and forms of pages
		if n%3 == 0 {
			file := fmt.Sprintf("/lib/%s.css", slug(n))
			return []string{file, fmt.Sprintf("%s?%d", file, 1_700_000_000+rng.IntN(90_000_000)), fmt.Sprintf("%s?%d", file, 1_600_000_000+rng.IntN(90_000_000))}
		}
		page := "/index.php?title=" + slug(n)
		return some(rng, page, page+"&action=view", fmt.Sprintf("%s&%d", page, rng.IntN(1_000_000)), fmt.Sprintf("%s&action=view&%d", page, rng.IntN(1_000_000)))
	}},
}

// loginAddresses is the number of pages that the login page returns to.
const loginAddresses = 1500

// slug is a text of its own for each number.
func slug(n int) string {
	words := []string{"red", "green", "stone", "river", "cloud", "paper", "glass"}
	return fmt.Sprintf("%s-%s-%d", words[n%7], words[n/7%7], n)
}

// some returns the first URL, and each other with probability 3/4.
func some(rng *rand.Rand, all ...string) []string {
	return slices.Concat(all[:1], slices.DeleteFunc(slices.Clone(all[1:]), func(string) bool { return rng.IntN(4) == 0 }))
}

// Clusters returns the clusters of about so many URLs, each of distinct URLs.
func (s *Shape) Clusters(seed uint64, urls int) (clusters [][]string) {
	rng := rand.New(rand.NewPCG(seed, 12))
	for n := 0; urls > 0; n++ {
		c := s.Pages(rng, n)
		slices.Sort(c)
		c = slices.Compact(c)
		clusters = append(clusters, c)
		urls -= len(c)
	}
	return clusters
}
