package text

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/shown"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
)

// Short is the few rules of a site that a reader sees first.
type Short struct {
	*List
	Savings []miner.Saving // of the rows
	First   []int          // the rows to show
	Share   float64        // of the duplicates that all rows find, those that these find
	All     bool           // all rows are shown
	Digests bool           // pages are compared by digests, and not by sizes
}

// Enough is the share of the duplicates from which on some rules explain nearly all of them.
const Enough = 0.9

// Most is the number of rules that are shown first, if fewer do not explain nearly all.
const Most = 5

// First chooses the rows to show first: those that find the most duplicates which no earlier row finds, until nearly all
// are found. all is the number that all rows find together. Rows that find none are shown only if there are no others.
func First(savings []miner.Saving, all int) (first []int, share float64) {
	found := 0
	for len(first) < min(Most, len(savings)) && float64(found) < Enough*float64(all) {
		best := -1
		for i, s := range savings {
			if s.New > 0 && !slices.Contains(first, i) && (best < 0 || s.New > savings[best].New) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		first, found = append(first, best), found+savings[best].New
	}
	for i := 0; all == 0 && i < min(Most, len(savings)); i++ {
		first = append(first, i)
	}
	return first, float64(found) / float64(max(all, 1))
}

// WriteShort writes the rows of a site that come first, one or two lines each, and the site's notes. named says that the
// site's name stands before.
func WriteShort(w io.Writer, site *miner.Machine, veil secret.Veil, s *Short, named bool) error {
	out := bufio.NewWriter(w)
	if head := s.head(); named {
		fmt.Fprintf(out, "%s: %s\n", cmp.Or(site.Site(), "unnamed site"), head)
	} else {
		fmt.Fprintln(out, strings.ToUpper(head[:1])+head[1:])
	}
	width := s.width(veil)
	for n, i := range s.First {
		s.row(out, veil, n+1, i, width)
	}
	for _, n := range s.Notes {
		fmt.Fprintf(out, "Note: %s.\n", n)
		if words := Explained(n, s.Explained, veil); words != "" {
			fmt.Fprintf(out, "      %s\n", words)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write rules: %w", err)
	}
	return nil
}

// head says how much the rows explain.
func (s *Short) head() string {
	rules := small(len(s.First)) + " rules"
	explain, them := " explain ", "them"
	if len(s.First) == 1 {
		rules, explain, them = "one rule", " explains ", "it"
	}
	switch {
	case s.All && len(s.First) > 0:
		return rules + ", best first:"
	case len(s.First) == 0:
		return fmt.Sprintf("no rule is shown of %s", numbered(s.Rules, "likely rule"))
	case s.Share == 0:
		return fmt.Sprintf("%s may be true, but no page was fetched twice because of %s:", rules, them)
	case len(s.First) == len(s.Rows):
		return rules + explain + "it:"
	case s.Share >= Enough:
		return rules + explain + "nearly all of it:"
	}
	return fmt.Sprintf("%s%s%s of it:", rules, explain, Share(s.Share))
}

// small writes a small number in letters.
func small(n int) string {
	words := []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	if n < len(words) {
		return words[n]
	}
	return Number(n)
}

// Widths of the words of rules in a row. Longer words have a line of their own.
const (
	leastWidth = 24
	mostWidth  = 60
)

// width returns the width of the column of rules.
func (s *Short) width(veil secret.Veil) (width int) {
	width = leastWidth
	for _, i := range s.First {
		if n := utf8.RuneCountInString(s.words(veil, i)); n <= mostWidth {
			width = max(width, n)
		}
	}
	return width
}

func (s *Short) row(out io.Writer, veil secret.Veil, rank, i, width int) {
	row, words := &s.Rows[i], s.words(veil, i)
	figures := effect(&miner.Effect{URLs: s.Savings[i].URLs, Bytes: s.Savings[i].Bytes})
	if s.Savings[i].URLs == 0 {
		figures = effect(&miner.Effect{URLs: s.Proposals[i].Effect.URLs})
	}
	if said := s.alike(&row.Rule); said != "" {
		figures += "; " + said
	}
	if utf8.RuneCountInString(words) > width {
		fmt.Fprintf(out, "%3d  %s\n     %s\n", rank, words, figures)
	} else {
		fmt.Fprintf(out, "%3d  %s%s  %s\n", rank, words, strings.Repeat(" ", width-utf8.RuneCountInString(words)), figures)
	}
	for _, line := range Doubts(row) {
		fmt.Fprintf(out, "     %s\n", line)
	}
}

// alike says how many pages of a rule are alike.
func (s *Short) alike(r *rule.Likely) string {
	switch {
	case !r.Weighed || r.Pairs == 0:
		return ""
	case s.Digests:
		return fmt.Sprintf("%d of %s have the same content", r.Alike, Count(r.Pairs, "pair"))
	}
	return fmt.Sprintf("%d of %s match", r.Alike, Count(r.Pairs, "page size"))
}

// words returns the words of a row's rule in the direction that the log proposes.
func (s *Short) words(veil secret.Veil, i int) string {
	r := s.Proposals[i].Rule
	if r.Kind() != rule.KindSubstring {
		return veil.Mask(r.Words())
	}
	return strings.Replace(MaskedWords(r.PairWords(), &r, s.Reach, veil), " is the same as ", " shows the same page as ", 1)
}

// Doubts says what speaks against a row, or why its pages may not be requested.
func Doubts(row *shown.Row) (lines []string) {
	switch row.Unasked {
	case shown.FewVisitors:
		lines = append(lines, "cannot be tested: few visitors ask for these URLs")
	case shown.Action:
		lines = append(lines, "cannot be tested: these URLs look like actions")
	}
	if Shared(&row.Rule) {
		lines = append(lines, SharedWords)
	}
	return lines
}
