package config

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// parse returns the one document of a file; nil if there is nothing. Errors are
// of type *Error.
func parse(file string, data []byte) (*yaml.Node, error) {
	if line := unreadable(data); line > 0 {
		return nil, &Error{file, line, errors.New("the line is not UTF-8 text")}
	}
	l, err := yaml.NewLoader(bytes.NewReader(data))
	if err != nil {
		return nil, &Error{File: file, Err: err}
	}
	var doc, more yaml.Node
	if err = l.Load(&doc); err == nil {
		err = l.Load(&more)
	}
	switch {
	case err == nil:
		return nil, &Error{file, more.Line, errors.New("a second document begins: a configuration is one")}
	case !errors.Is(err, io.EOF):
		return nil, syntaxError(file, data, err)
	case len(doc.Content) == 0:
		return nil, nil
	}
	return doc.Content[0], nil
}

// unreadable is the first line with a byte that no text has; 0: none. The library detects
// such bytes, but without the line.
func unreadable(data []byte) int {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if !utf8.Valid(line) || bytes.ContainsFunc(line, isControl) {
			return n
		}
	}
	return 0
}

func isControl(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
}

// syntaxError puts the line at the place it has in all other errors.
func syntaxError(file string, data []byte, err error) error {
	if where, ok := errors.AsType[*yaml.LoadError](err); ok {
		if isTabbed(data, where.Mark.Line) {
			return &Error{file, where.Mark.Line, errors.New("the line is indented with a tab: indent with blanks")}
		}
		return &Error{file, where.Mark.Line, errors.New(where.Message)}
	}
	return &Error{File: file, Err: err}
}

// isTabbed reports whether the indentation of a line, counted from 1, has a tab.
func isTabbed(data []byte, line int) bool {
	n := 0
	for text := range bytes.Lines(data) {
		if n++; n == line {
			blank := text[:len(text)-len(bytes.TrimLeft(text, " \t"))]
			return bytes.ContainsRune(blank, '\t')
		}
	}
	return false
}
