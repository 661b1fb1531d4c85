// Package mined says how URLs are written where they are mined and where rules are
// applied to them: what admits log lines and what canonizes URLs must agree on it.
//
// A mined string is path and query, beginning with "/" and without the fragment;
// for rules between hosts, with the host before it. Bytes that cannot stand in a
// URL (space, ", <, > and those above ASCII), which only sloppy clients send, are
// percent-encoded with capital digits, so that it is printable ASCII without
// spaces; what was percent-encoded stays as it was.
//
// A host in normal form is in lower case, without a trailing dot and without a
// default port. Which port that is, only who knows the scheme can say: a log does
// not tell it, so 80 and 443 are both default there; an https URL with port 80 is
// another server than the one without a port.
package mined
