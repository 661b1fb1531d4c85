package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2/maybe"
	"github.com/spf13/pflag"
)

// Outputs are what a run prints, each in a format, on standard output or in a file: the value of
// --output, which may be given several times.
type Outputs struct {
	formats []string // the first is the default
	all     []*Output
	given   bool
}

// Output is one of several outputs.
type Output struct {
	Format string
	Path   string // of a file; "": standard output
	io.Writer

	file *bytes.Buffer // what the file will hold
}

// OutputsFlag adds the flag for the outputs, by default one in the first format.
func OutputsFlag(to *pflag.FlagSet, at *Outputs, usage string, formats ...string) {
	*at = Outputs{formats: formats, all: []*Output{{Format: formats[0]}}}
	to.VarP(at, "output", "o", "output format. As FORMAT=FILE it writes a file, and may be given once for each format. If all go to files, text goes to the terminal. "+usage)
}

// String returns the outputs as Set takes them, with spaces between.
func (o *Outputs) String() string {
	var texts []string
	for _, one := range o.all {
		text := one.Format
		if one.Path != "" {
			text += "=" + one.Path
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " ")
}

// Set takes a format, or a format with a file.
func (o *Outputs) Set(text string) error {
	format, path, named := strings.Cut(text, "=")
	if !slices.Contains(o.formats, format) || named && path == "" {
		return errors.New("want " + o.Expects())
	}
	if path == "-" {
		path = ""
	}
	if !o.given {
		o.all, o.given = nil, true
	}
	o.all = append(o.all, &Output{Format: format, Path: path})
	return nil
}

// Type is the formats, in pflag's terms.
func (o *Outputs) Type() string { return strings.Join(o.formats, "|") }

// Expects describes the texts that Set accepts.
func (o *Outputs) Expects() string {
	last := len(o.formats) - 1
	return strings.Join(o.formats[:last], ", ") + " or " + o.formats[last] + ", or such as " + o.formats[last] + "=FILE"
}

// In returns the output in a format; nil if there is none.
func (o *Outputs) In(format string) *Output {
	for _, one := range o.all {
		if one.Format == format {
			return one
		}
	}
	return nil
}

// Open makes the outputs writers. A file that cannot be written is an error now, and not after
// the work. The file is not touched before Commit.
func (o *Outputs) Open(stdout io.Writer) ([]*Output, error) {
	if !slices.ContainsFunc(o.all, func(one *Output) bool { return one.Path == "" || one.Format == o.formats[0] }) {
		o.all = append(o.all, &Output{Format: o.formats[0]}) // so a run never ends in silence
	}
	byPath := map[string]*Output{}
	for _, one := range o.all {
		if o.In(one.Format) != one {
			return nil, WrongUsage(fmt.Errorf("read flags: --output %s may be given once", one.Format))
		}
		if other := byPath[one.Path]; other != nil {
			return nil, WrongUsage(fmt.Errorf("read flags: --output %s and --output %s both go to %s; name another file, as in %s=FILE", other.Format, one.Format, cmp.Or(one.Path, "standard output"), one.Format))
		}
		byPath[one.Path] = one
		if one.Path == "" {
			one.Writer = stdout
			continue
		}
		if err := one.try(); err != nil {
			return nil, fmt.Errorf("write %s: %w", one.Format, err)
		}
		one.file = &bytes.Buffer{}
		one.Writer = one.file
	}
	return o.all, nil
}

// try reports why a file could not be put in its place.
func (o *Output) try() error {
	is, err := os.Stat(o.Path)
	if err == nil && is.IsDir() {
		return &os.PathError{Op: "open", Path: o.Path, Err: errors.New("is a directory")}
	}
	if err == nil && !is.Mode().IsRegular() {
		return nil // opened when it is written: a pipe may have no reader yet
	}
	f, err := os.CreateTemp(filepath.Dir(o.Path), ".dustbuster")
	if of, ok := errors.AsType[*os.PathError](err); ok {
		of.Path = o.Path
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// Commit puts the files in their places. A reader finds the old file or the new one, whole, but for
// Windows.
func (o *Outputs) Commit() error {
	for _, one := range o.all {
		if one.file == nil {
			continue
		}
		if err := one.put(); err != nil {
			return fmt.Errorf("write %s: %w", one.Format, err)
		}
	}
	return nil
}

func (o *Output) put() error {
	if is, err := os.Stat(o.Path); err == nil && !is.Mode().IsRegular() { // a rename would destroy a device or a pipe
		f, err := os.OpenFile(o.Path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = o.file.WriteTo(f)
		return errors.Join(err, f.Close())
	}
	path := o.Path
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // a link stays
	}
	return maybe.WriteFile(path, o.file.Bytes(), 0o644)
}
