package integration

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"dustbuster/internal/oracle"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/rule/dust"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/table"
	"dustbuster/operators/window/urllist"

	"github.com/dchest/siphash"
)

var sampleSite = flag.Int("samplesite", 1_000_000, "URLs of the generated site in BenchmarkSampleSupport")

var sampleKeys = flag.Int("samplekeys", 3, "keys over which BenchmarkSampleRules averages")

// BenchmarkSampleRules cuts URL lists to a tenth by several keys, and prints which share of
// the 50 likely pairs of greatest support (after phase 2) are likely in the tenth again:
// exactly, or with the same core edit, which is both sides without their common first and
// last tokens. Lists are generated, and with DUSTBUSTER_DATA those of real logs. The bound is
// the share that a sample of whole pages would find exactly on average: it keeps each envelope
// of a pair with a chance of a tenth, and needs three.
func BenchmarkSampleRules(b *testing.B) {
	lists := map[string][]evidence.Page{"made": oracle.Site(1, 20_000)}
	if dir := os.Getenv("DUSTBUSTER_DATA"); dir != "" {
		for _, name := range []string{"logs/semicomplete", "logs/nasa95", "logs/nspw", "logs/bplogs", "sites/docs/access", "sites/gitweb/access"} {
			lists[strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(name, "logs/"), "sites/"), "/access")] =
				logPages(b, filepath.Join(dir, name+".log.gz"))
		}
	}
	for range b.N {
		for _, name := range slices.Sorted(maps.Keys(lists)) {
			sampleRow(b, name, lists[name])
		}
	}
}

// samplers are the ways to choose a part of a list, by name: the place in the order.
var samplers = []struct {
	name  string
	place func(hash func(string) uint64, url string) oracle.Place
}{
	{"URL", func(hash func(string) uint64, url string) oracle.Place {
		return oracle.Place{URL: hash(url), Family: hash(url)}
	}},
	{"two smallest tokens", func(hash func(string) uint64, url string) oracle.Place {
		var draws []uint64
		for at := 0; at < len(url); at = dust.TokenEnd(url, at) {
			draws = append(draws, hash(url[at:dust.TokenEnd(url, at)])>>32)
		}
		slices.Sort(draws)
		draws = append(slices.Compact(draws), 0)
		key := draws[0]<<32 | draws[1]
		return oracle.Place{Key: key, Family: key, URL: hash(url)}
	}},
	{"page key", oracle.PlaceOf},
}

func sampleRow(b *testing.B, name string, pages []evidence.Page) {
	top := dust.Refine(sampledPairs(pages))
	slices.SortFunc(top, dust.CompareSupport)
	top = top[:min(50, len(top))]
	row := fmt.Sprintf("%-13s %6d URLs, %2d pairs, bound %.2f:", name, len(pages), len(top), wholePages(top))
	for _, s := range samplers {
		exact, core := 0, 0
		for key := range uint64(*sampleKeys) {
			e, c := foundAgain(top, sampledPairs(tenth(pages, key, s.place)))
			exact, core = exact+e, core+c
		}
		n := float64(*sampleKeys * len(top))
		row += fmt.Sprintf("  %s %.2f / %.2f", s.name, float64(exact)/n, float64(core)/n)
	}
	b.Log(row)
}

// wholePages returns the share of pairs that a sample of a tenth of the pages finds again.
func wholePages(pairs []dust.Candidate) float64 {
	sum := 0.0
	for _, c := range pairs {
		n := float64(c.Support)
		few := math.Pow(.9, n) + n*.1*math.Pow(.9, n-1) + n*(n-1)/2*.01*math.Pow(.9, n-2)
		sum += 1 - few
	}
	return sum / float64(len(pairs))
}

// foundAgain counts the pairs that are found again exactly, and with the same core edit.
func foundAgain(pairs, among []dust.Candidate) (exact, core int) {
	is, cores := map[dust.Pair]bool{}, map[[2]string]bool{}
	for _, c := range among {
		is[c.Pair] = true
		cores[coreEdit(c.Pair)] = true
	}
	for _, c := range pairs {
		if is[c.Pair] {
			exact++
		}
		if cores[coreEdit(c.Pair)] {
			core++
		}
	}
	return exact, core
}

// coreEdit returns both sides without their common first and last tokens.
func coreEdit(p dust.Pair) [2]string {
	a, b := p.Alpha, p.Beta
	for a != "" && b != "" {
		n := dust.TokenEnd(a, 0)
		if m := dust.TokenEnd(b, 0); a[:n] != b[:m] {
			break
		}
		a, b = a[n:], b[n:]
	}
	for a != "" && b != "" {
		n := dust.TokenStart(a, len(a))
		m := dust.TokenStart(b, len(b))
		if a[n:] != b[m:] {
			break
		}
		a, b = a[:n], b[:m]
	}
	return [2]string{a, b}
}

// tenth returns the first tenth of a list in an order of shedding.
func tenth(pages []evidence.Page, key uint64, place func(hash func(string) uint64, url string) oracle.Place) []evidence.Page {
	var all []oracle.Observation
	for _, p := range pages {
		all = append(all, oracle.Observation{URL: p.URL, Evidence: p.Evidence})
	}
	places := map[string]oracle.Place{}
	for _, p := range pages {
		places[p.URL] = place(func(text string) uint64 { return siphash.Hash(key, 77, []byte(text)) }, p.URL)
	}
	return oracle.Window(all, 0, len(pages)/10, func(url string) oracle.Place { return places[url] })
}

// sampledPairs returns the likely pairs of a list.
func sampledPairs(pages []evidence.Page) []dust.Candidate {
	urls := urllist.New()
	x := envelope.New(envelope.Defaults(), urls)
	for _, p := range pages {
		id, _ := urls.Intern([]byte(p.URL))
		urls.SetEvidence(id, p.Evidence)
		x.Enter(id)
	}
	return x.Likely()
}

// logPages returns the pages of a compressed combined log.
func logPages(b *testing.B, path string) (pages []evidence.Page) {
	urls := urllist.New()
	tab := table.New(table.Options{MaxURLs: 1e7}, urls)
	eachObservation(b, logLines(b, path), func(o *evidence.Observation) { tab.Fold(o) })
	for id := range urls.All() {
		pages = append(pages, evidence.Page{URL: string(urls.Text(id)), Evidence: tab.Evidence(nil, id)})
	}
	return pages
}

// BenchmarkSampleSupport cuts a generated site to a fiftieth, and prints the supports of the
// site's pairs in the sample, divided by a fiftieth of their supports in the site.
func BenchmarkSampleSupport(b *testing.B) {
	pages := oracle.Site(1, *sampleSite)
	for range b.N {
		urls := urllist.New()
		tab := table.New(table.Options{MaxURLs: *sampleSite / 50}, urls)
		for _, p := range pages {
			s := p.Evidence[0]
			tab.Fold(&evidence.Observation{URL: []byte(p.URL), Min: s.Min, Max: s.Max})
		}
		var part []evidence.Page
		for id := range urls.All() {
			if tab.Has(id) {
				part = append(part, evidence.Page{URL: string(urls.Text(id)), Evidence: tab.Evidence(nil, id)})
			}
		}
		found := map[dust.Pair]int{}
		for _, c := range sampledPairs(part) {
			found[c.Pair] = c.Support
		}
		all := sampledPairs(pages)
		slices.SortFunc(all, dust.CompareSupport)
		for _, c := range dust.Refine(all)[:10] {
			b.Logf("support %7d, %6d in the sample: %.2f  %q -> %q", c.Support, found[c.Pair], float64(found[c.Pair])*50/float64(c.Support), c.Alpha, c.Beta)
		}
	}
}
