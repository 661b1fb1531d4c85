package cli

import (
	"errors"
	"strings"

	"dustbuster/operators/read/weblog"
	"dustbuster/sinks/page"
	"dustbuster/stream/agent"
	"dustbuster/stream/journal"
	"dustbuster/stream/kafka"
	"dustbuster/stream/lines"
	"dustbuster/stream/records"
	"dustbuster/stream/rulelog"
	"dustbuster/stream/rules"
	"dustbuster/stream/tail"

	"go.uber.org/zap"
)

// Errors of the packages below say what is wrong. Only the command knows its flags and
// subcommands, so it adds which of them helps.

// Advised returns an error with advice on a further line, if there is advice.
func Advised(err error) error {
	if text := advice(err); text != "" {
		return &advisedError{err, text}
	}
	return err
}

type advisedError struct {
	err    error
	advice string
}

func (e *advisedError) Error() string { return e.err.Error() + "\n" + e.advice }
func (e *advisedError) Unwrap() error { return e.err }

// Cause returns an error for the log, with advice.
func Cause(err error) zap.Field { return zap.Error(Advised(err)) }

// advice returns which flag or command helps against an error; "" if none does.
func advice(err error) string {
	var format *records.FormatError
	var unreadable *records.UnreadableError
	var packed *lines.PackingError
	var invalid *rules.NoneValidError
	var partitions *agent.PartitionsError
	var clock *kafka.ClockError
	switch {
	case errors.As(err, &format) && format.Lines:
		return "name it with --format; dustbuster formats list shows all formats"
	case errors.As(err, &unreadable) && unreadable.Named:
		return "they are not in the format that --format names"
	case errors.As(err, &unreadable):
		return "name their format with --format"
	case errors.Is(err, journal.ErrLocked):
		return "a second daemon on this host needs its own --state and --admin-listen; one daemon can follow several logs, with --tail for each"
	case errors.Is(err, tail.ErrGone):
		return "if logrotate moves files to a directory (olddir), name the directory with --olddir"
	case errors.As(err, &packed):
		return "unpack the file to standard input: " + packed.Unpack + " FILE | dustbuster mine -"
	case errors.As(err, &partitions) && partitions.Are == 0:
		return `"dustbuster topics create" makes topics`
	case errors.As(err, &clock):
		return `"dustbuster topics create" sets message.timestamp.type`
	case errors.Is(err, kafka.ErrNoTopic):
		return `make it with "dustbuster topics create", or check its name`
	case errors.Is(err, rulelog.ErrPartitions):
		return `see "dustbuster topics check"`
	case errors.As(err, &invalid):
		return "test them: dustbuster validate --origin http://127.0.0.1 --rules " + fileOf(invalid.Source) + " -o json=rules.jsonl access.log"
	}
	return ""
}

// fileOf returns the name of a source of rules for a command to copy.
func fileOf(source string) string {
	if source == "-" || strings.ContainsAny(source, ": '\"$\\") {
		return "FILE"
	}
	return source
}

// FlagsFor returns the flags that the notes of a format are about.
func FlagsFor(f weblog.Format) (flags []string) {
	switch f.Size {
	case weblog.SizeNone:
		flags = append(flags, "--no-size-match")
	case weblog.SizeTotal, weblog.SizeBodyOrTotal, weblog.SizeLengthOrTotal:
		flags = append(flags, "--size-tolerance")
	}
	if f.Fields&(weblog.HasAgent|weblog.HasClient) == weblog.HasClient {
		flags = append(flags, "--ignore-clients")
	}
	if f.Name == "w3c" {
		flags = append(flags, "--format '#Fields: date time ...'")
	}
	return flags
}

// ByFlags are what helps rules that were not tested, in the words of the command line.
var ByFlags = page.Remedies{
	Allow: func(site string, params []string) string {
		var allowed []string
		for _, param := range params {
			if site != "" {
				param = site + ":" + param
			}
			allowed = append(allowed, param)
		}
		return "If these parameters do nothing on your server, allow them: --allow " + strings.Join(allowed, ",") + "."
	},
	AnyKind: "If no GET of this site does anything, --fetch-kinds any requests all of them.",
	Clients: "Log the addresses of the visitors; --trusted-proxies names your proxies.",
	Crawl:   "Such URLs are never requested; if you have a crawl of the site, validate --pages takes the pages from it.",
}
