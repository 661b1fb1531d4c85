package cluster

import (
	"strings"

	"dustbuster/operators/rule"
)

// template is a template by numbers.
type template struct {
	shape  *shape
	cells  []Cell // of the shape; the value counts where the key is constant
	mask   uint64 // the constant cells
	edits  []edit // by cell, and one more if the template adds a parameter
	absent uint64 // hash of the name of the added parameter
}

// edit is the edit of a cell.
type edit struct {
	edit rule.Edit
	text uint64 // hash of the value set
	from int    // the cell copied
}

// templateOf returns a template by numbers. ok is false if the template fits no URL of the
// site.
func (s *Site) templateOf(r *rule.Rule) (t template, ok bool) {
	var id []byte
	places := map[string]int{}
	for k := range r.Template.Keys() {
		if k.Absent {
			continue
		}
		key, known := s.key[k.Name]
		if !known {
			return t, false
		}
		c := Cell{Key: key}
		if !k.Any {
			if c.Value, known = s.value[k.Value]; !known {
				return t, false
			}
			t.mask |= 1 << len(t.cells)
		}
		id = appendNumber(id, key)
		places[k.Name] = len(t.cells)
		t.cells = append(t.cells, c)
	}
	if t.shape = s.shapes[string(id)]; t.shape == nil {
		return t, false
	}
	for k := range r.Template.Keys() {
		e := edit{edit: k.Edit}
		switch k.Edit {
		case rule.SetKey:
			e.text = hashOf(k.To)
		case rule.CopyKey:
			e.from = places[k.To]
		}
		if k.Absent {
			t.absent = hashOf(k.Name)
		}
		t.edits = append(t.edits, e)
	}
	return t, true
}

// fits reports whether the constants of a template of the row's shape are those of the row.
func (t *template) fits(r *Row) bool {
	for i, c := range t.cells {
		if t.mask&(1<<i) != 0 && c.Value != r.Cells[i].Value {
			return false
		}
	}
	return true
}

// form computes the identity of a row, or of its form under a template.
type form struct {
	site  *Site
	row   *Row
	parts *parts
	edits []edit // nil: none
}

// identity returns the identity of the row.
func (f *form) identity() uint64 {
	h, _ := f.under(&template{})
	return h
}

// under returns the identity of the row's form under a template that fits the row. ok is
// false if the template leaves the row as it is, apart from a form equal to the row.
func (f *form) under(t *template) (h uint64, ok bool) {
	f.edits = t.edits
	h = mix(0, f.parts.head)
	segments, written := len(f.row.Cells)-len(f.parts.order), 0
	for i := range segments {
		text, kept, ok := f.value(i)
		if !ok {
			return 0, false
		}
		if kept {
			h = mix(h, text)
			written++
		}
	}
	if written == 0 {
		h = mix(h, hashOf(""))
	}
	h, params := mix(h, uint64('?')), 0
	for _, i := range f.parts.order {
		text, kept, ok := f.value(int(i))
		if !ok {
			return 0, false
		}
		if kept {
			h = mix(mix(h, f.site.names[f.row.Cells[i].Key]), text)
			params++
		}
	}
	if added := len(f.row.Cells); added < len(f.edits) {
		text, _, ok := f.value(added)
		if !ok {
			return 0, false
		}
		h = mix(mix(h, t.absent), text)
		params++
	}
	if params > 1 {
		separator := f.parts.separator
		if separator == 0 {
			separator = '&'
		}
		h = mix(h, uint64(separator))
	}
	return h, true
}

// value returns the hash of the value that a cell gets. kept is false if the cell is
// dropped. ok is false if the cell has no new value, and the URL stays.
func (f *form) value(i int) (text uint64, kept, ok bool) {
	var e edit
	if i < len(f.edits) {
		e = f.edits[i]
	}
	if i < len(f.row.Cells) {
		c := f.row.Cells[i]
		if e.edit == rule.KeepKey {
			return f.site.texts[c.Value], true, true
		}
		if e.edit == rule.DropKey {
			return 0, false, true
		}
		if c.Value == Bare {
			return 0, false, false
		}
	}
	if e.edit == rule.SetKey {
		return e.text, true, true
	}
	from := f.row.Cells[e.from]
	if from.Value == Bare {
		return 0, false, false
	}
	copied := f.site.table.Values[from.Value]
	segment := i < len(f.row.Cells)-len(f.parts.order)
	if strings.ContainsAny(copied, "/?;&") || copied == "" && segment {
		return 0, false, false
	}
	return f.site.texts[from.Value], true, true
}
