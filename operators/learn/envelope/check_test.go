package envelope

import (
	"fmt"
	"slices"
)

// Check compares the cells of the index with cells computed from the URLs alone, and
// returns the first difference. For tests: Check examines every envelope of every URL, cut
// at S or not.
func (x *Index) Check() error {
	forms := map[uint64]*form{}
	count := 0
	for id, m := range x.marks {
		if m.tokens > 0 {
			count++
			x.addForms(forms, uint32(id))
		}
	}
	if count != x.count {
		return fmt.Errorf("check index: %d URLs counted, %d in it", x.count, count)
	}
	held := 0
	for key, f := range forms {
		edge := !f.crowded(x.max) && f.widest(forms, x.max)
		if f.crowded(x.max) || edge {
			held++
		}
		if err := x.checkCell(key, f, edge); err != nil {
			return err
		}
	}
	if held != x.cells.len() {
		return fmt.Errorf("check index: %d cells held, %d called for", x.cells.len(), held)
	}
	return x.checkCounts()
}

// form is an envelope of the plain algorithm: all URLs of the form. For a cell inside a
// block, only the URLs whose middle may be real in the block are members.
type form struct {
	at    at
	ids   []uint32
	real  []uint32
	wider []uint64 // for the first cell inside a block: also the cell that stands for the block
}

func (f *form) crowded(limit int) bool { return len(f.ids) > limit }

func (f *form) widest(forms map[uint64]*form, limit int) bool {
	for _, key := range f.wider {
		if !forms[key].crowded(limit) {
			return false
		}
	}
	return true
}

func (x *Index) addForms(forms map[uint64]*form, id uint32) {
	var u subject
	u.read(&x.keys, id, x.urls.Text(id))
	for i := 0; i <= u.n; i++ {
		for j := 0; i+j <= u.n; j++ {
			if x.grid.within(i) == 0 && x.grid.within(j) == 0 {
				x.addForm(forms, &u, at{i, j, false})
			}
			corner := at{x.grid.floor(i), x.grid.floor(j), false}
			if x.grid.wide(corner) && u.n <= x.longest(corner) {
				x.addForm(forms, &u, at{i, j, true})
			}
		}
	}
}

func (x *Index) addForm(forms map[uint64]*form, u *subject, of at) {
	key := func(c at) uint64 { return nonzero(x.keys.cellOf(u.prefix[c.i], u.suffix[c.j], c.inner)) }
	f := forms[key(of)]
	if f == nil {
		f = &form{at: of}
		i, above := x.grid.before(of.i, of.inner)
		if above {
			f.wider = append(f.wider, key(at{i, of.j, of.inner}))
		}
		j, below := x.grid.before(of.j, of.inner)
		if below {
			f.wider = append(f.wider, key(at{of.i, j, of.inner}))
		}
		if of.inner && !above && !below {
			f.wider = append(f.wider, key(at{of.i, of.j, false}))
		}
		forms[key(of)] = f
	}
	f.ids = append(f.ids, u.id)
	if x.real(u.n, of) {
		f.real = append(f.real, u.id)
	}
}

func (x *Index) checkCell(key uint64, f *form, edge bool) error {
	c := x.cells.find(key)
	where := fmt.Sprintf("check envelope of %q after %d and before %d tokens", x.urls.Text(f.ids[0]), f.at.i, f.at.j)
	if c == nil || !f.crowded(x.max) && !edge {
		if (c != nil) != (f.crowded(x.max) || edge) {
			return fmt.Errorf("%s: held %v, crowded %v, edge %v", where, c != nil, f.crowded(x.max), edge)
		}
		return nil
	}
	if int(c.all) != len(f.ids) || int(c.real) != len(f.real) {
		return fmt.Errorf("%s: %d and %d URLs counted, %d and %d there", where, c.all, c.real, len(f.ids), len(f.real))
	}
	list := slices.Sorted(slices.Values(x.lists.appendTo(nil, c.list, c.listed())))
	switch {
	case c.know == everyone && !slices.Equal(list, f.ids), c.know == realOnly && !slices.Equal(list, f.real):
		return fmt.Errorf("%s: members %v listed, %v and %v there", where, list, f.ids, f.real)
	case edge && c.know != everyone, c.know == nobody && len(f.real) <= x.max:
		return fmt.Errorf("%s: members not known of %d", where, len(f.real))
	}
	return nil
}

func (x *Index) checkCounts() error {
	likely := 0
	for key, s := range x.pairs.all {
		if s.low == isLikely {
			if p := &x.now[s.high]; p.key != key || p.Support < x.o.MinSupport || p.SupportHigh < 0 {
				return fmt.Errorf("check pair %x: number %d is %+v", key, s.high, p)
			}
			likely++
			continue
		}
		if *s == (supports{}) || int32(s.low) < 0 || int32(s.high) < 0 {
			return fmt.Errorf("check pair %x: supports %d and %d", key, s.low, s.high)
		}
		if int(s.low) >= x.o.MinSupport {
			return fmt.Errorf("check pair %x: support %d, not known as likely", key, s.low)
		}
	}
	if likely != len(x.now) {
		return fmt.Errorf("check pairs: %d with the number of a likely pair, %d likely", likely, len(x.now))
	}
	return nil
}
