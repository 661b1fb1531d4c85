package table

// Merge folds in what another table of the same options holds. t becomes the table of the
// observations of both, in any order. Merge calls kept with the numbers of each URL in both tables,
// unless t sheds it. from stays as it is. O(URLs of from).
func (t *Table) Merge(from *Table, kept func(from, to uint32)) {
	t.separators |= from.separators
	if newest, ok := from.Newest(); ok {
		t.paneAt(newest)
	}
	t.joinLeft(from)
	for id := range from.heads {
		if to, ok := t.mergeURL(from, uint32(id)); ok {
			kept(uint32(id), to)
		}
	}
}

func (t *Table) mergeURL(from *Table, id uint32) (to uint32, ok bool) {
	for at := from.heads[id]; at != 0; at = from.entries[at-1].next {
		e := &from.entries[at-1]
		p, inside := t.paneAt(from.number(e))
		if !inside {
			continue
		}
		n, outcome := t.admit(p, from.urls.Text(id))
		if outcome == Shed {
			continue
		}
		if !ok && t.days != nil {
			t.days.Join(n, t.only(n), from.days, id, from.only(id)) // before entries are widened
		}
		to, ok = n, true
		t.extend(to, t.entry(to, p.number, e.class), e.extent())
	}
	return to, ok
}
