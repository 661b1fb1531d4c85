// Package recent keeps what was used last, within a bound of bytes.
package recent

import lru "github.com/hashicorp/golang-lru/v2/simplelru"

// Map has the entries used last, at most Most bytes of them, or one. A Map is not safe for concurrent use.
type Map[K comparable, V any] struct {
	*lru.LRU[K, V]
	Most  int64 // bytes
	Bytes int64 // of the entries
	size  func(K, V) int64
}

// New returns an empty map of at most so many entries, one or more, whose bytes size returns.
func New[K comparable, V any](entries int, most int64, size func(K, V) int64) *Map[K, V] {
	m := &Map[K, V]{Most: most, size: size}
	var err error
	if m.LRU, err = lru.NewLRU(entries, func(k K, v V) { m.Bytes -= size(k, v) }); err != nil {
		panic(err)
	}
	return m
}

// Add keeps an entry in place of the one before of the key.
func (m *Map[K, V]) Add(k K, v V) {
	m.Remove(k)
	m.LRU.Add(k, v)
	for m.Bytes += m.size(k, v); m.Bytes > m.Most && m.Len() > 1; {
		m.RemoveOldest()
	}
}
