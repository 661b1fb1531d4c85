// Package config is the configuration of the daemon: what may be set, what the
// values may be, and where they come from.
//
// # One table
//
// Everything that may be set is a row of one table (settings): its key, where in
// a Config it lies, what its values may be, the flag that sets it, and whether a
// running daemon can take it over. The file, the environment, the flags of mine
// and run, the printing and the reloading all go by that table, so there is no
// second list to keep in step. A test asks that every field of Config is in it.
//
// # Sources
//
// A value comes from the first of these that gives one:
//
//	flag          --bucket-low 4
//	environment   DUSTBUSTER_MINING_BUCKET_LOW=4: the key in capitals, a dot as "_"
//	file          mining: {bucket_low: 4}
//	default       as in docs/config.example.yml
//
// A list or mapping replaces the one below it as a whole. Each source is checked
// by itself: a mistake in the file is one even where a flag hides it. Nothing is
// taken as something else: unknown keys, keys given twice, values of another type
// or out of range are errors that name file, line, key and what was expected, all
// of them at once. Only a variable DUSTBUSTER_SOMETHING that looks like no key is
// passed over: container platforms set such variables for any service so named.
//
// # Variables
//
// In the file's scalar values (not in keys, not in comments) ${NAME} is the
// variable of that name, and an error if it is not set; ${NAME:-text} is text if
// the variable is not set or empty. The result is not looked through again, and
// never read as YAML. A dollar without brace stands for itself, so that an nginx
// log_format can be written as it is in the server's configuration: '$host $uri'.
// $$ is one dollar: nginx's own ${host} is written $${host}.
//
// # YAML
//
// The library is go.yaml.in/yaml/v4: the YAML organization's continuation of
// gopkg.in/yaml.v3, which is given up; its own v3 has security fixes only. Nodes
// and errors know their lines. Tried and left: v3 tells the wrong line for most
// mistakes of syntax (that of a bracket left open is off by two and more), and
// none for the first line; goccy/go-yaml has had the more panics on hostile input.
//
// Of the library only the parser and the emitter are used: its strict decoder
// names a Go type where the user needs the key, and cannot say what was expected.
// So a walk over the nodes decodes, in one pass, over a Config that holds the
// defaults.
package config
