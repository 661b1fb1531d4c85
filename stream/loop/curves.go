package loop

import (
	"iter"
	"maps"
	"slices"

	"dustbuster/operators/window/waste"
	"dustbuster/stream/checkpoint"
)

func newCurves() *curves {
	return &curves{of: map[string]waste.Curve{}, changed: map[string]map[int64]waste.Day{}}
}

// set sets the curve of a site, with the days that have changed.
func (c *curves) set(site string, curve waste.Curve, changed []waste.Day) {
	if len(changed) == 0 {
		return
	}
	c.put(site, curve)
	if c.changed[site] == nil {
		c.changed[site] = map[int64]waste.Day{}
	}
	for _, d := range changed {
		c.changed[site][d.Date] = d
	}
}

// restore takes days that an earlier process has saved.
func (c *curves) restore(d checkpoint.Days) {
	curve, _ := c.of[d.Site].With(d.List...)
	c.put(d.Site, curve)
}

func (c *curves) put(site string, curve waste.Curve) {
	c.drop(site)
	c.of[site] = curve
	c.bytes += curve.Bytes()
}

func (c *curves) drop(site string) {
	if had, known := c.of[site]; known {
		c.bytes -= had.Bytes()
		delete(c.of, site)
	}
}

// fit keeps so few of the newest days of each site that all curves take at most so many bytes.
func (c *curves) fit(most int64) {
	for days := waste.MostDays / 2; c.bytes > most && days > 0; days /= 2 {
		for site, curve := range c.of {
			c.put(site, curve.Newest(days))
		}
	}
}

// forget drops a site.
func (c *curves) forget(site string) {
	c.drop(site)
	delete(c.changed, site)
}

// Changes yields the days that changed.
func (c *curves) Changes() iter.Seq[checkpoint.Change] {
	c.taken, c.changed = c.changed, map[string]map[int64]waste.Day{}
	return daysOf(c.taken, maps.Values)
}

// All yields all days.
func (c *curves) All() iter.Seq[checkpoint.Change] {
	c.taken, c.changed = c.changed, map[string]map[int64]waste.Day{}
	return daysOf(maps.Clone(c.of), waste.Curve.All)
}

// daysOf yields the days of sites, in the order of their names.
func daysOf[D any](all map[string]D, days func(D) iter.Seq[waste.Day]) iter.Seq[checkpoint.Change] {
	return func(yield func(checkpoint.Change) bool) {
		for _, site := range slices.Sorted(maps.Keys(all)) {
			if !yield(checkpoint.Days{Site: site, List: slices.Collect(days(all[site]))}) {
				return
			}
		}
	}
}

// Saved marks the days as saved.
func (c *curves) Saved() { c.taken = nil }

// Failed marks the days as not saved, unless they have changed since.
func (c *curves) Failed() {
	for site, days := range c.taken {
		if _, known := c.of[site]; !known {
			continue
		}
		maps.Copy(days, c.changed[site])
		c.changed[site] = days
	}
	c.taken = nil
}

// curves is the part of the state with the waste of each site by day. A site that no robot asks for
// has no curve.
type curves struct {
	of      map[string]waste.Curve // by site
	bytes   int64                  // of these
	changed map[string]map[int64]waste.Day
	taken   map[string]map[int64]waste.Day // are being saved
}
