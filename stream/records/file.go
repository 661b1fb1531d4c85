package records

import (
	"slices"
	"strings"

	"dustbuster/operators/read/weblog"
	"dustbuster/operators/read/wrap"
	"dustbuster/operators/window/admit"
)

// file is the state of reading the lines of one file.
type file struct {
	path    string
	parsers []*wrap.Parser // a line is read by the first parser that accepts it; empty: no known format
	name    string         // names of the formats
	shared  *shared        // the parsers for a team; nil: not made yet
	last    lastLine       // result of the last line, apart from blank lines and a wrapper's own lines
	failed  sample         // the last lines that no parser accepts
	others  sample         // the last lines in a wrapper that are in none of the formats
	learned bool           // a parser was added, and the samples were not read with the parser yet
	wait    int            // batches until detection is tried again on a file of no known format
	waited  int            // the previous wait
	health  health
	host    []byte // of lines that name none; nil: not known
	read    int    // lines read since the samples were last reset
}

// lastLine is the result of reading a line.
type lastLine uint8

const (
	lineRead lastLine = iota
	lineMissed
	lineOther
)

// setHost sets the host of a hit that has none.
func setHost(hit *weblog.Hit, host []byte) bool {
	if len(host) == 0 || !admit.Hostless(hit) {
		return false
	}
	hit.Host = host
	return true
}

func newFile(path string, parsers ...*wrap.Parser) *file {
	f := &file{path: path, failed: failedSample, others: otherSample}
	f.setParsers(parsers)
	return f
}

func (f *file) setParsers(parsers []*wrap.Parser) {
	f.parsers = parsers
	var names []string
	for _, p := range parsers {
		names = append(names, p.Name())
	}
	f.name = strings.Join(names, "+")
}

// maxParsers bounds the formats detected in one file. A further parser replaces the
// last.
const maxParsers = 4

func (f *file) add(p *wrap.Parser) {
	keep := min(len(f.parsers), maxParsers-1)
	f.setParsers(append(f.parsers[:keep:keep], p))
}

// open reports whether a parser holds the beginning of a line.
func (f *file) open() bool { return slices.ContainsFunc(f.parsers, (*wrap.Parser).Open) }

// stateful reports whether the lines of the file determine how later lines are read.
func (f *file) stateful() bool { return slices.ContainsFunc(f.parsers, (*wrap.Parser).Stateful) }
