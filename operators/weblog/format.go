package weblog

import (
	"fmt"
	"strings"
)

// Format describes a log format.
type Format struct {
	Name        string
	Description string // one line
	Pattern     string // the server's own format string; empty if there is none
	Example     string // a line of it
	Fields      Fields // what it can fill; set in what Formats, New and Detect give
	Size        SizeCount
	SizeNote    string // more on the size than Size.Note says, may be empty
	Twin        string // the format whose lines look the same, which detection names; New knows both

	scanner   func() scanner                 // for a format that is no Pattern
	escaping  *escaping                      // of a Pattern's lines; nil: backslashes
	header    string                         // how a line of every file begins that is no record, but tells the format; empty: there is none
	plausible func(h *Hit, line []byte) bool // whether a server writes such a record; nil: if it has a client
}

// table holds the formats, each from a file of its own. Where a line fits two
// equally well, detection takes the earlier one.
var table = []Format{
	combined,
	vhostCombined,
	combinedio,
	common,
	commonVhost,
	gandi,
	lighttpd,
	varnish,
	tomcat,
	jetty,
	traefik,
	ingressNginx,
	squidCombined,
	squid,
	haproxy,
	haproxyCLF,
	ingressHAProxy,
	envoy,
	istio,
	alb,
	elb,
	s3,
	cloudfront,
	w3c,
	nginxJSON,
	caddy,
	traefikJSON,
	googleLB,
	googleStorage,
	azureFrontDoor,
	cloudflare,
	cdx,
	cdxj,
	urllist,
}

// Formats gives the formats that have names, in the order of the table.
func Formats() []Format {
	out := make([]Format, 0, len(table))
	for _, f := range table {
		p, err := f.parser()
		if err != nil {
			panic(err) // the table is constant, and a test makes every parser
		}
		out = append(out, p.format)
	}
	return out
}

// Names gives the names of the formats, in the order of the table.
func Names() []string {
	names := make([]string, 0, len(table))
	for i := range table {
		names = append(names, table[i].Name)
	}
	return names
}

// New makes a parser for a format by its name, or by an nginx log_format or
// Apache LogFormat string, with or without the quotes and the directive around
// it. A string that begins with '{' is a JSON object whose keys it maps; one that
// begins with "#Fields:" is the directive of a W3C extended log.
func New(format string) (*Parser, error) {
	for i := range table {
		if table[i].Name == format {
			return table[i].parser()
		}
	}
	pattern := verbatim(format)
	if strings.HasPrefix(pattern, fieldsDirective) {
		return newW3C(pattern)
	}
	if !strings.ContainsAny(pattern, "$%") {
		return nil, fmt.Errorf("unknown format %q%s: known are %s, or give an nginx log_format or Apache LogFormat string",
			format, serverFormat(format), strings.Join(Names(), ", "))
	}
	f := Format{Name: "custom", Description: "a format string", Pattern: pattern}
	p, err := f.parser()
	if err != nil {
		return nil, fmt.Errorf("compile format: %w", err)
	}
	return p, nil
}

// isHeader reports whether a line is the format's header.
func (f *Format) isHeader(line []byte) bool {
	n := len(f.header)
	return n > 0 && len(line) >= n && string(line[:n]) == f.header
}

// parser makes a parser for the format.
func (f *Format) parser() (*Parser, error) {
	p := &Parser{format: *f}
	if f.scanner != nil {
		p.scanner = f.scanner()
	} else {
		s, err := compile(f.Pattern)
		if err != nil {
			return nil, err
		}
		if l, ok := s.(*lineScanner); ok && f.escaping != nil {
			l.escaping = *f.escaping
		}
		p.scanner = s
	}
	p.format.Fields = p.scanner.fields()
	if p.format.Size == SizeNone {
		p.format.Size = p.scanner.sizeCount()
	}
	return p, nil
}
