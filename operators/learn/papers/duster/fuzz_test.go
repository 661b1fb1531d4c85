package duster

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// FuzzLearn reads paragraphs as clusters and lines as URLs. The definition is asked for
// small input of printable lines. Always, all contexts compile, and the context of a
// cluster's alignment matches each aligned URL.
func FuzzLearn(f *testing.F) {
	f.Add("/man/ls\n/man/ls?lang=de\n\n/man/cp\n/man/cp?lang=de")
	f.Add("http://www.ex/\nhttp://www.un/home\n\n/a1b2\n/b1a\n/$1\n/${1}\n/$$")
	f.Add("/%41\n/A\n\n/\\Q\n/\\E\n/(\n/[\n/x{1000}{1000}\n/\xff\n/\u00e9")
	f.Fuzz(func(t *testing.T, text string) {
		var clusters [][]string
		small := len(text) < 150
		for paragraph := range strings.SplitSeq(text, "\n\n") {
			urls := slices.Compact(slices.Sorted(strings.SplitSeq(paragraph, "\n")))
			urls = slices.DeleteFunc(urls, func(url string) bool { return url == "" })
			clusters = append(clusters, urls)
			small = small && len(urls) <= 10
			checkMatches(t, urls)
		}
		isPlain := !strings.ContainsFunc(text, func(r rune) bool { return r != '\n' && (r <= ' ' || r > '~') })
		if small && isPlain {
			verify(t, clusters, Options{MinClusters: 1})
			return
		}
		for _, r := range Learn(clusters, Options{MinClusters: 1}) {
			for _, urls := range clusters {
				for _, url := range urls {
					if to, changed := r.Rewrite(url); changed != (to != url) || len(to) > max(len(url), MaxBytes) {
						t.Fatalf("%q became %q (%v)", url, to, changed)
					}
				}
			}
		}
	})
}

func checkMatches(t *testing.T, urls []string) {
	var a aligner
	o := Options{}.completed()
	names, row := a.align(urls, o)
	if row == nil {
		return
	}
	context, _ := express(names, row, o.MaxSet)
	x, err := regexp.Compile(context)
	if err != nil {
		t.Fatalf("%q: %v", urls, err)
	}
	m := marksOf(names, row)
	for _, url := range sample(urls, o.MaxURLs) {
		if newAlphabet().sequence(url) != nil && (!x.MatchString(url) || !m.fit(url)) {
			t.Fatalf("%s does not match %q (delimiters: %v)", context, url, m.fit(url))
		}
	}
}
