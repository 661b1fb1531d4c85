package cli

import (
	"fmt"

	"dustbuster/config"
	"dustbuster/operators/read/lists"
	"dustbuster/sinks/text"
)

// mostSkips is the number of skipped pieces of a list that are told.
const mostSkips = 3

// ReadLists reads lists of parameters (--lists), and tells what it leaves out of them; nil if none is named.
func ReadLists(paths []string, say func(string)) (*lists.List, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	all := &lists.List{}
	for _, path := range paths {
		if err := readList(all, path); err != nil {
			return nil, fmt.Errorf("list %q: %w", path, err)
		}
		for _, s := range all.Skips[:min(mostSkips, len(all.Skips))] {
			say(fmt.Sprintf("list %q, %s", path, s))
		}
		if n := all.Skipped - mostSkips; n > 0 {
			say(fmt.Sprintf("list %q: %s are left out as well", path, text.Count(n, "more piece")))
		}
	}
	return all, nil
}

func readList(to *lists.List, path string) error {
	read, err := config.ReadAtMost(path, lists.MostBytes)
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}
	before := to.Entries()
	if err := to.Read(read); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	if to.Entries() == before {
		return fmt.Errorf("it names no parameter (%s left out)", text.Count(to.Skipped, "line"))
	}
	return nil
}
