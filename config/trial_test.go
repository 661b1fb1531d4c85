package config

import "testing"

// The configured number of hosts asked within an hour is passed to the fetcher.
func TestHostsOfFetches(t *testing.T) {
	c := Defaults()
	if got := c.Fetch().MaxHosts; got != 4096 {
		t.Errorf("%d hosts by default", got)
	}
	c.Trial.Hosts = 50_000
	if got := c.Fetch().MaxHosts; got != 50_000 {
		t.Errorf("%d hosts, want 50000", got)
	}
}
