package miners

// sites hold, for each site of a partition, the record time of the last observation. Every
// owner drops a site after a long silence, whether it has run all the time or reads from the
// start the records left by retention. Both then hold equal state, because the times of records
// alone decide, at a site's next record, whether it was dropped.
type sites struct {
	silence int64 // seconds; 0: nothing is ever forgotten
	newest  int64 // record, Unix seconds
	swept   int64 // newest when all were looked at
	seen    map[string]*seen
}

// seen is the knowledge of one site.
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

// overdue reports whether a site must be dropped before its next record is folded.
func (s *sites) overdue(site *seen) bool { return s.silence > 0 && s.newest-site.last >= s.silence }

// sweep drops overdue sites, and returns their names. sweep looks at all sites an eighth of
// the silence apart.
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
