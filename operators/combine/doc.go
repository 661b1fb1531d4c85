// Package combine lets through only those observations that widen what was let
// through before, so that the volume behind it follows the number of URLs and
// panes, and not that of hits.
//
// For each site, URL, pane and class, the combiner remembers what it has emitted:
// the smallest and largest size, digest and client hash. A hit that lies within
// adds nothing to a table that has folded what was emitted ([table.Table]), and
// is swallowed. One that does not waits with others until Emit, and meanwhile
// takes in what else comes of its kind: a new URL with a hundred hits is one
// observation.
//
// # Forgetting
//
// The memory is an LRU of a fixed number of entries. What is evicted is emitted
// again when it is seen again, which by the fold law changes nothing: a memory
// too small costs volume and never truth. The other way round, whatever is
// remembered must be where it was sent to. If it may not be, as when sending was
// given up, Forget makes all of it new.
//
// # Identity
//
// An entry knows its site, URL, pane and class by 128 bits of SipHash-2-4 under a
// random key, and nothing else of them, so that it is small and of one size
// whatever the URL. Were two of them to have the same hash, an observation could
// be taken for one that was emitted, and lost: for n entries remembered and m
// further ones that ever come, the probability is at most n·m / 2^128. With a
// million remembered and a million new ones in each second of ten years that is
// 10^-18. Nobody can look for such pairs without the key.
package combine
