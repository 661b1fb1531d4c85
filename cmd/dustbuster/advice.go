package main

import (
	"errors"

	"dustbuster/operators/weblog"
	"dustbuster/stream/records"
	"dustbuster/stream/tail"
)

// Errors of the packages below say what is wrong. Only the command knows its flags, so the
// command adds which flag helps.

// advised returns an error with advice about flags on a further line, if there is advice.
func advised(err error) error {
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

// advice returns which flag helps against an error; "" if no flag does.
func advice(err error) string {
	var format *records.FormatError
	var unreadable *records.UnreadableError
	switch {
	case errors.As(err, &format) && format.Lines:
		return "name it with --format; dustbuster formats list shows what there is"
	case errors.As(err, &unreadable) && unreadable.Named:
		return "they are not in the format that --format names"
	case errors.As(err, &unreadable):
		return "name their format with --format"
	case errors.Is(err, tail.ErrGone):
		return "if logrotate moves files to a directory (olddir), name the directory with --olddir"
	}
	return ""
}

// flagsFor returns the flags that the notes of a format are about.
func flagsFor(f weblog.Format) (flags []string) {
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
