package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// Load reads the configuration. path is that of the file, or "" without one; env has the
// form of os.Environ; flags may be nil. Errors are a *FlagError, or one or more of *Error,
// joined.
func Load(path string, env []string, flags *Flags) (Config, error) {
	var data []byte
	if path != "" {
		var err error
		if data, err = os.ReadFile(path); err != nil {
			if cause, ok := errors.AsType[*fs.PathError](err); ok {
				err = cause.Err
			}
			return Config{}, &Error{File: path, Err: err}
		}
	}
	return load(path, data, environment(env), flags)
}

func load(path string, data []byte, env map[string]string, flags *Flags) (Config, error) {
	c := Defaults()
	c.sources = map[string]string{}
	l := loader{newCatalog(&c), reader{file: path, env: env}, c.sources, &c.strangers}
	l.readFile(data)
	l.readEnvironment()
	if len(l.reader.errs) > 0 {
		return Config{}, errors.Join(l.reader.errs...)
	}
	if err := l.takeFlags(flags); err != nil {
		return Config{}, err
	}
	c.nameTopics()
	return c, nil
}

// catalog finds the settings of a Config.
type catalog struct {
	rows   []setting
	byKey  map[string]*setting
	levels map[string][]string // names of the keys below a section; "": of the file
}

func newCatalog(c *Config) *catalog {
	t := &catalog{c.settings(), map[string]*setting{}, map[string][]string{}}
	for i := range t.rows {
		key := t.rows[i].key
		t.byKey[key] = &t.rows[i]
		section, name, _ := strings.Cut(key, ".")
		if len(t.levels[section]) == 0 {
			t.levels[""] = append(t.levels[""], section)
		}
		t.levels[section] = append(t.levels[section], name)
	}
	return t
}

// loader collects values from all sources in one Config.
type loader struct {
	*catalog
	reader    reader
	sources   map[string]string
	strangers *[]string
}

func (l *loader) readFile(data []byte) {
	root, err := parse(l.reader.file, data)
	if err != nil {
		l.reader.errs = append(l.reader.errs, err)
		return
	}
	if root != nil {
		want := "keys and values"
		if root.Kind == yaml.ScalarNode {
			want += " (a log is followed with --tail)"
		}
		l.reader.mapping(at("", "", root.Line, root), want, l.visit)
	}
}

// visit reads the value at a key of the file.
func (l *loader) visit(p place) {
	switch row, dotted := l.byKey[p.key], strings.Contains(p.name, "."); {
	case row != nil && !dotted:
		before := len(l.reader.errs)
		row.value.clear()
		row.value.decode(&l.reader, p)
		if len(l.reader.errs) == before {
			l.reader.failIf(p, row.problem())
		}
		l.sources[row.key] = fmt.Sprintf("%s:%d", l.reader.file, p.line)
	case l.levels[p.key] != nil:
		l.reader.mapping(p, "keys and values", l.visit)
	default:
		l.unknown(p)
	}
}

// unknown notes an unknown key. The key may exist elsewhere.
func (l *loader) unknown(p place) {
	for _, row := range l.rows {
		if row.key == p.name || strings.HasSuffix(row.key, "."+p.name) {
			section, name, _ := strings.Cut(row.key, ".")
			l.reader.fail(p, fmt.Sprintf(" is not a key here: write %s below %s", name, section))
			return
		}
	}
	for _, row := range l.rows {
		if row.flag != "" && row.flag == strings.ReplaceAll(p.name, "_", "-") {
			l.reader.fail(p, fmt.Sprintf(" is not a key: the flag --%s is the key %s", row.flag, row.key))
			return
		}
	}
	section := strings.TrimSuffix(strings.TrimSuffix(p.key, p.name), ".")
	l.reader.unknown(p, l.levels[section])
}

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
