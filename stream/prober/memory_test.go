package prober

import (
	"fmt"
	"runtime"
	"testing"

	"dustbuster/operators/judge/lifecycle/forms"
)

// heap returns the bytes in use.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The estimate of the memory of a view is at least its memory, and at most four times as much. A site that waits for
// its first view takes 2.5 KB at most, and a site whose view was dropped keeps nothing of the view.
func TestMemoryOfSites(t *testing.T) {
	for _, stories := range []int{20, 200, 2000} {
		m := siteOf("a.example", stories)
		w := New(optionsOf(&pages{}))
		sites := int64(4000 / stories)
		list := forms.Candidates(m.Rules())
		before, estimate := heap(), int64(0)
		var all []*site
		for range sites {
			s := newSite("a.example", w)
			s.enter(forms.WindowOf(m), list)
			if _, ok := s.next(); !ok {
				t.Fatal("nothing is tried")
			}
			estimate += s.view.Load()
			all = append(all, s)
		}
		took := heap() - before
		t.Logf("%d URLs: a view takes %d bytes, %d for a URL, estimated %d", 5*stories, took/sites, took/sites/int64(5*stories), estimate/sites)
		if took > estimate || 4*took < estimate {
			t.Errorf("%d URLs: a view takes %d bytes, estimated %d", 5*stories, took/sites, estimate/sites)
		}
		for _, s := range all {
			s.machine.Unload()
		}
		left := (heap() - before) / sites
		t.Logf("%d URLs: %d bytes are left of a site without its view", 5*stories, left)
		if left > 4<<10 {
			t.Errorf("%d URLs: %d bytes are left of a site without its view", 5*stories, left)
		}
		runtime.KeepAlive(all)
		runtime.KeepAlive(m)
		runtime.KeepAlive(list)
	}
	w := New(optionsOf(&pages{}))
	const sites = 10_000
	before := heap()
	for i := range sites {
		w.Needs(fmt.Sprintf("s%d.example", i))
		w.site(fmt.Sprintf("s%d.example", i))
	}
	if took := (heap() - before) / sites; took > 5<<9 {
		t.Errorf("a site takes %d bytes", took)
	} else {
		t.Logf("a site takes %d bytes", took)
	}
	runtime.KeepAlive(w)
}
