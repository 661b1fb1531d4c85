package wrap

import (
	"bytes"

	"dustbuster/operators/weblog"
)

// Detection says which wrapper and formats some lines are in.
type Detection struct {
	weblog.Detection              // of the lines, or of the inner ones if they are wrapped
	Wrapper          string       // around the lines; "": none
	Also             []weblog.Fit // further formats of the inner lines, of what the better ones leave
	Parser           *Parser      // of lines like these; nil: they are in no known format
}

// maxFormats is how many formats the lines in one wrapper may have.
const maxFormats = 4

// few is one in how many lines must be in a format. Of bare lines half must be in
// some format, but into a wrapper other programs write.
const few = 64

// Detect tells from the first lines of a log, given without their newlines,
// what they are. wrapper may name the one that they are in; if it is empty, all
// but any are tried. It costs some microseconds for each line.
func Detect(wrapper string, lines [][]byte) Detection {
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
		case len(inner) == 0 && own > 0: // only beginnings: who reads on will know more
			return Detection{Wrapper: table[i].Name}
		}
		if d := detectInner(table[i].Name, inner); d.Parser != nil && d.Covered() > best.Covered() {
			best = d
		}
	}
	if best.Parser != nil {
		return best
	}
	return detectBare(lines)
}

// detectNamed tells the formats of lines in a wrapper, or of lines of which some
// are in one.
func detectNamed(w *Wrapper, lines [][]byte) Detection {
	inner, _, _ := unwrapAll(w, lines)
	d := detectInner(w.Name, inner)
	if !w.maybeBare || d.Covered() == d.Lines {
		return d
	}
	return detectInner(w.Name, orBare(w, d.Parser, lines))
}

// orBare gives the inner lines that are in the formats of p, which may be nil, and
// in the place of the others the lines as they stand.
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
		all = append(all, line)
	}
	return all
}

// Covered is how many lines are in the formats that were found.
func (d *Detection) Covered() int {
	best, _ := d.Best()
	n := best.Lines
	for i := range d.Also {
		n += d.Also[i].Lines
	}
	return n
}

// detectBare is detectInner of lines without a wrapper, most of which must be in the
// formats found.
func detectBare(lines [][]byte) Detection {
	d := detectInner("", lines)
	if 2*d.Covered() < d.Lines {
		d.Parser, d.Also = nil, nil
	}
	return d
}

// detectInner takes the format that fits the most lines best, then that of what
// it leaves, and so on.
func detectInner(wrapper string, inner [][]byte) Detection {
	d := Detection{Wrapper: wrapper, Detection: weblog.Detect(inner)}
	var formats []*weblog.Parser
	for found := d.Detection; len(found.Fits) > 0 && found.Fits[0].Lines*few >= d.Lines; found = weblog.Detect(inner) {
		best := found.Fits[0]
		if len(formats) > 0 {
			d.Also = append(d.Also, best)
		}
		p := parserOf(best)
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
		panic(err) // it comes from the table
	}
	return p
}

// unwrapAll gives the inner lines that are not blank, and says how many of the
// others are the wrapper's own and how many are not in it.
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

// Measure says how well lines fit the format that name gives, as New takes it.
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
