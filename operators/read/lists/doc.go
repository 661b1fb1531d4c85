// Package lists reads lists of parameters that people say change nothing: rules of ClearURLs in JSON, filter
// lines of AdGuard and uBlock Origin ($removeparam), and names, one a line.
//
// A list is somebody's word about many sites, so its entries are not rules. An entry names parameters by a text, or
// by a pattern, everywhere or on some sites. What an entry says beyond that is left out, with its line: that other
// parameters go, that only some pages are meant, or that something is to stay.
//
//	# a comment; so is a line that begins with !
//	fbclid                               a name
//	utm_*                                names that begin so
//	||example.org^$removeparam=ref       a filter line, on example.org and the hosts below
//	$removeparam=/^utm_/,domain=a.org    a pattern of name=value, on a.org and below
//
// A name without a pattern is compared without regard to case, as ClearURLs does.
package lists
