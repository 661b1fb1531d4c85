package rules

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"dustbuster/operators/rule"
)

// Read reads a list. An error names the line. All processors parse the list.
func Read(r io.Reader) (*List, error) {
	var none memory
	return none.read(r)
}

// memory reads lists as Read does, and keeps the blocks of the last list that was read, so
// that only new blocks of the next list are parsed. A block is the lines of one site. The
// zero memory is empty. Blocks are identified by 64 bits under a key drawn for each memory:
// two of 10,000 blocks are taken for each other with a probability below 1 in 10^11.
type memory struct {
	seed   maphash.Seed
	blocks map[uint64]*block // by hash of their text; nil: the memory keeps nothing
}

// block is the lines of one site.
type block struct {
	site  string
	text  []byte // while the list is read
	other int    // number of rules that are not valid
	Site         // without records if no rule is valid
}

// remembering returns a memory that keeps the last list.
func remembering() memory {
	return memory{maphash.MakeSeed(), map[uint64]*block{}}
}

// read reads a list. A list that cannot be read block by block is read line by line: a list
// with an error or an unknown rule, or with the lines of a site in several places.
func (m *memory) read(r io.Reader) (*List, error) {
	var text bytes.Buffer
	text.Grow(min(sizeOf(r), maxBytes) + bytes.MinRead)
	if _, err := text.ReadFrom(io.LimitReader(r, maxBytes+1)); err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	if text.Len() > maxBytes {
		return nil, fmt.Errorf("read rules: more than %d bytes", maxBytes)
	}
	list := bytes.TrimPrefix(text.Bytes(), byteOrderMark)
	if l, ok := m.readBlocks(list); ok {
		return l, nil
	}
	return readLines(list)
}

// byteOrderMark may begin a list, and has no meaning.
var byteOrderMark = []byte("\xef\xbb\xbf")

// sizeOf returns the number of bytes of a file, or 0 of anything else.
func sizeOf(r io.Reader) int {
	if f, is := r.(fs.File); is {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return int(min(info.Size(), maxBytes))
		}
	}
	return 0
}

func (m *memory) readBlocks(text []byte) (l *List, ok bool) {
	blocks, ok := cut(text)
	if !ok {
		return nil, false
	}
	var fresh []*block
	kept := make(map[uint64]*block, len(blocks))
	for i, b := range blocks {
		if m.blocks == nil {
			fresh = blocks
			break
		}
		hash := maphash.Bytes(m.seed, b.text)
		if old := m.blocks[hash]; old != nil && old.site == b.site {
			blocks[i] = old
		} else {
			fresh = append(fresh, b)
		}
		kept[hash] = blocks[i]
	}
	if !parse(fresh) {
		return nil, false
	}
	if m.blocks != nil {
		m.blocks = kept
	}
	l = &List{}
	for _, b := range blocks {
		l.Other += b.other
		if b.Records != nil {
			l.Sites = append(l.Sites, b.Site)
		}
	}
	slices.SortFunc(l.Sites, func(a, b Site) int { return cmp.Compare(a.Name, b.Name) })
	return l, true
}

// cut cuts a text into blocks. ok is false if a line does not name its site, or if the lines of
// one are not together.
func cut(text []byte) (blocks []*block, ok bool) {
	var last *block
	seen := map[string]bool{}
	from := 0 // where the line begins
	for line := range bytes.Lines(text) {
		name, named := siteOf(line)
		switch {
		case len(line) > maxLine || !named:
			return nil, false
		case last != nil && string(name) == last.site:
		case seen[string(name)]:
			return nil, false
		default:
			last = &block{site: string(name), text: text[from:from]}
			blocks = append(blocks, last)
			seen[last.site] = true
		}
		from += len(line)
		last.text = last.text[:len(last.text)+len(line)]
	}
	return blocks, true
}

var siteMember = []byte(`"site":"`)

// siteOf returns what seems to be the site of a line. The text may have escapes, and may
// stand in another text: parse compares it with the record.
func siteOf(line []byte) (name []byte, ok bool) {
	at := bytes.Index(line, siteMember)
	if at < 0 {
		return nil, false
	}
	line = line[at+len(siteMember):]
	end := bytes.IndexByte(line, '"')
	return line[:max(end, 0)], end >= 0
}

// parse parses blocks on all processors, and reports whether all blocks are valid.
func parse(blocks []*block) bool {
	var next atomic.Int64
	var failed atomic.Bool
	var running sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(blocks)) {
		running.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= len(blocks) {
					return
				}
				if !blocks[i].parse() {
					failed.Store(true)
				}
			}
		})
	}
	running.Wait()
	return !failed.Load()
}

// leastLine is about the least length of a rule's line.
const leastLine = 200

// parse parses the block, or returns false if a line is not a known and valid rule.
func (b *block) parse() bool {
	lines := min(bytes.Count(b.text, []byte("\n"))+1, len(b.text)/leastLine+1)
	records, rules := make([]rule.Record, 0, lines), make([]rule.Rule, 0, lines)
	for line := range bytes.Lines(b.text) {
		record, r, err := rule.ReadPublished(line)
		if err == nil && record.State != rule.Valid {
			b.other++
			continue
		}
		if err != nil || record.Site != b.site {
			return false
		}
		records, rules = append(records, record), append(rules, r)
	}
	b.text = nil
	if len(records) == 0 {
		return true
	}
	var err error
	b.Site, err = newSite(b.site, records, rules)
	return err == nil
}
