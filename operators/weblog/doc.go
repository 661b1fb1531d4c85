// Package weblog turns the bytes of one line of an access log into a Hit,
// without allocation.
//
//	p, err := weblog.New("combined")   // or a server's own format string
//	var h weblog.Hit
//	err = p.Parse(&h, line)            // h aliases line until the next Parse
//
// It returns what was logged, with only the log's own escaping undone. Whether
// a record counts (method, status, control bytes, absolute form), and how its
// target is written afterwards, is decided elsewhere.
//
// # Formats
//
// A format is a value in a file of its own, listed in the table of format.go:
// a name, a description, what its size counts, and as a rule nothing but the
// server's own format string, which one compiler serves:
//
//	format   = { literal | variable }
//	variable = "$" name | "${" name "}"                     nginx
//	         | "%" { "<" | ">" | "!" | "," | digit } [ "{" argument "}" ] letter   Apache
//	template = "{" { '"' key '"' ":" ( format | template | "[" format "]" ) } "}"   JSON, either server's
//	columns  = "#Fields:" { name }                           W3C extended, as in the file
//
// The string may be pasted with the configuration around it (log_format NAME
// escape=..., LogFormat, quotes, pieces of a string). Variables that nothing
// is made of are skipped; $skip stands for one that only that server knows. The
// formats of servers that have neither language (HAProxy, Envoy, the clouds) are
// written in nginx's, with $skip_padded (blanks before), $status_loose (0 and -1
// too), and $request_whole (refused without its protocol) of our own.
// Where two variables could fill one field the better is taken: $request
// before $request_uri before $uri and $args; the final status (%>s) before the
// original; the body's size ($body_bytes_sent, %B, %b) before the whole
// answer's ($bytes_sent, %O), whose headers differ between equal pages.
// A format without a request or without a status is refused, and so are two
// variables without text between, unless the first has a fixed length, the
// second begins with a slash, or both are one thing ($host:$server_port,
// $uri$is_args$args, %U%q). $remote_addr:$remote_port is one thing as well, whose
// port is the part after the last colon, since IPv6 comes without brackets.
//
// # Files that say how they are read
//
// A W3C extended log names its columns in a #Fields line, and may do so again.
// Such lines are no records: Parse returns ErrDirective for them, and keeps what
// they say, so that each file needs a parser of its own (Stateful). Before the
// first of them, or where a source begins in the middle of a file, the columns
// are the server's default, or those that were given as the format.
//
// # How a line is scanned
//
// The compiler makes a sequence of ops, each a field's shape, the literal after
// it, and the place in the Hit:
//
//	%h %l %u %t "%r" %>s %b         the format
//	192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a HTTP/1.1" 200 5120
//	└text " "─┘ │ │└───── time "] \"" ────────┘ └ quoted "\" " ─┘ │   └ number
//	       text " " └ text " [" before a digit                status " "
//
// An op looks for its literal with bytes.IndexByte and then asks two things:
// is the whole literal there, and can what follows be the next field (a status
// is three digits and its literal, a time begins with a digit)? So a user's
// name may hold blanks, a list of addresses commas and blanks, and a request
// raw quotes, as servers of the 1990s logged them; and there is no going back. A
// user with a lone dash in it is the client that stood behind something else: such
// a line is of another format.
// A closing quote must moreover not be escaped; only where no such quote is
// found before a status, one after a backslash is taken, for servers that do
// not escape. Each op looks at each byte a constant number of times, so a line
// costs O(length × ops), whatever is in it (BenchmarkHostile).
//
// Lines may go on after the last field (nginx's "main" is combined and one
// field more), and may end after the size where nothing is needed of what
// would follow. All else is a *SyntaxError, which is formatted when asked.
//
// Escapes: nginx \xHH; Apache \", \\, \xhh, \n, \t, \r, \b, \v; in JSON its
// own, and the former too, for servers that write JSON without knowing it;
// HAProxy #XX; Envoy none; in CloudFront's columns %XX, where it stands for a byte
// that CloudFront itself encodes. A mark before anything else stays. Bytes are
// bytes: nothing here decodes UTF-8, so nothing can turn into U+FFFD.
//
// # Cost
//
// Nanoseconds a line on two cores of an EPYC, no allocation in any:
//
//	combined        126    274 bytes; 163 without the fast path of quick.go
//	vhost_combined  134
//	combinedio      144
//	common          109    120 bytes
//	common_vhost    117
//	traefik         298
//	ingress_nginx   232
//	squid           134
//	haproxy         251
//	envoy           297
//	istio           423
//	alb             364
//	s3              196
//	w3c             257
//	cloudfront      514    440 bytes, 33 columns
//	nginx_json      319    339 bytes, 9 keys
//	caddy           798    764 bytes, headers and all
//	cloudflare      358
//	urllist          47
//	malformed       106
//	bplogs          136    496,706 real lines of combined, from memory
//
//	go test -run - -bench Parse ./operators/weblog
//
// (the last with DUSTBUSTER_DATA set to a folder with logs/bplogs.log.gz).
//
// # Rejected
//
// Regular expressions: nginx's [^"]* is wrong for Apache's \", and package
// regexp takes microseconds a line; one serves as the tests' oracle. A
// scanner written by hand for combined alone: the ops with a fast path for the
// usual shapes come within the budget of 200 ns, and serve every format.
// Going back to try another closing quote: costs O(n²) on hostile lines, and no
// real line needed it. encoding/json: replaces invalid UTF-8, refuses the
// padded status that nginx writes, and allocates. A registry that formats join
// in init functions: the order of detection would depend on file names.
package weblog
