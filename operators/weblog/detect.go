package weblog

import (
	"bytes"
	"slices"
)

// Detection says which formats some lines fit.
type Detection struct {
	Lines int   // lines that are not blank
	Fits  []Fit // formats that at least one line fits, best first
}

// Fit says how well the lines fit one format.
type Fit struct {
	Format  Format
	Lines   int    // lines that fit
	Further int    // of them, those that go on after the format's last field
	Short   int    // of them, those that end after the last field that is needed
	Seen    Fields // fields that at least one line fills
	Misfit  string // what was wrong with the first line that does not fit

	score int
}

// Best is the format that the lines have. ok is false if it does not fit at
// least half of them: then they are in no known format, or in several.
func (d Detection) Best() (best Fit, ok bool) {
	if len(d.Fits) == 0 {
		return Fit{}, false
	}
	return d.Fits[0], 2*d.Fits[0].Lines >= d.Lines
}

// Detect ranks the formats of the table over the first lines of a log, given
// without their newlines. A line counts for a format as much as the format
// understands of it: its fields, and one more if nothing is left over. So
// combined beats common on its own lines, also when some are torn, and not on
// common's; vhost_combined fits no line of combined. Equal formats keep the
// order of the table.
func Detect(lines [][]byte) Detection {
	d := Detection{}
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) > 0 {
			d.Lines++
		}
	}
	for i := range table {
		p, err := table[i].parser()
		if err != nil {
			panic(err) // the table is constant, and a test makes every parser
		}
		if fit := p.fit(lines); fit.Lines > 0 {
			d.Fits = append(d.Fits, fit)
		}
	}
	slices.SortStableFunc(d.Fits, func(a, b Fit) int { return b.score - a.score })
	return d
}

// Measure says how well lines fit one parser's format.
func Measure(p *Parser, lines [][]byte) Fit { return p.fit(lines) }

func (p *Parser) fit(lines [][]byte) Fit {
	f := Fit{Format: p.format}
	weight := p.weight()
	var h Hit
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := p.Parse(&h, line); err != nil {
			if f.Misfit == "" {
				f.Misfit = err.Error()
			}
			continue
		}
		if !p.plausible(&h) {
			continue
		}
		f.Lines++
		f.Seen |= filled(&h)
		f.score += weight
		switch {
		case p.further:
			f.Further++
			f.score--
		case p.missing > 0:
			f.Short++
			f.score -= p.missing + 1
		}
	}
	return f
}

// weight is how much the format understands of a line that fits.
func (p *Parser) weight() int {
	if l, ok := p.scanner.(*lineScanner); ok {
		return len(l.ops) + 1
	}
	return len(p.format.Fields.Names()) + 1
}

// plausible refuses hits that no server writes: a client is never "-". It is
// where a line without a host, but with a blank in the user's name, would pass
// for one with a host.
func (p *Parser) plausible(h *Hit) bool {
	_, isLine := p.scanner.(*lineScanner)
	return !isLine || p.format.Fields&HasClient == 0 || len(h.Client) > 0
}
