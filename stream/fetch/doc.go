// Package fetch fetches documents of the sites whose rules are validated. It is polite to
// servers, and trusts nothing they return.
//
// # From Get to a Document
//
//	Get(Request)
//	 │ place     its mined string is a place: scheme, host, path and query
//	 ▼
//	hop  ◄──────────────────────────────────────────────┐
//	 │ never     looks like an action or a secret: none │ redirect: the same
//	 │ cache     an answer of the last hour: done       │ host, not seen yet,
//	 │ obey      robots.txt, by the same steps          │ at most five
//	 │ inTurn    one request at a time to a server      │
//	 │ wait      budget, then Delay, Crawl-delay and    │
//	 │           Retry-After, then Rate and OriginDelay │
//	 │ exchange  one GET, one answer ───────────────────┘
//	 ▼
//	Document     status, place, and the digest of the body
//
// Each hop passes all the steps, so a redirect cannot bypass the rules. With
// Options.Archive, recorded responses answer each hop: no request is made, and of the steps
// only the cache applies.
//
// # Politeness
//
// Politeness applies per server: the configured origin, because all its sites share one
// machine, or else the host. A server has one request in flight. The next begins a delay
// after its end: the longer of Options.Delay and the host's Crawl-delay. If Options.OriginDelay
// is less than Delay, politeness applies per host behind an origin, and requests to the origin
// begin at least OriginDelay apart: what stands behind one address, such as a hoster's balancer,
// can be asked more often than one site. All requests together are at most Options.Rate a
// second. A caller with many sites takes passes, so that no more sites are asked at once than
// that allows. Package gate has the rules of one server, site, origin or process; a turn asks the
// gates of its four. A host that asks
// for more than an hour is not asked at all. After an answer 429 or 503 the server rests
// for the time in Retry-After, or for ten delays. So it does after a timeout, because it
// may still be working on the request. After five consecutive answers 429 or 503 the site
// rests for an hour, or longer if Retry-After says so, and again after each further one.
//
// The delay is doubled when the median of the last 10 answers takes twice as long as that
// of the first 20, and doubled again at four times as long, up to a minute. Only answers of
// half a second or more are reported as slow (Slowed, Recovered).
//
// States and Restore carry the politeness over a restart. Both Restore and New count as
// a request, so no crash shortens a delay, however old the saved state. The budget's
// hour begins with its first request and is counted as saved.
//
// robots.txt is read according to RFC 9309, from the same server and by these rules. If it
// redirects to another host of the site, the request waits for that host's turn. A status
// 4xx means that there is no robots.txt. The host is closed until robots.txt is requested
// again if the status is 429 or 5xx, if there is no answer, or if the redirect leaves the
// site.
//
// # Trust
//
// Anyone may write sites, mined strings, redirects, headers and bodies. The
// configuration decides the servers to connect to: an origin, or, if Options.Scheme is
// set, the site's own name. The address is checked after name resolution, right before
// each connection (net.Dialer.Control). So earlier answers of name servers, the
// spelling of an address and the source of a redirect do not matter. The allowed port
// is the origin's port. Without an origin, the allowed ports are 80, 443 and the port
// in the site's name.
//
// An origin given as a private or loopback address allows only this address. If it is given
// as a name, it may lead to public addresses and to those in Options.Private.
//
// A redirect is followed on the same host (from http to https, not back). In sites of
// several hosts, redirects to the hosts of Options.Within are followed, too; without an
// origin, only to the same port or the port of the scheme. An origin may also name
// itself, or a host of the site with its own port or without one: see origin.logged. A
// request contains only the path, the Host header, the user agent and the supported
// encodings: no cookies, no credentials, no referer. Proxies of the environment are not
// used. The header, the body, the decompressed bytes and the total time have bounds, and so
// has every remembered item.
//
// # Libraries
//
// The refused addresses come from code.dny.dev/ssrf, generated from IANA's registries.
// This package parses robots.txt itself. The last tag (v1.1.2) of
// github.com/temoto/robotstxt allows forbidden URLs if patterns contain a star ("Allow:
// /public*x" is searched anywhere in the path), a comment or percent-encoding. It also
// takes a group named "d" for ours, gives up after a misplaced line, and needs 290 MiB for
// 250 KiB that name many agents.
//
// # Costs
//
// A document in the cache costs a lookup. Requests to a server share a connection, which
// stays open for 90 s after the last one; for its sake, up to 256 KiB of an unwanted answer
// are read. Memory is the cache (CacheBytes), rules of at most 64 MiB, some hundred bytes for each of MaxHosts, and
// for each server being asked one body of at most MaxBody.
package fetch
