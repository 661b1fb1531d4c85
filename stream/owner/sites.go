package owner

// sites are when, in record time, something last came of each site of a
// partition. A site of which nothing has come for long is forgotten by every
// owner: by one who was there all the time, and by one who reads from the start
// what retention has left. Both hold then what they would have held anyway, since
// whether a site was forgotten is settled by the times of records alone, when its
// next record comes.
type sites struct {
	silence int64 // seconds; 0: nothing is ever forgotten
	newest  int64 // record, Unix seconds
	swept   int64 // newest when all were looked at
	seen    map[string]*seen
}

// seen is what is known of one site.
type seen struct {
	name  string
	last  int64
	wrong error // why its records are refused; nil: they are not
}

func newSites(silence int64) *sites { return &sites{silence: silence, seen: map[string]*seen{}} }

// arrive notes the time of a record, and returns its site.
func (s *sites) arrive(key []byte, at int64, check func(site string) error) *seen {
	s.newest = max(s.newest, at)
	site := s.seen[string(key)]
	if site == nil {
		site = &seen{name: string(key), last: at, wrong: check(string(key))}
		s.seen[site.name] = site
	}
	return site
}

// overdue tells whether a site must be forgotten before anything of it is folded.
func (s *sites) overdue(site *seen) bool { return s.silence > 0 && s.newest-site.last >= s.silence }

// sweep returns the sites to be forgotten, and forgets them. It looks at all of
// them an eighth of the silence apart.
func (s *sites) sweep() (silent []string) {
	if s.silence == 0 || s.newest-s.swept < s.silence/8 {
		return nil
	}
	s.swept = s.newest
	for name, site := range s.seen {
		if s.overdue(site) {
			silent = append(silent, name)
			delete(s.seen, name)
		}
	}
	return silent
}
