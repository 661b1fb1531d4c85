package dashboard

import (
	"cmp"
	"maps"
	"slices"

	"dustbuster/operators/read/input"
	"dustbuster/sinks/page"
)

type inputsData struct {
	*seen
	Rows  []inputRow
	Pager pager
	Lines []reason
}

// inputRow is an input.
type inputRow struct {
	*input.State
	Share float64 // of the lines that could not be read
	Bar   *page.Row
	Lag   string

	OtherFile string // where the log lies now, if not at its name
}

// count is a number of things with a name.
type count struct {
	Name  string
	Count int
}

func inputs(r *request) (content, error) {
	d := inputsData{seen: r.seen, Pager: r.pager("inputs", len(r.seen.Inputs)), Lines: linesRead(r.seen)}
	rows := part(r, r.seen.Inputs)
	for i := range rows {
		s := &rows[i]
		row := inputRow{State: s, Lag: lagWords(s)}
		if s.File != s.Name {
			row.OtherFile = s.File
		}
		for _, share := range s.Malformed {
			row.Share += share
		}
		row.Bar = &page.Row{Title: page.Percent(row.Share) + " of the lines could not be read", Parts: []page.Part{{Tone: page.Bad, Share: row.Share}}}
		d.Rows = append(d.Rows, row)
	}
	return content{"inputs", "Inputs", "inputs", &d}, nil
}

// linesRead returns what became of all lines.
func linesRead(s *seen) (list []reason) {
	for _, c := range counts(s.Loop.Counts.JSON()) {
		list = append(list, reason{Name: c.Name, Words: page.LineWords[c.Name], Count: c.Count})
	}
	return list
}

// lagWords returns how far behind an input is.
func lagWords(s *input.State) string {
	switch {
	case s.LagBytes != nil && *s.LagBytes > 0:
		return bytesOf(*s.LagBytes) + ", " + seconds(s.LagSeconds)
	case s.LagRecords != nil && *s.LagRecords > 0:
		return page.Count(*s.LagRecords, "record") + ", " + seconds(s.LagSeconds)
	case !s.CaughtUp:
		return "catching up"
	}
	return "none"
}

// counts returns the counts that are not 0, the greatest first.
func counts(all map[string]int) (list []count) {
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if n := all[name]; n > 0 {
			list = append(list, count{name, n})
		}
	}
	slices.SortStableFunc(list, func(a, b count) int { return cmp.Compare(b.Count, a.Count) })
	return list
}
