package miner

// Dust counts the pages of a window that have several URLs. Of the URLs of one page, the URL
// with the most hits stays, and the others are duplicates. Hits and bytes are a tally: see
// Effect.
type Dust struct {
	URLs, Hits, Bytes          int64 // of duplicates
	AllURLs, AllHits, AllBytes int64
}

// Add adds the counts of another site.
func (d *Dust) Add(o Dust) {
	d.URLs, d.Hits, d.Bytes = d.URLs+o.URLs, d.Hits+o.Hits, d.Bytes+o.Bytes
	d.AllURLs, d.AllHits, d.AllBytes = d.AllURLs+o.AllURLs, d.AllHits+o.AllHits, d.AllBytes+o.AllBytes
}

// Joined are the pages of a window, of which some are the same. A Joined belongs to one
// goroutine.
type Joined struct {
	reach  *Reach
	parent []int32          // by page: a page that is the same; itself at the root
	forms  map[string]int32 // first pages of unlisted forms
}

// Join returns the pages of the window, none of which are the same. O(URLs).
func (a *Reach) Join() *Joined {
	j := &Joined{reach: a, parent: make([]int32, len(a.pages)), forms: map[string]int32{}}
	for i := range j.parent {
		j.parent[i] = int32(i)
	}
	return j
}

// Same says that two pages are the same.
func (j *Joined) Same(u, v int) { j.parent[j.root(int32(u))] = j.root(int32(v)) }

// Form says that a page has a canonical form. All pages with one form are the same, as is the page
// whose URL it is.
func (j *Joined) Form(u int, form []byte) {
	if v, listed := j.reach.numbers.Of(form); listed {
		j.Same(u, v)
	} else if v, seen := j.forms[string(form)]; seen {
		j.Same(u, int(v))
	} else {
		j.forms[string(form)] = int32(u)
	}
}

func (j *Joined) root(n int32) int32 {
	for j.parent[n] != n {
		j.parent[n] = j.parent[j.parent[n]]
		n = j.parent[n]
	}
	return n
}

// Dust counts the duplicates. O(URLs).
func (j *Joined) Dust() (d Dust) {
	stays := map[int32]tally{}
	for n := range j.parent {
		t := j.reach.tally(n)
		d.AllURLs, d.AllHits, d.AllBytes = d.AllURLs+1, d.AllHits+t.hits, d.AllBytes+t.bytes
		root := j.root(int32(n))
		if most, seen := stays[root]; !seen || t.hits > most.hits {
			stays[root] = t
		}
	}
	d.URLs, d.Hits, d.Bytes = d.AllURLs-int64(len(stays)), d.AllHits, d.AllBytes
	for _, t := range stays {
		d.Hits, d.Bytes = d.Hits-t.hits, d.Bytes-t.bytes
	}
	return d
}
