// Package config is the configuration of the daemon: the settings, their allowed values,
// and their sources.
//
// # One table
//
// Every setting is a row of one table (settings): its key, its place in a Config, its
// allowed values, its flag, and whether a running daemon can take a new value over. The
// file, the environment, the flags of mine and run, the printing and the reloading all use
// this table, so there is no second list to keep in step. A test checks that every field of
// Config is in the table.
//
// # Sources
//
// The value of a setting comes from the first of these sources that has a value:
//
//	flag          --bucket-low 4
//	environment   DUSTBUSTER_RULE_BUCKET_LOW=4: the key in capitals, a dot as "_"
//	file          rule: {bucket_low: 4}
//	default       as in docs/config.example.yml
//
// A list or mapping replaces the list or mapping of a lower source as a whole. Each source
// is checked by itself: a mistake in the file is an error even if a flag overrides the
// value. Nothing is guessed: unknown keys, keys given twice, and values of another type or
// out of range are errors with file, line, key and the expected value, all mistakes at
// once. Only a variable DUSTBUSTER_SOMETHING that resembles no key is no error, but named
// in a warning: container platforms set such variables for any service of that name.
//
// # Variables
//
// In the file's scalar values (not in keys, not in comments) ${NAME} is the variable of
// that name. An unset variable is an error. ${NAME:-text} is text if the variable is not
// set or empty. The result is not expanded again, and never read as YAML. A dollar without
// a brace stands for itself, so an nginx log_format can be copied from the server's
// configuration: '$host $uri'. $$ is one dollar: nginx's own ${host} is written $${host}.
//
// # YAML
//
// The library is go.yaml.in/yaml/v4, the YAML organization's successor of gopkg.in/yaml.v3,
// which is no longer maintained. The organization's own v3 has security fixes only. Nodes
// and errors of v4 have lines. Rejected: v3, which reports the wrong line for most mistakes
// of syntax (an open bracket is off by two and more), and none for the first line;
// goccy/go-yaml, which panicked more often on hostile input.
//
// Only the parser and the emitter of the library are used. The library's strict decoder
// names a Go type where the user needs the key, and cannot name the expected value. So a
// walk over the nodes decodes, in one pass, over a Config that holds the defaults.
package config
