package owner

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strconv"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/publish/ledger"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// The newest pairs of a site are kept in blocks under SITE/pairs/N, so that the next owner
// continues the current trial. A new pair writes its block to the log again, so blocks hold
// few pairs. The keys are reused in turn, so a site has at most mostBlocks keys. The pairs
// of one trial, of its control and of the set's trial need fewer keys.
const (
	blockPairs = 16
	mostBlocks = 32
)

// block is the value of SITE/pairs/N. It begins with the version in a byte, the number in 8, the number of pairs in one, and
// the keys of the pairs. The rest is the pairs as deflated JSON: an owner holds the blocks of all sites, and reads few.
type block struct {
	Number int64 // number of earlier blocks of the site; N is the remainder of Number by mostBlocks
	Pairs  []book.PairAct
}

const blockVersion = 2

func (b *block) key(site string) ledger.Key {
	return key(ledger.Pairs, site, strconv.FormatInt(b.Number%mostBlocks, 10))
}

const keySize = 16

func (b *block) encode() []byte {
	head := append(binary.BigEndian.AppendUint64([]byte{blockVersion}, uint64(b.Number)), byte(len(b.Pairs)))
	bare := slices.Clone(b.Pairs)
	for i := range bare {
		head, bare[i].Key = appendKey(head, bare[i].Key), book.PairKey{}
	}
	return slices.Concat(head, book.Deflate(encode(bare)))
}

func appendKey(to []byte, k book.PairKey) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(to, k[0]), k[1])
}

func keyOf(b []byte) book.PairKey {
	return book.PairKey{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

// headOf returns the number of a block, its keys and the rest; -1 if the value is none.
func headOf(value []byte) (number int64, keys, rest []byte) {
	const fixed = 10
	if len(value) < fixed || value[0] != blockVersion || len(value) < fixed+keySize*int(value[fixed-1]) {
		return -1, nil, nil
	}
	end := fixed + keySize*int(value[fixed-1])
	return int64(binary.BigEndian.Uint64(value[1:])), value[fixed:end], value[end:]
}

func readBlock(k ledger.Key, value []byte) (*block, error) {
	number, keys, rest := headOf(value)
	b := &block{Number: number}
	if number < 0 || b.key(k.Site) != k {
		return nil, fmt.Errorf("read %.100q: a block of another version, or of another place", k)
	}
	text, err := book.Inflate(rest, ledger.MaxValue)
	if err == nil {
		err = json.Unmarshal(text, &b.Pairs)
	}
	if err == nil && keySize*len(b.Pairs) != len(keys) {
		err = fmt.Errorf("%d pairs, and %d bytes of keys", len(b.Pairs), len(keys))
	}
	if err != nil {
		return nil, fmt.Errorf("read %.100q: %w", k, err)
	}
	for i := range b.Pairs {
		b.Pairs[i].Key = keyOf(keys[keySize*i:])
	}
	return b, nil
}

// values yields the values of the blocks of a site, with drafts in place of what they replace.
func (o *Owner) values(site string, d *drafts) iter.Seq2[ledger.Key, []byte] {
	return func(yield func(ledger.Key, []byte) bool) {
		for k, value := range d.values {
			if k.Kind == ledger.Pairs && !yield(k, value) {
				return
			}
		}
		for name := range o.l.Names(site, ledger.Pairs) {
			k := key(ledger.Pairs, site, name)
			if _, drafted := d.values[k]; !drafted && !yield(k, o.l.Value(k)) {
				return
			}
		}
	}
}

// blocks returns the blocks of a site with its drafts, oldest first. A block that cannot be read is
// reported and skipped.
func (o *Owner) blocks(site string, d *drafts, bad func(error)) (all []*block) {
	for k, value := range o.values(site, d) {
		b, err := readBlock(k, value)
		if err != nil {
			bad(err)
			continue
		}
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b *block) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// newestOf returns the newest block of a site.
func (o *Owner) newestOf(site string) *block {
	if o.newest == nil {
		o.newest, _ = lru.NewLRU[string, *block](mostNewest, nil) // fails for no size below 1
	}
	if b, ok := o.newest.Get(site); ok {
		return b
	}
	b, last := &block{}, key(ledger.Pairs, site, "")
	for name := range o.l.Names(site, ledger.Pairs) {
		k := key(ledger.Pairs, site, name)
		if n, _, _ := headOf(o.l.Value(k)); n >= b.Number {
			b.Number, last = n, k
		}
	}
	if read, err := readBlock(last, o.l.Value(last)); err == nil {
		b = read
	}
	o.newest.Add(site, b)
	return b
}

// mostNewest is the number of sites whose newest block is held decoded: those that were written last. A full block
// takes some 7 KB, and 0.1 ms to decode, which each pair of a site beyond costs.
const mostNewest = 256

// pair drafts the record of a pair's outcome. Its effect on a rule is part of the rule's
// verdict.
func (o *Owner) pair(d *drafts, site string, p *book.PairAct) {
	bare := *p
	bare.Rule, bare.Changed = "", false
	b := o.newestOf(site)
	if !b.replace(&bare) {
		if older := o.holding(d, site, p.Key); older != nil && older.replace(&bare) {
			b = older
		} else if len(b.Pairs) >= blockPairs {
			b = &block{b.Number + 1, []book.PairAct{bare}}
			o.newest.Add(site, b)
		} else {
			b.Pairs = append(b.Pairs, bare)
		}
	}
	d.set(b.key(site), b.encode())
}

// replace puts a pair in the place of its last look. It reports whether the block has the pair.
func (b *block) replace(p *book.PairAct) bool {
	at := slices.IndexFunc(b.Pairs, func(q book.PairAct) bool { return q.Key == p.Key })
	if at >= 0 {
		b.Pairs[at] = *p
	}
	return at >= 0
}

// holding returns the block that has a pair, or nil.
func (o *Owner) holding(d *drafts, site string, p book.PairKey) *block {
	for k, value := range o.values(site, d) {
		_, keys, _ := headOf(value)
		for one := range slices.Chunk(keys, keySize) {
			if keyOf(one) == p {
				b, _ := readBlock(k, value) // nil if it cannot be read
				return b
			}
		}
	}
	return nil
}

// forget drafts the blocks without pairs that the machine forgot.
func (o *Owner) forget(d *drafts, site string, pairs []book.PairKey) {
	gone := map[book.PairKey]bool{}
	for _, k := range pairs {
		gone[k] = true
	}
	newest := o.newestOf(site).Number
	for _, b := range o.blocks(site, d, func(error) {}) {
		had := len(b.Pairs)
		b.Pairs = slices.DeleteFunc(b.Pairs, func(p book.PairAct) bool { return gone[p.Key] })
		if len(b.Pairs) < had {
			d.set(b.key(site), b.encode())
		}
		if b.Number == newest {
			o.newest.Add(site, b)
		}
	}
}

// unknown returns the acts of a dump without the pairs that are in the log or too old to be
// kept.
func (o *Owner) unknown(dump []Act) (rest []Act) {
	left, known := map[string]int{}, map[string]map[book.PairKey]bool{}
	for i := range dump {
		if dump[i].Act.Pair != nil {
			left[dump[i].Site]++
		}
	}
	for _, a := range dump {
		if p := a.Act.Pair; p != nil {
			left[a.Site]--
			if known[a.Site] == nil {
				known[a.Site] = o.keptPairs(a.Site)
			}
			if known[a.Site][p.Key] || left[a.Site] >= blockPairs*mostBlocks {
				continue
			}
		}
		rest = append(rest, a)
	}
	return rest
}

// keptPairs returns the pairs of a site that are in the log.
func (o *Owner) keptPairs(site string) map[book.PairKey]bool {
	kept := map[book.PairKey]bool{}
	for _, value := range o.values(site, &drafts{}) {
		_, keys, _ := headOf(value)
		for one := range slices.Chunk(keys, keySize) {
			kept[keyOf(one)] = true
		}
	}
	return kept
}
