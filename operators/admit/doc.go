// Package admit decides which records of an access log say something about a
// page, and turns those into observations: of which site, of which URL, of
// which size.
//
// A record is admitted when it is a GET answered with a whole body: a status of
// 200 to 299 but 204 and 206, a target that is a path or an absolute URL, free
// of control bytes, and a client that is neither our own validator nor one that
// the operator left out. Everything else is refused, with a reason, which the
// caller counts: nothing is lost silently.
//
// # Site and mined string
//
// What the algorithms see of a URL is its mined string: path and query as
// logged, beginning with "/". The fragment is no part of it. Bytes that cannot
// stand in a URL (space, ", <, > and those above ASCII), which only sloppy
// clients send, are percent-encoded with capital digits, so that it is printable
// and without spaces; what was percent-encoded in the log stays as it was.
//
// Its site is the record's host: in lower case, without a trailing dot and
// without :80 or :443. The host of an absolute target comes before that of the
// log, and that before the one that the operator named. By domain, and for
// hosts that the operator put in a group, the site is the registrable domain or
// the group, and the mined string begins with the host, so that rules between
// hosts can be found.
package admit
