package admit

import "dustbuster/operators/rule/dust"

// Limits bound the URLs that a gate admits, and those that a miner takes from Kafka.
type Limits struct {
	MaxBytes  int // of a mined string
	MaxTokens int // of a mined string, without ^ and $
}

// Refuses reports whether no gate of these limits admits a URL: the URL is empty or
// too long, or holds a byte that cannot be in a mined string. O(bytes).
func (l Limits) Refuses(url []byte) bool {
	for _, c := range url {
		if c <= ' ' || c == '"' || c == '<' || c == '>' || c >= 0x7f {
			return true
		}
	}
	return len(url) == 0 || len(url) > l.MaxBytes ||
		len(url) > l.MaxTokens && dust.CountTokens(url) > l.MaxTokens
}
