package weblog

// squidQueries warns that Squid removes queries.
const squidQueries = "Squid logs URLs without their queries by default. Mining needs the queries: set strip_query_terms off."

// squid is the native format of Squid, also as a reverse proxy.
var squid = Format{
	Name:        "squid",
	Description: "Squid's native format",
	Pattern:     `$msec $skip_padded $remote_addr $skip/$status_loose $bytes_sent $request_method $request_uri $skip $skip/$skip $content_type`,
	Example:     `1136239445.123      3 192.0.2.7 TCP_MISS/200 5120 GET http://www.example.org/a?b=1 - FIRSTUP_PARENT/192.0.2.80 text/html`,
	SizeNote:    squidQueries,
}
