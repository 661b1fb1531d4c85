// Package weblog parses lines of access logs into Hits, without allocation.
//
//	p, err := weblog.New("combined")   // or a server's own format string
//	var h weblog.Hit
//	err = p.Parse(&h, line)            // h aliases line until the next Parse
//
// A Hit holds the logged values, with only the log's own escaping undone. Other packages
// decide whether a record counts (method, status, control bytes, absolute form), and how
// its target is written.
//
// # Files
//
// The first word of a file name is its family.
//
//	format                    the type Format, the table of formats, New; format_FAMILY has formats
//	pattern                   the compiler of format strings: nginx's, Apache's, strftime's
//	line                      the scanner of lines of fields with text between: ops read every line, steps the usual ones
//	json                      the scanner of JSON objects, its templates, and the stencil of what lines have alike
//	w3c                       the scanner of columns named by a #Fields line
//	value                     parsers of values: numbers, times, escapes, requests, paths, hosts, users, clients
//	detect                    detection of the format from the first lines
//	parser                    Parser, which runs a scanner, and its errors
//	hit, field, size          Hit, and the meanings of its fields
//
// A new format touches two files: that of its family and the table in format.go.
//
// # Formats
//
// A format is a name, a description, the kind of its sizes and usually just the server's
// own format string. One compiler compiles all format strings:
//
//	format   = { literal | variable }
//	variable = "$" name | "${" name "}"                     nginx
//	         | "%" { "<" | ">" | "!" | "," | digit } [ "{" argument "}" ] letter   Apache
//	template = "{" { '"' key '"' ":" ( format | template | "[" format "]" ) } "}"   JSON, either server's
//	columns  = "#Fields:" { name }                           W3C extended, as in the file
//
// A format string may be pasted with the configuration around it (log_format NAME
// escape=..., LogFormat, quotes, pieces of a string). Variables that fill no field of a
// Hit are skipped, and $skip stands for any unknown variable. Servers without such a
// language (HAProxy, Envoy, the clouds) have format strings in nginx's language, with
// three additional variables: $skip_padded (blanks before the value), $status_loose (also
// 0 and -1) and $request_whole (refused without its protocol).
//
// If two variables could fill one field, the better is used: $request before $request_uri
// before $uri and $args; the final status (%>s) before the original; the body's size
// ($body_bytes_sent, %B, %b) before that of the whole response ($bytes_sent, %O), whose headers
// differ between equal pages.
//
// A format without a request or without a status is refused. So are two variables without text
// between, unless the first has a fixed length, the second begins with a slash, or both are one
// value ($host:$server_port, $uri$is_args$args, %U%q). $remote_addr:$remote_port is one value
// as well, whose port follows the last colon, since IPv6 has no brackets there.
//
// # Files with directives
//
// A W3C extended log names its columns in a #Fields line, and may do so again. Such a line is
// no record: Parse returns ErrDirective and remembers the columns, so each file needs a parser
// of its own (Stateful). Before the first directive, or if a source begins in the middle of a
// file, the columns are the server's default, or those given as the format.
//
// # How a line is scanned
//
// The compiler makes a sequence of ops. Each op has the shape of a field, the literal after it,
// and its place in the Hit:
//
//	%h %l %u %t "%r" %>s %b         the format
//	192.0.2.7 - - [02/Jan/2006:15:04:05 -0700] "GET /a HTTP/1.1" 200 5120
//	└text " "─┘ │ │└───── time "] \"" ────────┘ └ quoted "\" " ─┘ │   └ number
//	       text " " └ text " [" before a digit                status " "
//
// An op finds its literal with bytes.IndexByte and then checks two conditions: all of it is
// there, and the next field can begin behind it (a status is three digits, a time begins with a
// digit). So the name of a user may contain blanks, a list of addresses commas and blanks, and
// a request raw quotes, as logged by servers of the 1990s. Scanning never goes back. A user
// with a separate dash is really a client after other text, so such a line is in another
// format.
//
// A closing quote must not be escaped. Only if there is none before a status, one after a
// backslash is accepted, for servers that do not escape. Each op reads each byte a constant
// number of times, so any line costs O(length × ops) (BenchmarkHostile).
//
// Most lines are read by steps instead (line_step.go, line_leap.go). A step takes the first separator for the end of
// its field, stands for several ops if it can, and looks at eight bytes at once. If a step finds anything else, the ops
// read the line.
//
// An object of JSON is read by a stencil, if it has the form of lines before (json_stencil.go): the texts between the
// values that are used are compared as a whole. If a text differs, the line is read member by member.
//
// Lines may go on after the last field (nginx's "main" is combined and one field more),
// and may end after the size if no later field is needed. Any other deviation is a
// *SyntaxError, which is formatted only by its Error method.
//
// Escapes: nginx \xHH; Apache \", \\, \xhh, \n, \t, \r, \b, \v; in JSON the escapes of
// JSON, and also the former, for servers that write JSON without support for JSON;
// HAProxy #XX; Envoy none; in CloudFront's columns %XX, for bytes that CloudFront itself
// encodes. A mark before other bytes is kept. Bytes are bytes: this package does not
// decode UTF-8, so no byte becomes U+FFFD.
//
// # Rejected
//
//   - Regular expressions: nginx's [^"]* is wrong for Apache's \", and package
//     regexp takes microseconds a line. A regular expression is the tests' oracle.
//   - Going back to try another closing quote: costs O(n²) on hostile lines, and no
//     real line needed this.
//   - encoding/json: replaces invalid UTF-8, refuses the padded status that nginx
//     writes, and allocates.
//   - A registry filled in init functions: the order of detection would depend on
//     file names.
package weblog
