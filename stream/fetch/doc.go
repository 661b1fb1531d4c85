// Package fetch fetches documents of the sites whose rules are validated, as a
// guest who wants to be let in again, and trusts nothing that comes back.
//
// # The way of a document
//
//	Get(site, mined string)
//	 │ place     a mined string is a place: scheme, host, path and query
//	 ▼
//	hop  ◄──────────────────────────────────────────────┐
//	 │ never     what looks like an action or a secret  │ redirect: the same
//	 │ cache     an answer younger than CacheFor: done  │ host, not seen yet,
//	 │ turn      one request at a time to a server      │ at most MaxRedirects
//	 │ robots    asked for first, like any page         │
//	 │ budget    requests per site and hour             │
//	 │ pause     Delay, Crawl-delay, Retry-After        │
//	 │ exchange  one GET, one answer ───────────────────┘
//	 ▼
//	Document     status, place, and what Digest made of the body
//
// Each hop goes the whole way, so a redirect does not lead past the rules.
//
// # Politeness
//
// It is shown to a server: the configured origin, since its sites share one
// machine, or else the host. A server has one request in flight, and the next
// begins a delay after its end: the longest of Options.Delay and the host's
// Crawl-delay. A host that asks for more than an hour is not asked at all. An
// answer 429 or 503 is followed by the rest that its Retry-After names, or ten
// delays; so is a timeout, since the server may be at the request still. After five
// answers 429 or 503 in a row the site rests for an hour, or longer if Retry-After says
// so, and after each further one.
//
// The delay is doubled when the answers take twice as long as at first, and again at
// four times as long: the median of the last 10 is compared with that of the first 20.
// Slow answers lead to a delay of at most a minute.
//
// States and Restore carry this over a restart. Taking a state up counts as a
// request, and so does New, so that no crash shortens a delay, however old the
// saved state is. The budget's hour begins with its first request and is counted
// as saved.
//
// robots.txt is read as RFC 9309 has it, from the same server by the same rules;
// where that sends to another host of the site, in the turn of that one. There is
// none when the status is 4xx. When it is 429 or 5xx, when there is no answer, or when
// it is away from the site, the host is closed until it is asked for again.
//
// # Trust
//
// Sites, mined strings, redirects, headers and bodies are all written by whoever
// likes to. What is connected to is decided by configuration: an origin, or, if
// Options.Scheme is set, the site's own name. The address is looked at after
// names are resolved, right before the connection, each time (net.Dialer.Control),
// so it does not matter what a name led to before, how an address is spelled, or
// who redirected to it. Of the ports there is the origin's; without one 80, 443
// and the one in the site's name.
//
// An origin that is a private or loopback address allows this address and no
// other. An origin that is a name may lead to public addresses and to those of
// Options.Private.
//
// A redirect is followed on the same host (from http to https, not back), in
// sites of several hosts on those of Options.Within, without an origin on the same
// port or the scheme's own. An origin may also name itself, or a host of the site with
// the origin's port or with none: see origin.logged. Nothing is sent but the
// path, the Host header, the user agent and the encodings understood: no cookies,
// no credentials, no referer; proxies of the environment are not used. Header,
// body, what is decompressed, and the time for all of it have bounds, as has each
// thing that is remembered.
//
// # Libraries
//
// The addresses that are refused come from code.dny.dev/ssrf, generated from
// IANA's registries. robots.txt is parsed here: of github.com/temoto/robotstxt the
// last tag (v1.1.2) allows what is forbidden where patterns hold a star ("Allow:
// /public*x" is looked for anywhere in the path), a comment or percent-encoding,
// takes a group named "d" for ours, gives up on a file with a line out of place,
// and needs 290 MiB for a file of 250 KiB that names many agents.
//
// # Costs
//
// A document in the cache costs a look-up. Requests to a server share a connection,
// which is kept open for 90 s after the last of them; of an answer that is not wanted
// up to 256 KiB are read for that. Memory is the
// cache (CacheSize answers, each with its digest and at most 12 KiB of header
// fields), rules of at most 64 MiB, some hundred bytes for each of MaxHosts, and
// for each server being asked one body, of at most MaxBody, while it is read.
package fetch
