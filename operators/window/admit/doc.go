// Package admit decides which records of an access log are evidence about a page, and
// turns those records into observations with a site, a URL and a size.
//
// A record is admitted if it is a GET answered with a whole body. The status is 200 to
// 299, but not 204 or 206. The target is a path or an absolute URL, without control
// bytes. The client is neither dustbuster's own validator nor on the operator's ignore
// list. Every other record is refused with a [Reason], and the caller counts the reasons.
//
// # Site and mined string
//
// The algorithms see a URL as a mined string: path and query as logged, beginning with
// "/" and without the fragment. Bytes that cannot stand in a URL (space, ", <, > and
// bytes above ASCII), which only sloppy clients send, are percent-encoded with capital
// digits. So a mined string is printable and has no spaces. Percent-encoding in the log
// is kept.
//
// The site is the host of the record, in lower case, without a trailing dot and without :80 or
// :443. That of an absolute target comes first, then that of the log, then the one that the
// operator named. In two cases the mined string begins with the host, so that rules between
// hosts can be found: with ByDomain the site is the registrable domain, and for a host in a
// group it is the group.
package admit
