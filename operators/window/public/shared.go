package public

// Shared reports whether two clients asked for URLs of a URL's kind. What one client alone asked for may
// be its own. O(bytes).
func (k *Kinds) Shared(url string) bool { return two(k.kinds.of(k.hash(Kind(url)))) }
