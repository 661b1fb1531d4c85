// Command dustbench is DUST bench: made-up and real sites, each with a log, a server and the truth, and a
// judge of canonical forms. docs/dustbench.md says how a program enters.
//
//	dustbench run SITE REQUESTS ENTRY...         a run of an entry, as a line of JSON
//	dustbench peer NAME LOG ORIGIN REQUESTS URLS  an entry that stands for what others do
//	dustbench content APPLICATION N [DIR]         articles, in the form that a site's script imports
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
)

func main() {
	if err := bench(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "dustbench:", err)
		os.Exit(1)
	}
}

func bench(args []string) error {
	if len(args) < 3 {
		return errors.New("usage: dustbench run SITE REQUESTS ENTRY..., dustbench peer NAME LOG ORIGIN REQUESTS URLS, or dustbench content APPLICATION N [DIR]")
	}
	if args[0] == "peer" {
		return enterBy(args[1], args[2:], os.Stdout)
	}
	n, err := strconv.Atoi(args[2])
	if err != nil {
		return fmt.Errorf("read the number %q: %w", args[2], err)
	}
	switch args[0] {
	case "content":
		return write(args[1], articles(n), append(args, "")[3], os.Stdout)
	case "run":
		result, err := run(args[1], n, args[3:])
		if err != nil {
			return err
		}
		return json.NewEncoder(os.Stdout).Encode(result)
	}
	return fmt.Errorf("no command %q", args[0])
}
