package weblog

import (
	"cmp"
	"fmt"
	"strings"

	"dustbuster/operators/read/client"
)

// Format describes a log format.
type Format struct {
	Name        string
	Description string // one line
	Pattern     string // the server's own format string; empty if the format has none
	Example     string // a line in the format
	Fields      Fields // the fields that the format can fill; set by Formats, New and Detect
	Size        SizeCount
	SizeNote    string // more about the size than Size.Note, may be empty
	Twin        string // the format with the same lines, which detection returns; New accepts both

	scanner   func() scanner                 // for a format without a Pattern
	escaping  *escaping                      // of a Pattern's lines; nil: backslashes
	header    string                         // the beginning of every file's header line, which is not a record; empty: there is none
	plausible func(h *Hit, line []byte) bool // reports whether a server writes such a record; nil: if there is a client
}

// table lists the formats. If a line fits
// two formats equally well, detection takes the first.
var table = []Format{
	combined,
	vhostCombined,
	combinedForwarded,
	combinedio,
	combinedHost,
	combinedHostBare,
	common,
	commonVhost,
	gandi,
	lighttpd,
	varnish,
	tomcat,
	jetty,
	traefik,
	ingressNginx,
	npm,
	npmStandard,
	uvicorn,
	heroku,
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
	cloudfrontRealtime,
	w3c,
	nginxJSON,
	ecs,
	cloudfrontJSON,
	caddy,
	caddyConsole,
	traefikJSON,
	googleLB,
	googleStorage,
	azureFrontDoor,
	azureAppGateway,
	cloudflare,
	cdx,
	cdxj,
	urllist,
}

// Formats returns the named formats, in the order of the table.
func Formats() []Format {
	out := make([]Format, 0, len(table))
	for _, f := range table {
		out = append(out, f.mustParser().format)
	}
	return out
}

// Names returns the names of the formats, in the order of the table.
func Names() []string {
	names := make([]string, 0, len(table))
	for i := range table {
		names = append(names, table[i].Name)
	}
	return names
}

// New returns a parser for the name of a format, or for an nginx log_format or Apache
// LogFormat string, with or without the quotes and the directive around the string. A
// string that begins with '{' is a JSON object that maps keys. A string that begins with
// "#Fields:" is the directive of a W3C extended log.
func New(format string) (*Parser, error) { return NewBehind(noProxies, format) }

// NewBehind returns a parser as New does, of the log of a server behind proxies.
func NewBehind(x *client.Proxies, format string) (*Parser, error) {
	for i := range table {
		if table[i].Name == format {
			return table[i].parser(x)
		}
	}
	pattern := verbatim(format)
	if strings.HasPrefix(pattern, fieldsDirective) {
		return newW3C(x, pattern)
	}
	if !strings.ContainsAny(pattern, "$%") {
		return nil, fmt.Errorf("unknown format %q%s: known are %s, or give an nginx log_format or Apache LogFormat string",
			format, serverFormat(format), strings.Join(Names(), ", "))
	}
	f := Format{Name: "custom", Description: "a format string", Pattern: pattern}
	p, err := f.parser(x)
	if err != nil {
		return nil, fmt.Errorf("compile format: %w", err)
	}
	return p, nil
}

func (f *Format) isHeader(line []byte) bool {
	n := len(f.header)
	return n > 0 && len(line) >= n && string(line[:n]) == f.header
}

// mustParser returns a parser for a format of the table.
func (f *Format) mustParser() *Parser {
	p, err := f.parser(noProxies)
	if err != nil {
		panic(err) // the table is constant, and a test creates every parser
	}
	return p
}

func (f *Format) parser(x *client.Proxies) (*Parser, error) {
	p := &Parser{format: *f}
	if f.scanner != nil {
		p.scanner = f.scanner()
	} else {
		s, err := compile(f.Pattern, x.Header)
		if err != nil {
			return nil, err
		}
		if l, ok := s.(*lineScanner); ok {
			if f.escaping != nil {
				l.escaping = *f.escaping
			}
		}
		p.scanner = s
	}
	own(p.scanner, x.Header)
	p.agentLast = agentLast(p.scanner)
	p.proxied = newProxied(x, f, p.scanner)
	fills := p.scanner.fills()
	p.format.Fields, p.format.Size = fills.has, cmp.Or(p.format.Size, fills.size)
	return p, nil
}
