package page

// LineWords says in words what became of lines of a log, by the names of the status and of
// --stats.
var LineWords = map[string]string{
	"all": "all lines that were read", "admitted": "hits that count", "reread": "read once more, since their format was known only then",
	"blank": "blank lines", "directive": "lines that say how later lines are read", "oversized": "longer than 64 KiB",
	"unknown_format": "in a file of no known format", "malformed": "not in the format of their file", "wrapper": "lines of a wrapper itself",
	"other": "of other programs that write into the log", "method": "no GET", "status": "no whole page: redirects, errors, parts",
	"target": "no path", "control_bytes": "control characters in the URL", "host": "no valid host", "ignored_client": "of clients that are ignored",
	"own_validator": "requests of dustbuster itself", "too_many_bytes": "URLs over 2,048 bytes", "too_many_tokens": "URLs of too many parts", "other_host": "of hosts that do not count",
}
