package owner

import (
	"cmp"
	"encoding/json"
	"fmt"
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

// block is the value of SITE/pairs/N, as compressed JSON: an owner holds those of all sites.
type block struct {
	Version int            `json:"v"`
	Number  int64          `json:"n"` // number of earlier blocks of the site; N is the remainder of Number by mostBlocks
	Pairs   []book.PairAct `json:"pairs"`
}

const blockVersion = 2

func (b *block) key(site string) ledger.Key {
	return key(ledger.Pairs, site, strconv.FormatInt(b.Number%mostBlocks, 10))
}

func (b *block) encode() []byte { return book.Deflate(encode(b)) }

func readBlock(k ledger.Key, value []byte) (*block, error) {
	b := &block{}
	text, err := book.Inflate(value, ledger.MaxValue)
	if err == nil {
		err = json.Unmarshal(text, b)
	}
	switch {
	case err != nil:
	case b.Version != blockVersion:
		err = fmt.Errorf("version %d, and this program knows %d", b.Version, blockVersion)
	case b.Number < 0 || b.key(k.Site) != k:
		err = fmt.Errorf("block %d", b.Number)
	}
	if err != nil {
		return nil, fmt.Errorf("read %.100q: %w", k, err)
	}
	return b, nil
}

// blocks returns the blocks of a site, oldest first. A block that cannot be read is
// reported and skipped.
func (o *Owner) blocks(site string, bad func(error)) (all []*block) {
	for name := range o.l.Names(site, ledger.Pairs) {
		k := key(ledger.Pairs, site, name)
		b, err := readBlock(k, o.l.Value(k))
		if err != nil {
			bad(err)
			continue
		}
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b *block) int { return cmp.Compare(a.Number, b.Number) })
	return all
}

// tried holds the kept pairs of a site, as the ledger does.
type tried struct {
	blocks map[int64]*block       // by number
	where  map[book.PairKey]int64 // the number of a pair's block
	newest int64
}

func (o *Owner) triedOf(site string) *tried {
	if o.tried == nil {
		o.tried, _ = lru.NewLRU[string, *tried](mostTried, nil) // fails for no size below 1
	}
	if t, ok := o.tried.Get(site); ok {
		return t
	}
	t := &tried{blocks: map[int64]*block{0: {Version: blockVersion}}, where: map[book.PairKey]int64{}}
	for _, b := range o.blocks(site, func(error) {}) {
		t.blocks[b.Number], t.newest = b, b.Number
		for i := range b.Pairs {
			t.where[b.Pairs[i].Key] = b.Number
		}
	}
	o.tried.Add(site, t)
	return t
}

// mostTried is the number of sites whose pairs are held decoded: those that were written last.
const mostTried = 64

// add takes in a pair and returns its block. A pair that is already kept stays in its
// block.
func (t *tried) add(p book.PairAct) *block {
	if n, known := t.where[p.Key]; known {
		b := t.blocks[n]
		b.Pairs[slices.IndexFunc(b.Pairs, func(q book.PairAct) bool { return q.Key == p.Key })] = p
		return b
	}
	b := t.blocks[t.newest]
	if len(b.Pairs) >= blockPairs {
		t.newest++
		b = &block{Version: blockVersion, Number: t.newest}
		t.blocks[t.newest] = b
		t.drop(t.newest - mostBlocks)
	}
	b.Pairs = append(b.Pairs, p)
	t.where[p.Key] = b.Number
	return b
}

// drop forgets the block of a number, if there is one.
func (t *tried) drop(number int64) {
	if b := t.blocks[number]; b != nil {
		for i := range b.Pairs {
			delete(t.where, b.Pairs[i].Key)
		}
		delete(t.blocks, number)
	}
}

// pair drafts the record of a pair's outcome. Its effect on a rule is part of the rule's
// verdict.
func (o *Owner) pair(d *drafts, site string, p *book.PairAct) {
	bare := *p
	bare.Rule, bare.Changed = "", false
	b := o.triedOf(site).add(bare)
	d.set(b.key(site), b.encode())
}

// forget drafts the blocks without pairs that the machine forgot.
func (o *Owner) forget(d *drafts, site string, pairs []book.PairKey) {
	t := o.triedOf(site)
	for _, k := range pairs {
		n, known := t.where[k]
		if !known {
			continue
		}
		b := t.blocks[n]
		b.Pairs = slices.DeleteFunc(b.Pairs, func(p book.PairAct) bool { return p.Key == k })
		delete(t.where, k)
		d.set(b.key(site), b.encode())
	}
}

// unknown returns the acts of a dump without the pairs that are in the log or too old to be
// kept.
func (o *Owner) unknown(dump []Act) (rest []Act) {
	left := map[string]int{}
	for i := range dump {
		if dump[i].Act.Pair != nil {
			left[dump[i].Site]++
		}
	}
	for _, a := range dump {
		if p := a.Act.Pair; p != nil {
			left[a.Site]--
			if _, known := o.triedOf(a.Site).where[p.Key]; known || left[a.Site] >= blockPairs*mostBlocks {
				continue
			}
		}
		rest = append(rest, a)
	}
	return rest
}
