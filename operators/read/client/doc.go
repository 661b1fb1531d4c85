// Package client reads from a log who asked: the address of a client, however a server or a
// proxy writes it, and the address that proxies forward in a header.
//
// Guards count clients (package public), so nobody may pass for many clients. Two rules follow.
// All addresses that one machine may have count as one: see [AppendNetwork]. And whatever a client
// writes into a header counts for nothing: see [Proxies.Last].
package client

// Version is the version of the rules by which lines become clients. Masks of clients of another
// version do not compare.
const Version = 1
