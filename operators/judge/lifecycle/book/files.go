package book

import (
	"errors"
	"slices"

	"dustbuster/operators/rule"
)

// File is a file of another tool with the rules of a site, as an operator has taken it last.
type File struct {
	Format   string   `json:"format"`
	Redirect bool     `json:"redirect,omitempty"` // of a server's format: the file redirects
	At       int64    `json:"at"`                 // when a file with these rules was first taken, Unix seconds
	Marks    []string `json:"rules"`              // of its rules: see rule.Mark
}

// Outdated is a file that has rules which are no longer published as they are in the file.
type Outdated struct {
	*File
	Retired, Changed []string // ids; never both empty
}

// ErrNoFile is the error for a file that is not remembered.
var ErrNoFile = errors.New("no such file is known")

// Bounds of the files of one site that are remembered. Of more, those that were taken first are forgotten.
const (
	mostFiles = 32
	mostMarks = 10_000 // of all files together
)

// same reports whether a file takes the place of another one.
func (f *File) same(g *File) bool { return f.Format == g.Format && f.Redirect == g.Redirect }

// HasFile reports whether a file with the same rules is remembered.
func (b *Book) HasFile(f *File) bool {
	return slices.ContainsFunc(b.Files, func(g File) bool { return g.same(f) && slices.Equal(g.Marks, f.Marks) })
}

// WithFile returns the files with one that an operator takes. The error is ErrMany.
func (b *Book) WithFile(f *File) ([]File, error) {
	if len(f.Marks) > mostMarks {
		return nil, ErrMany
	}
	next := append(slices.DeleteFunc(slices.Clone(b.Files), func(g File) bool { return g.same(f) }), *f)
	marks := 0
	for i := range next {
		marks += len(next[i].Marks)
	}
	for len(next) > mostFiles || marks > mostMarks {
		marks -= len(next[0].Marks)
		next = next[1:]
	}
	return next, nil
}

// WithoutFile returns the files without one that is no longer in use. The error is ErrNoFile.
func (b *Book) WithoutFile(f *File) ([]File, error) {
	next := slices.DeleteFunc(slices.Clone(b.Files), func(g File) bool { return g.same(f) })
	if len(next) == len(b.Files) {
		return nil, ErrNoFile
	}
	return next, nil
}

// lookAtFiles finds the outdated ones. O(published rules, and rules of the files), nothing without files.
func (b *Book) lookAtFiles() {
	b.Outdated = nil
	if len(b.Files) == 0 {
		return
	}
	now := rule.MarksOf(b.Publication.Records)
	for i := range b.Files {
		f := &b.Files[i]
		if retired, changed := now.Outdated(f.Marks); len(retired)+len(changed) > 0 {
			b.Outdated = append(b.Outdated, Outdated{f, retired, changed})
		}
	}
}
