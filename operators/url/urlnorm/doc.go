// Package urlnorm normalizes URLs. Admission of log lines and canonization of URLs must
// agree on this form, so both use this package.
//
// A mined string is a path and query, beginning with "/" and without the fragment. For
// rules between hosts, the host stands before the path. Bytes that cannot stand in a URL
// (space, ", <, > and bytes above ASCII), which only sloppy clients send, are
// percent-encoded with capital digits. So a mined string is printable ASCII without
// spaces. Existing percent-encoding is kept.
//
// A host in normal form is in lower case, without a trailing dot and without a default
// port. The default port depends on the scheme. A log does not name the scheme, so 80 and
// 443 are both default ports for logged hosts. An https URL with port 80 is another
// server than the URL without a port.
package urlnorm
