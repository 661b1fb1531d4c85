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
	Does    string // what a file does; "": it is for a crawler
	Where   string // where a file of a site belongs; "" as well
	Server  bool   // the reader is a web server, which reports or redirects
	OneSite bool   // a file is of one site

	Differs []Difference // differences of the format's readers from package canon

	applies bool // the reader applies rules as package canon does, of all kinds
	most    int  // bytes that a file may have; 0: any number

	semicolon string // the reader's handling of a ; in a query, if ; does not separate parameters: sites with such queries have no rules

	refuse func(*Site) func(*rule.Rule) string // of a site, and then of a valid rule, the reason to leave the rule out; "": none
	write  func(*bufio.Writer, *document)      // an error stays in the Writer

	edits func(*expressions) int // as which a rule is written; nil: the format has no expressions
}

var formats = []Format{
	{Name: "nginx", edits: steps, Server: true, refuse: refuseNginx, write: writeNginx,
		Differs: serverDiffers,
		Does:    "names the canonical URL in the header Link",
		Where:   "Save it as /etc/nginx/conf.d/dustbuster.conf, which nginx reads within http {}. Then run: nginx -t && nginx -s reload",
		Summary: "nginx maps to include in http {}, which name the canonical form in a header or redirect to it"},
	{Name: "apache", edits: steps, Server: true, refuse: refuseServer, write: writeApache,
		Differs: serverDiffers,
		Does:    "names the canonical URL in the header Link",
		Where:   "Paste it into the virtual host of the site. It needs mod_rewrite and mod_headers. Then run: apachectl configtest && apachectl graceful",
		Summary: "Apache rewrite rules for a server or virtual host: the same"},
	{Name: "htaccess", edits: steps, Server: true, refuse: refuseServer, write: writeHtaccess,
		Differs: append(slices.Clone(serverDiffers), PassesName),
		Does:    "names the canonical URL in the header Link",
		Where:   "Save it as .htaccess in the document root, where AllowOverride FileInfo allows it. It needs mod_rewrite and mod_headers",
		Summary: "Apache rewrite rules for the file .htaccess: the same"},
	{Name: "caddy", edits: steps, Server: true, refuse: refuseCaddy, write: writeCaddy,
		Differs: serverDiffers,
		Does:    "names the canonical URL in the header Link",
		Where:   "Save it as dustbuster.caddy beside your Caddyfile, and write import dustbuster.caddy in the block of the site. Then run: caddy reload",
		Summary: "Caddyfile to import in a site block: the same"},
	{Name: "haproxy", edits: steps, Server: true, refuse: refuseServer, write: writeHAProxy,
		Differs: serverDiffers,
		Does:    "names the canonical URL in the header Link",
		Where:   "Copy these lines into the frontend of the site, in mode http. They need HAProxy 2.6 or later. Then run: haproxy -c -f /etc/haproxy/haproxy.cfg && systemctl reload haproxy",
		Summary: "HAProxy lines to copy into a frontend: the same"},
	{Name: "varnish", edits: steps, Server: true, refuse: refuseServer, write: writeVarnish,
		Differs: serverDiffers,
		Does:    "caches all URLs of a page as one object",
		Where:   `Save it as /etc/varnish/dustbuster.vcl, and write include "/etc/varnish/dustbuster.vcl"; below the line vcl 4.1;`,
		Summary: "VCL to include: forms of a page are one object of the cache"},
	{Name: "cloudflare", Server: true, applies: true, refuse: refuseCloudflare, write: writeCloudflare,
		Differs: []Difference{Parsed},
		Does:    "names the canonical URL in the header Link",
		Where:   "Save it as src/index.js of a project of wrangler, run npm install dustbuster-rules there, and give the Worker the route of your site. Then run: npx wrangler deploy",
		Summary: "Cloudflare Worker with dustbuster-rules: rules of all kinds"},
	{Name: "cloudfront", edits: steps, most: cloudFrontMost, OneSite: true, Server: true, refuse: refuseServer, write: writeCloudFront,
		Differs: append(slices.Clone(serverDiffers), KeepsMark),
		Does:    "names the canonical URL in the header Link",
		Where:   "Create a function of CloudFront with the runtime cloudfront-js-2.0, paste it, test it, publish it, and associate it with the event that its first lines name, in your distribution's behaviors",
		Summary: "CloudFront function of at most 10 KB: the first rules that fit"},
	{Name: "nutch", edits: one, refuse: refuseNameless, write: writeNutch,
		Differs: javaDiffers,
		Summary: "regex-normalize.xml of Apache Nutch: all kinds of rules except order, escapes, case, and templates of several parameters"},
	{Name: "stormcrawler", edits: one, refuse: refuseNameless, write: writeStormCrawler,
		Differs: javaDiffers,
		Summary: "file of StormCrawler's RegexURLNormalizer: the same rules"},
	{Name: "heritrix", edits: steps, refuse: refuseNameless, write: writeHeritrix,
		Differs: append(slices.Clone(javaDiffers), PassesFragment, LeavesPlaces),
		Summary: "RegexRule beans of Heritrix, for a policy: the same rules"},
	{Name: "dud", semicolon: "is no separator here", refuse: refuseDiscarder, write: writeDiscarder,
		Differs: []Difference{EditsLong, PassesDot, PassesCase, KeepsRaw, PassesNoPath, EmptyPieces},
		Summary: "JSON of duplicate-url-discarder: rules that drop a parameter on a whole site"},
	{Name: "clearurls", edits: one, semicolon: "ClearURLs writes as %3B", refuse: refuseClearURLs, write: writeClearURLs,
		Differs: []Difference{EditsOften, PassesDot, KeepsFragment, WritesAnew},
		Summary: "JSON of ClearURLs: rules that delete text. Needs regular expressions of ECMAScript 2025 (Firefox 132, Chrome 125)"},
	{Name: "clean-param", OneSite: true, semicolon: "is no separator here", refuse: refuseCleanParam, write: writeCleanParam,
		Differs: []Difference{CountsLong, AnyHost},
		Does:    "tells Yandex to ignore the parameters",
		Where:   "Add these lines to the robots.txt of the site.",
		Summary: "Clean-param lines for robots.txt: rules that drop a parameter on a site or under a prefix of its paths"},
	{Name: "no-vary-search", OneSite: true, semicolon: "is no separator here", refuse: refuseNoVary, write: writeNoVary,
		Differs: []Difference{CountsLong, AnyHost, Decodes},
		Does:    "tells caches and browsers to ignore the parameters",
		Where:   "Send this header with the pages of the site.",
		Summary: "No-Vary-Search header for the answers of a site: rules that drop a parameter on a whole site"},
	{Name: "algolia", OneSite: true, semicolon: "is no separator here", refuse: refuseAlgolia, write: writeAlgolia,
		Differs: []Difference{EditsLong, AnyHost, Decodes},
		Does:    "tells Algolia's crawler to ignore the parameters",
		Where:   "Add this member to the configuration of the crawler.",
		Summary: "ignoreQueryParams of Algolia's crawler: the same rules"},
}

func steps(e *expressions) int { return len(e.inOrder()) }

func one(*expressions) int { return 1 }

// Formats returns all formats.
func Formats() []Format { return slices.Clone(formats) }

func (f *Format) count(s *site) (n int) {
	if f.edits == nil {
		return 0
	}
	for _, e := range s.expressions("") {
		n += f.edits(&e)
	}
	return n
}

// Find returns the format of a name. An error lists the names.
func Find(name string) (*Format, error) {
	var names []string
	for i := range formats {
		if formats[i].Name == name {
			return &formats[i], nil
		}
		names = append(names, formats[i].Name)
	}
	return nil, fmt.Errorf("unknown format %q, want one of %s", name, strings.Join(names, ", "))
}

// Difference is a difference between the readers of a format and package canon, for any
// rules. A Difference is a line of the report.
type Difference string

// The differences.
const (
	EditsLong      Difference = "URLs of more than 2,048 bytes are rewritten as well (host not counted)"
	EditsGrown     Difference = "URLs that a rule makes longer than 2,048 bytes are rewritten as well (host not counted)"
	EditsOften     Difference = "if two rules keep undoing each other, the reader stops after its last pass; canon leaves such a URL unchanged"
	AnyPort        Difference = "a host with port 80 or 443 is treated as the host without a port, over http and https"
	PassesPort     Difference = "URLs with the default port are not rewritten, if the site is one host"
	PassesDot      Difference = "URLs whose host ends with a dot are not rewritten"
	PassesCase     Difference = "URLs with capitals in host or scheme may not be rewritten"
	PassesNoPath   Difference = "URLs without a path are not rewritten"
	PassesRaw      Difference = "URLs with unescaped spaces, quotes or non-ASCII bytes are not rewritten"
	PassesFragment Difference = "URLs with a fragment are not rewritten by rules that drop or set parameters, nor by templates"
	PassesPlaces   Difference = "URLs with more matches of one rule than any given URL has are not rewritten (more than 7, if no URL was given)"
	PassesName     Difference = "URLs with more than 255 bytes between two slashes are not rewritten"
	LeavesPlaces   Difference = "of one rule only as many matches are rewritten as any given URL has (7, if no URL was given)"
	KeepsRaw       Difference = "fragments, empty paths and unescaped bytes stay as they are"
	KeepsFragment  Difference = "fragments stay"
	EmptyPieces    Difference = "empty pieces of a rewritten query are removed, too, as in ?a&&b"
	WritesAnew     Difference = "the rest of a rewritten query is written again: ?a= becomes ?a, and + becomes %20"
	CountsLong     Difference = "the parameters are ignored in URLs of more than 2,048 bytes as well"
	AnyHost        Difference = "the lines apply to every host and port that answers with them"
	Parsed         Difference = "URLs are rewritten as the runtime parses them: without dots in paths, and with signs escaped"
	KeepsMark      Difference = "URLs whose canonical form ends with a question mark are not rewritten"
	Decodes        Difference = "names and values are compared after decoding: %73id is sid, and ?a is ?a=. Empty pieces do not count"
)

// Differences shared by formats of one kind.
var (
	serverDiffers = []Difference{EditsOften, AnyPort, PassesRaw, PassesPlaces}
	javaDiffers   = []Difference{EditsGrown, EditsOften, PassesPort, PassesDot, PassesCase, KeepsRaw}
)
