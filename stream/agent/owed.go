package agent

import "fmt"

// owed is a loss that is not told yet. It is told once the position behind it is committed: a reader that
// begins at an earlier commit meets the loss again, and would count it again.
type owed struct {
	upto    int64
	offsets int64
	why     error
}

// owe notes a loss before a position.
func (p *part) owe(upto, offsets int64, why error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.owes = append(p.owes, owed{upto, offsets, why})
}

// settle tells the losses before a position that is committed.
func (t *texts) settle(p *part, committed int64) {
	p.mu.Lock()
	var due []owed
	left := p.owes[:0:0]
	for _, o := range p.owes {
		if o.upto <= committed {
			due = append(due, o)
		} else {
			left = append(left, o)
		}
	}
	p.owes = left
	p.mu.Unlock()
	for _, o := range due {
		t.o.Lost(p.path, o.offsets, o.why)
	}
}

// skip moves the begin of reading over records that are gone, and reports whether there are any.
func (p *part) skip(first int64) bool {
	if p.from < 0 || p.from >= first {
		return false
	}
	p.owe(first, first-p.from, fmt.Errorf("the log begins at %d now: offsets from %d are deleted (retention)", first, p.from))
	p.from = first
	return true
}
