package main

import (
	"path/filepath"
	"strings"

	"dustbuster/config"
	"dustbuster/stream/loop"
	"dustbuster/stream/records"
	"dustbuster/stream/tail"

	"go.uber.org/zap"
)

// openInputs opens the logs that are followed, to go on from positions. Lines
// that cannot be parsed are given to malformed, unless it is nil.
func openInputs(c *config.Config, saved loop.Saved, key [2]uint64, log *zap.Logger, malformed func(path string, line []byte, err error)) (*loop.Inputs, error) {
	var inputs []loop.Input
	for _, in := range c.Inputs {
		warnOfNone(in.Paths, log)
		name := strings.Join(in.Paths, " ")
		o := c.Tail(in)
		o.Audit = func(a tail.Audit) {
			log.Warn("log "+string(a.Kind), zap.String("file", a.Path), zap.Int64("bytes", a.Bytes), zap.Error(a.Err))
		}
		t, err := tail.Open(o, saved.Of(name, in.Paths))
		if err != nil {
			return nil, &usageError{err}
		}
		ro := c.Records(in, key)
		ro.Live, ro.Malformed = true, malformed
		r, err := records.New(t, ro)
		if err != nil {
			return nil, &usageError{err}
		}
		inputs = append(inputs, loop.Input{Name: name, Tail: t, Records: r})
	}
	return loop.NewInputs(inputs), nil
}

// warnOfNone says which paths lead to no log. That is no mistake before a server's
// first request, and else mostly one.
func warnOfNone(paths []string, log *zap.Logger) {
	for _, path := range paths {
		if found, err := filepath.Glob(path); err == nil && len(found) == 0 {
			log.Warn("there is no log yet, or its directory may not be read: it is followed as soon as it can be", zap.String("path", path))
		}
	}
}
