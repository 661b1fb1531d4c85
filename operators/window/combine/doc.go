// Package combine passes on only those observations that widen the observations passed on
// before. The volume of the output therefore follows the number of URLs and panes, not that
// of hits.
//
// For each site, URL, pane and class, the combiner remembers the sent extent: the smallest and
// largest size and digest, the clients and their families. A hit within it adds nothing to a table
// that has folded the sent observations ([table.Table]), and is dropped. Another hit waits until Drain.
// Further hits of the same identity are folded into the waiting observation: a new URL with a
// hundred hits is one observation.
//
// # Clients
//
// A client is news only while it can change a decision: while the kind of the URL, its parts, or their short values lack
// clients (public.Crowd). Of a settled URL nearly always the first sighting alone is sent. Whoever folds what is sent
// must therefore read masks of clients through public.Settle, and so must whoever folds all hits. Three masks are
// exact: that of a site in a pane, that of a URL with text that may be one client's own, up to three clients, and that
// of one URL in ten (public.IsCounted). A table that sheds URLs may know fewer clients than the hits had: then less
// may be asked for.
//
// # Forgetting
//
// The memory is an LRU of a fixed number of entries. The observation of an evicted entry is
// sent again when a hit arrives again. By the fold law the repetition changes nothing: a
// small memory costs volume and never correctness. Conversely, every remembered observation
// must have reached the receiver. If an observation may be lost, as after a failed send,
// Forget makes all observations new.
//
// # Identity
//
// An entry stores site, URL, pane and class only as 128 bits of SipHash-2-4 under a random
// key, so all entries are small and of one size, and nobody can search for two of one hash. An
// observation with the hash of another could be lost. With a million remembered entries and a
// million new identities in each second of ten years, the probability is 10^-18.
package combine
