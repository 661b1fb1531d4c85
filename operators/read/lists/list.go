package lists

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// Bounds of what is read. Beyond MostBytes and mostEntries a list is refused, other pieces are skipped.
const (
	MostBytes    = 16 << 20
	mostEntries  = 100_000
	mostPatterns = 2_000   // of all entries; each costs up to a microsecond for a name of the log
	mostPattern  = 1_000   // bytes of a pattern
	mostSteps    = 1 << 18 // instructions of all patterns, 40 bytes each
	mostSkips    = 1_000   // that are told with their line; the others are counted
)

// ErrTooLarge reports a list beyond the bounds.
var ErrTooLarge = errors.New("the list is too large: 16 MiB and 100,000 entries are the most; keep the lines that concern your sites")

// Skip is a piece of a list that is left out.
type Skip struct {
	Line int // from 1
	Why  string
}

func (s Skip) String() string { return fmt.Sprintf("line %d: %s", s.Line, s.Why) }

// List is the entries of one or several lists. A List that is read no more may be used by several goroutines.
type List struct {
	Skips   []Skip // of the last Read: the first of them
	Skipped int    // of the last Read: all

	everywhere *Names
	limited    []limited // entries for some sites
	entries    int
	patterns   int
	steps      int
}

// limited is entries for the sites that a test names.
type limited struct {
	on    func(site string) bool
	names *Names
}

// Names are the parameters that a list names on one site.
type Names struct {
	folded   map[string]bool // in small letters, whatever those of the name
	exact    map[string]bool
	patterns []pattern
}

func newNames() *Names { return &Names{folded: map[string]bool{}, exact: map[string]bool{}} }

func (n *Names) add(from *Names) {
	maps.Copy(n.folded, from.folded)
	maps.Copy(n.exact, from.exact)
	n.patterns = append(n.patterns, from.patterns...)
}

type pattern struct {
	*regexp.Regexp
	piece bool // the text is name=value, not the name
}

// Entries returns the number of names and patterns.
func (l *List) Entries() int { return l.entries }

// On returns the parameters that the list names on a site: a host, or a group of hosts; "": the log names none, so
// only entries for all sites count. O(entries).
func (l *List) On(site string) *Names {
	all := newNames()
	if l.everywhere != nil {
		all.add(l.everywhere)
	}
	for _, some := range l.limited {
		if site != "" && some.on(site) {
			all.add(some.names)
		}
	}
	return all
}

// HasName reports whether the names have a parameter whatever its value.
func (n *Names) HasName(name string) bool {
	return n.exact[name] || n.folded[strings.ToLower(name)] || n.matches(name, false)
}

// Has reports whether the names have a parameter as it stands in a URL: name=value, or a bare name. O(1), and for
// each pattern O(bytes of the text).
func (n *Names) Has(name, text string) bool { return n.HasName(name) || n.matches(text, true) }

// NeedsValues reports whether some patterns look at values.
func (n *Names) NeedsValues() bool {
	return slices.ContainsFunc(n.patterns, func(p pattern) bool { return p.piece })
}

func (n *Names) matches(text string, piece bool) bool {
	return slices.ContainsFunc(n.patterns, func(p pattern) bool { return p.piece == piece && p.MatchString(text) })
}

// adder takes the entries of one text.
type adder struct {
	list *List
	line int
}

func (a *adder) skip(format string, args ...any) {
	if a.list.Skipped++; len(a.list.Skips) < mostSkips {
		a.list.Skips = append(a.list.Skips, Skip{a.line, fmt.Sprintf(format, args...)})
	}
}

// to returns the names of the sites for which an entry counts; on nil: everywhere.
func (a *adder) to(on func(site string) bool) *Names {
	if on != nil {
		n := newNames()
		a.list.limited = append(a.list.limited, limited{on, n})
		return n
	}
	if a.list.everywhere == nil {
		a.list.everywhere = newNames()
	}
	return a.list.everywhere
}

func (a *adder) full() bool {
	a.list.entries++
	return a.list.entries > mostEntries
}

// name adds a name: as it is written, or whatever the case of its letters.
func (a *adder) name(to *Names, name string, folded bool) error {
	switch {
	case a.full():
		return ErrTooLarge
	case folded:
		to.folded[strings.ToLower(name)] = true
	default:
		to.exact[name] = true
	}
	return nil
}

// pattern adds a pattern, in parentheses. One that cannot be read is skipped.
func (a *adder) pattern(to *Names, text string, piece bool) error {
	if re := a.compile(text); re != nil {
		if a.full() {
			return ErrTooLarge
		}
		to.patterns = append(to.patterns, pattern{re, piece})
	}
	return nil
}

// compile returns a pattern, which is told and nil if it cannot be read.
func (a *adder) compile(text string) *regexp.Regexp {
	if len(text) > mostPattern {
		a.skip("a pattern of %d bytes is too long: %d are the most", len(text), mostPattern)
		return nil
	}
	if a.list.patterns == mostPatterns {
		a.skip("this is one pattern more than %d, which are the most", mostPatterns)
		return nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		a.skip("the pattern %q cannot be read: %v", clip(text), err)
		return nil
	}
	steps := stepsOf(text)
	if a.list.steps+steps > mostSteps {
		a.skip("the pattern %q is too large, or one too many", clip(text))
		return nil
	}
	a.list.patterns++
	a.list.steps += steps
	return re
}

// stepsOf returns the number of instructions of a valid pattern: a repetition such as .{1000} has many.
func stepsOf(text string) int {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return mostSteps + 1
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return mostSteps + 1
	}
	return len(program.Inst)
}

// isName reports whether a text can be the name of a parameter in a URL.
func isName(text string) bool {
	return text != "" && len(text) <= mostPattern && !strings.ContainsFunc(text, func(c rune) bool {
		return c <= ' ' || c == 0x7f || strings.ContainsRune("=&;#?/\"<>\\^`{|}", c)
	})
}
