package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// truth is the visible text of each URL of a log, by path and query.
type truth map[string]string

// score is what a list of canonical forms is worth.
type score struct {
	URLs     int     `json:"urls"`      // of the truth
	Pages    int     `json:"pages"`     // different texts
	Forms    int     `json:"forms"`     // different forms
	Coverage float64 `json:"coverage"`  // duplicates removed, of those there are: 0 to 1
	False    int     `json:"false"`     // URLs whose text is not that of their form
	Per10000 float64 `json:"per_10000"` // false of 10,000 URLs
}

// readForms reads lines of URL, tab, form. A URL without a line keeps its form, and lines of other URLs do
// not count.
func readForms(in io.Reader, of truth) (map[string]string, error) {
	forms := make(map[string]string, len(of))
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		url, form, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			return nil, fmt.Errorf("read forms: no tab in the line %q", lines.Text())
		}
		if _, known := of[url]; known {
			forms[url] = form
		}
	}
	for url := range of {
		if _, known := forms[url]; !known {
			forms[url] = url
		}
	}
	return forms, lines.Err()
}

// judge compares forms with the truth. The text of a form is that of the URL that is the form itself, or
// else the text that most URLs of the form have.
func (of truth) judge(forms map[string]string) score {
	texts := map[string]bool{}
	groups := map[string]map[string]int{} // by form and text
	for url, form := range forms {
		texts[of[url]] = true
		if groups[form] == nil {
			groups[form] = map[string]int{}
		}
		groups[form][of[url]]++
	}
	s := score{URLs: len(of), Pages: len(texts), Forms: len(groups)}
	for form, by := range groups {
		all, most := 0, 0
		for _, n := range by {
			all, most = all+n, max(most, n)
		}
		if own, known := of[form]; known && by[own] > 0 {
			most = by[own]
		}
		s.False += all - most
	}
	if duplicates := s.URLs - s.Pages; duplicates > 0 {
		s.Coverage = float64(s.URLs-s.Forms-s.False) / float64(duplicates)
	}
	s.Per10000 = float64(s.False) * 1e4 / float64(max(s.URLs, 1))
	return s
}

// rightShare is the share of a right rule's URLs that keep their text, at least.
const rightShare = 0.95

// mostAsked bounds the forms of a rule that the site is asked for, since the truth lacks them.
const mostAsked = 100

// judgeRules says of each rule that changes a URL of the truth whether it is right. The text of a form is that of
// the truth, or else what the site shows.
func judgeRules(in io.Reader, of truth, shows func(url, text string) bool) (right []bool, err error) {
	rule, looked, kept, asked := "", 0, 0, 0
	end := func() {
		if looked > 0 {
			right = append(right, float64(kept) >= rightShare*float64(looked))
		}
		looked, kept, asked = 0, 0, 0
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Split(lines.Text(), "\t")
		if len(words) != 3 {
			return nil, fmt.Errorf("read rules: no three words in the line %q", lines.Text())
		}
		if words[0] != rule {
			end()
			rule = words[0]
		}
		known, there := of[words[1]]
		if !there || words[1] == words[2] {
			continue
		}
		form, there := of[words[2]]
		same := form == known
		if !there {
			if asked == mostAsked {
				continue
			}
			asked++
			same = shows(words[2], known)
		}
		looked++
		if same {
			kept++
		}
	}
	end()
	return right, lines.Err()
}

// share is the share of the right ones among the first k.
func share(right []bool, k int) float64 {
	first := right[:min(k, len(right))]
	n := 0
	for _, is := range first {
		if is {
			n++
		}
	}
	return float64(n) / float64(max(len(first), 1))
}
