package envelope

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"dustbuster/operators/rule/dust"
)

// subject is the URL that enters, leaves or changes: its tokens and the hashes of its prefixes
// and suffixes. One subject is reused for all URLs.
type subject struct {
	id     uint32
	text   []byte
	n      int      // tokens, ^ and $ included
	cuts   []int32  // n+1 byte offsets between the tokens (dust.AppendCuts)
	tokens []uint64 // hashes of the tokens
	prefix []uint64 // prefix[i]: hash of the first i tokens
	suffix []uint64 // suffix[j]: hash of the last j tokens
}

// cut sets all but the hashes.
func (u *subject) cut(id uint32, text []byte) {
	u.id, u.text = id, text
	u.cuts = dust.AppendCuts(u.cuts[:0], text)
	u.n = len(u.cuts) - 1
}

// take sets the same of a member of a small set.
func (u *subject) take(m *member) {
	u.text, u.n = m.text, m.tokens()
	u.cuts = append(u.cuts[:0], m.cuts...)
}

func (u *subject) read(k *keys, id uint32, text []byte) {
	u.cut(id, text)
	u.tokens = append(u.tokens[:0], k.startToken())
	for i := 1; i < u.n-1; i++ {
		u.tokens = append(u.tokens, k.tokenOf(text[u.cuts[i]:u.cuts[i+1]]))
	}
	u.tokens = append(u.tokens, k.endToken())
	u.prefix = append(u.prefix[:0], 0)
	u.suffix = append(u.suffix[:0], 0)
	for i := range u.n {
		u.prefix = append(u.prefix, k.longerPrefix(u.prefix[i], u.tokens[i]))
		u.suffix = append(u.suffix, k.longerSuffix(u.suffix[i], u.tokens[u.n-1-i]))
	}
}

// before returns the number of bytes of the first i tokens. after returns the number of
// bytes of the last j tokens.
func (u *subject) before(i int) int { return int(u.cuts[i]) }
func (u *subject) after(j int) int  { return len(u.text) - int(u.cuts[u.n-j]) }

// hasNext reports whether another URL v that begins with the first i tokens also begins with
// next tokens of the subject. hasLast does the same for the last tokens. Both require that
// the URLs have enough tokens.
func (u *subject) hasNext(v []byte, i, next int) bool {
	if i == 0 {
		return true // ^
	}
	if next >= u.n {
		return false
	}
	from, to := u.cuts[i], u.cuts[next]
	return len(v) >= int(to) && bytes.Equal(v[from:to], u.text[from:to]) && dust.Boundary(v, int(to))
}

func (u *subject) hasLast(v []byte, j, next int) bool {
	if j == 0 {
		return true // $
	}
	if next >= u.n {
		return false
	}
	tokens := u.text[u.cuts[u.n-next]:u.cuts[u.n-j]]
	end := len(v) - u.after(j)
	from := end - len(tokens)
	return from >= 0 && bytes.Equal(v[from:end], tokens) && dust.Boundary(v, from)
}

// shared returns the numbers of tokens common to two different URLs at their starts and at
// their ends. O(bytes in common). At the end of the common bytes, a token of v may
// continue. Near the end, even a token that ends earlier in u may continue in v: %4 is two
// tokens, and %41 is one.
func (u *subject) shared(v []byte) (a, b int) {
	m := commonPrefix(u.text, v)
	for a < u.n-1 && int(u.cuts[a+1]) <= m {
		a++
	}
	for a > 1 && !dust.Boundary(v, u.before(a)) {
		a--
	}
	m = commonSuffix(u.text, v)
	for b < u.n-1 && len(u.text)-int(u.cuts[u.n-b-1]) <= m {
		b++
	}
	for b > 1 && !dust.Boundary(v, len(v)-u.after(b)) {
		b--
	}
	return a, b
}

func commonPrefix(a, b []byte) int {
	n, end := 0, min(len(a), len(b))
	for ; n+8 <= end; n += 8 {
		if d := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); d != 0 {
			return n + bits.TrailingZeros64(d)/8
		}
	}
	for n < end && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) int {
	n, end := 0, min(len(a), len(b))
	for ; n+8 <= end; n += 8 {
		d := binary.LittleEndian.Uint64(a[len(a)-n-8:]) ^ binary.LittleEndian.Uint64(b[len(b)-n-8:])
		if d != 0 {
			return n + bits.LeadingZeros64(d)/8
		}
	}
	for n < end && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

// furtherPrefix returns the hash of the first next tokens of v. The first i of them have the
// hash p and end at the offset at. furtherSuffix does the same for the last tokens. Both
// require that the URLs have enough tokens.
func (k *keys) furtherPrefix(p uint64, v []byte, i, next, at int) uint64 {
	for {
		p = k.longerPrefix(p, k.next(v, i, at))
		if i++; i == next {
			return p
		}
		if i > 1 {
			at = dust.TokenEnd(v, at)
		}
	}
}

func (k *keys) furtherSuffix(s uint64, v []byte, j, next, at int) uint64 {
	for {
		s = k.longerSuffix(s, k.last(v, j, at))
		if j++; j == next {
			return s
		}
		if j > 1 {
			at = dust.TokenStart(v, at)
		}
	}
}

// next returns the hash of the token after the first bytes of v, and last that of the token
// before the last bytes. The caller must know that there is a token between the prefix and
// the suffix.
func (k *keys) next(v []byte, i, at int) uint64 {
	switch {
	case i == 0:
		return k.startToken()
	case at == len(v):
		return k.endToken()
	}
	return k.tokenOf(v[at:dust.TokenEnd(v, at)])
}

func (k *keys) last(v []byte, j, at int) uint64 {
	switch {
	case j == 0:
		return k.endToken()
	case at == 0:
		return k.startToken()
	}
	return k.tokenOf(v[dust.TokenStart(v, at):at])
}
