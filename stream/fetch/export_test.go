package fetch

import (
	"time"

	"dustbuster/stream/recent"
)

// What the tests outside need of the inside.

// Bounds that inputs of tests lie at.
const (
	Burst     = burst
	MaxRobots = maxRobots
	MaxTarget = maxTarget
	MostLeft  = mostLeft
)

// Answers returns the cache.
func (f *Fetcher) Answers() *recent.Map[string, *answer] { return f.answers }

// Doors returns how many servers and sites are tracked.
func (f *Fetcher) Doors() (servers, sites int) { return len(f.servers), len(f.sites) }

// Trust believes for an hour that a host has no robots.txt.
func (f *Fetcher) Trust(host string) {
	f.rules.Add(host, rules{robots: parseRobots(nil), until: time.Now().Add(time.Hour)})
}

// Use changes the options in use.
func (f *Fetcher) Use(change func(*Options)) { change(&f.o) }
