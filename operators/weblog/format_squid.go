package weblog

// squidQueries warns of what Squid leaves out.
const squidQueries = "Squid cuts the queries off the URLs it logs unless its configuration says strip_query_terms off: without that, mining is in vain."

// squid is the native format of Squid, also where it stands before one's own
// servers.
var squid = Format{
	Name:        "squid",
	Description: "Squid's native format",
	Pattern:     `$msec $skip_padded $remote_addr $skip/$status_loose $bytes_sent $request_method $request_uri $skip $skip/$skip $content_type`,
	Example:     `1136239445.123      3 192.0.2.7 TCP_MISS/200 5120 GET http://www.example.org/a?b=1 - FIRSTUP_PARENT/192.0.2.80 text/html`,
	SizeNote:    squidQueries,
}
