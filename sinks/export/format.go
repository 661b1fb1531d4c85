package export

import (
	"bufio"
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/rule"
)

// Format is a form in which rules are written.
type Format struct {
	Name    string
	Summary string // the format's reader and scope; one line
	Server  bool   // the reader is a web server, which reports or redirects
	OneSite bool   // a file is of one site

	Differs []Difference // differences of the format's readers from package canon

	semicolon string // the reader's handling of a ; in a query, if ; does not separate parameters: sites with such queries have no rules

	refuse func(*Site) func(*rule.Rule) string // of a site, and then of a valid rule, the reason to leave the rule out; "": none
	write  func(*bufio.Writer, *document)      // an error stays in the Writer

	edits func(head string, r *rule.Rule) []edit // that a rule is written as in one round; nil: the format has no expressions
}

var formats = []Format{
	{Name: "nginx", edits: whole, Server: true, refuse: refuseServer, write: writeNginx,
		Differs: serverDiffers,
		Summary: "nginx maps to include in http {}, which name the canonical form in a header or redirect to it"},
	{Name: "apache", edits: whole, Server: true, refuse: refuseServer, write: writeApache,
		Differs: serverDiffers,
		Summary: "Apache rewrite rules to include in the server or a virtual host, which name the canonical form in a header or redirect to it"},
	{Name: "nutch", edits: one, refuse: refuseNameless, write: writeNutch,
		Differs: javaDiffers,
		Summary: "regex-normalize.xml of Apache Nutch: all kinds of rules except order, escapes, case, and templates of several parameters"},
	{Name: "stormcrawler", edits: one, refuse: refuseNameless, write: writeStormCrawler,
		Differs: javaDiffers,
		Summary: "file of Apache StormCrawler's RegexURLNormalizer: all kinds of rules except order, escapes, case, and templates of several parameters"},
	{Name: "heritrix", edits: whole, refuse: refuseNameless, write: writeHeritrix,
		Differs: append(slices.Clone(javaDiffers), PassesFragment, LeavesPlaces),
		Summary: "RegexRule beans of Heritrix, for a canonicalization policy: all kinds of rules except order, escapes, case, and templates of several parameters"},
	{Name: "dud", semicolon: "is no separator here", refuse: refuseDiscarder, write: writeDiscarder,
		Differs: []Difference{EditsLong, PassesDot, PassesCase, KeepsRaw, PassesNoPath, EmptyPieces},
		Summary: "JSON of duplicate-url-discarder: rules that drop a parameter on a whole site"},
	{Name: "clearurls", edits: one, semicolon: "ClearURLs writes as %3B", refuse: refuseClearURLs, write: writeClearURLs,
		Differs: []Difference{EditsLong, EditsOften, PassesDot, KeepsFragment, WritesAnew},
		Summary: "JSON of ClearURLs: rules that delete text. Needs regular expressions of ECMAScript 2025 (Firefox 132, Chrome 125)"},
	{Name: "clean-param", OneSite: true, semicolon: "is no separator here", refuse: refuseCleanParam, write: writeCleanParam,
		Differs: []Difference{CountsLong, AnyHost},
		Summary: "Clean-param lines for robots.txt: rules that drop a parameter on a site or under a prefix of its paths"},
	{Name: "no-vary-search", OneSite: true, semicolon: "is no separator here", refuse: refuseNoVary, write: writeNoVary,
		Differs: []Difference{CountsLong, AnyHost, Decodes},
		Summary: "No-Vary-Search header for the answers of a site: rules that drop a parameter on a whole site"},
}

// one is the edits of a rule in formats with one expression for each rule.
func one(string, *rule.Rule) []edit { return make([]edit, 1) }

// Formats returns all formats.
func Formats() []Format { return slices.Clone(formats) }

func find(name string) (*Format, error) {
	var names []string
	for i := range formats {
		if formats[i].Name == name {
			return &formats[i], nil
		}
		names = append(names, formats[i].Name)
	}
	return nil, fmt.Errorf("unknown format %q, want one of %s", name, strings.Join(names, ", "))
}
