package rule

// Apply applies the rule once. It appends the edited URL to dst, or returns dst unchanged
// if the URL does not change. The rule must be valid. dst and url may share memory if url
// does not lie behind dst's end. Apply allocates only to grow dst, and for an Order rule
// that edits more than 64 parameters. O(bytes of url), times the bytes of From at worst.
func (r *Rule) Apply(dst, url []byte) (out []byte, changed bool) {
	inPath := r.inPath()
	if !r.isIn(&r.Scope, url) || r.Scope.HasPath && !inPath && !r.Scope.hasPath(url[:pathEnd(url)]) {
		return dst, false
	}
	out, changed = r.edit(dst, url)
	if !changed || !inPath && r.Except == (Except{}) {
		return out, changed
	}
	path := url
	if inPath {
		path = out[len(dst):]
	}
	path = path[:pathEnd(path)]
	if !r.Scope.hasPath(path) || r.excepts(url, path) {
		return dst, false
	}
	return out, true
}

// inPath reports whether the rule removes parameters of path segments.
func (r *Rule) inPath() bool {
	d, is := r.Edit.(Drop)
	return is && d.InPath
}

func hasPrefix(url []byte, prefix string) bool {
	return len(url) >= len(prefix) && string(url[:len(prefix)]) == prefix
}
