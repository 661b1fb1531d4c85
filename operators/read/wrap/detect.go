package wrap

import (
	"bytes"
	"slices"

	"dustbuster/operators/read/client"
	"dustbuster/operators/read/weblog"
)

// Detection is the wrapper and the formats of some lines.
type Detection struct {
	weblog.Detection              // of the lines, or of the inner lines if they are wrapped
	Wrapper          string       // around the lines; "": none
	Also             []weblog.Fit // further formats, each for the inner lines that no earlier format fits
	Parser           *Parser      // of lines like these; nil: no known format fits
}

// maxFormats is the greatest number of formats in one wrapper.
const maxFormats = 4

// One of few lines in a wrapper must be in a format, since other programs write into the
// same log. Of bare lines, half must be in some format.
const few = 64

// Detect detects the wrapper and the formats of the first lines of a log. The lines have no
// newlines. If wrapper is not empty, Detect assumes it. Otherwise Detect tries all wrappers but
// any. It costs some microseconds a line.
func Detect(wrapper string, lines [][]byte) Detection {
	d := detect(wrapper, lines)
	if d.Parser != nil {
		d.Parser.Learn(&client.Proxies{}, lines)
	}
	return d
}

func detect(wrapper string, lines [][]byte) Detection {
	if wrapper != "" {
		return detectNamed(byName(wrapper), lines)
	}
	best := Detection{}
	for i := range table {
		if table[i].untold {
			continue
		}
		inner, own, foreign := unwrapAll(&table[i], lines)
		switch {
		case foreign > len(inner)+own:
			continue
		case len(inner) == 0 && own > 0: // only beginnings of lines: the next lines will decide
			return Detection{Wrapper: table[i].Name}
		}
		if d := detectOrBare(&table[i], lines, inner); d.Parser != nil && d.Covered() > best.Covered() {
			best = d
		}
	}
	if best.Parser == nil {
		best = detectInner("", lines)
		if 2*best.Covered() < best.Lines {
			best.Parser, best.Also = nil, nil
		}
	}
	return best
}

// detectNamed detects the formats of lines in a known wrapper.
func detectNamed(w *Wrapper, lines [][]byte) Detection {
	inner, _, _ := unwrapAll(w, lines)
	return detectOrBare(w, lines, inner)
}

// detectOrBare detects the formats of the inner lines. If the wrapper allows bare lines, some of the
// lines may be bare.
func detectOrBare(w *Wrapper, lines, inner [][]byte) Detection {
	d := detectInner(w.Name, inner)
	if !w.maybeBare || d.Covered() == d.Lines {
		return d
	}
	return detectInner(w.Name, orBare(w, d.Parser, lines))
}

// orBare returns the inner lines that are in the formats of p, and the bare forms of all other
// lines. p may be nil.
func orBare(w *Wrapper, p *Parser, lines [][]byte) (all [][]byte) {
	u := Unwrapper{wrapper: w}
	var h weblog.Hit
	for _, line := range lines {
		inner, got := u.Unwrap(line)
		if got != Inner || len(bytes.TrimSpace(inner)) == 0 {
			continue
		}
		if p != nil {
			if kind, _ := p.first(&h, inner); kind != Other {
				all = append(all, bytes.Clone(inner))
				continue
			}
		}
		all = append(all, u.bare)
	}
	return all
}

// Covered returns the number of lines in the detected formats.
func (d *Detection) Covered() int {
	best, _ := d.Best()
	n := best.Lines
	for i := range d.Also {
		n += d.Also[i].Lines
	}
	return n
}

// detectInner chooses the format that fits the most lines best, then repeats the choice
// for the lines that do not fit.
func detectInner(wrapper string, inner [][]byte) Detection {
	d := Detection{Wrapper: wrapper, Detection: weblog.Detect(inner)}
	var formats []*weblog.Parser
	for found := d.Detection; len(found.Fits) > 0 && found.Fits[0].Lines*few >= d.Lines; found = weblog.Detect(inner) {
		best := found.Fits[0]
		p := parserOf(best)
		if p.Stateful() && slices.ContainsFunc(formats, (*weblog.Parser).Stateful) {
			break // a line that does not fit the columns of its file is malformed, and has no other columns
		}
		if len(formats) > 0 {
			d.Also = append(d.Also, best)
		}
		formats = append(formats, p)
		if inner = misfits(p, inner); len(inner) == 0 || len(formats) == maxFormats {
			break
		}
	}
	if len(formats) > 0 {
		d.Parser = newParser(wrapper, formats)
	}
	return d
}

func misfits(p *weblog.Parser, lines [][]byte) (rest [][]byte) {
	var h weblog.Hit
	for _, line := range lines {
		if kind, _ := kindOf(p.Parse(&h, line), Other); kind == Other || kind == Hit && !p.Plausible(&h) {
			rest = append(rest, line)
		}
	}
	return rest
}

func parserOf(f weblog.Fit) *weblog.Parser {
	p, err := weblog.New(f.Format.Name)
	if err != nil {
		panic(err) // the name comes from the table
	}
	return p
}

// unwrapAll returns the inner lines that are not blank. own counts the wrapper's own lines,
// foreign those outside of it.
func unwrapAll(w *Wrapper, lines [][]byte) (inner [][]byte, own, foreign int) {
	u := Unwrapper{wrapper: w}
	for _, line := range lines {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		b, got := u.Unwrap(line)
		switch {
		case got == Nothing:
			own++
		case got == Foreign:
			foreign++
		case len(bytes.TrimSpace(b)) > 0:
			inner = append(inner, bytes.Clone(b))
		}
	}
	return inner, own, foreign
}

// Measure measures how well lines fit the named format. name has the syntax of New.
func Measure(name string, lines [][]byte) (Detection, error) {
	p, err := New(name)
	if err != nil {
		return Detection{}, err
	}
	d := Detection{}
	if p.Wrapped() {
		d.Wrapper = p.unwrapper.wrapper.Name
		lines, _, _ = unwrapAll(p.unwrapper.wrapper, lines)
	}
	d.Detection = weblog.Detect(lines)
	d.Choose(weblog.Measure(p.formats[0], lines))
	if best, ok := d.Best(); ok || p.Wrapped() && best.Lines > 0 {
		d.Parser = p
	}
	return d, nil
}
