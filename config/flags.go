package config

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// FlagError is a mistake in a flag.
type FlagError struct{ Err error }

// Error names the flag.
func (e *FlagError) Error() string { return "read flags: " + e.Err.Error() }

// Unwrap gives the cause.
func (e *FlagError) Unwrap() error { return e.Err }

// Flags are the flags of settings, for any command with such flags.
type Flags struct {
	config Config // the defaults of the command, overridden by given flags
	*catalog
	given map[string][]string // texts by key
}

// NewFlags returns flags whose defaults are the values of a Config.
func NewFlags(defaults Config) *Flags {
	f := &Flags{config: defaults, given: map[string][]string{}}
	f.catalog = newCatalog(&f.config)
	return f
}

// Register adds the flags of some settings to a set, in the order of their keys. An unknown
// key, or a key without a flag, is a panic.
func (f *Flags) Register(to *pflag.FlagSet, keys ...string) {
	for _, key := range keys {
		row := f.byKey[key]
		if row == nil || row.flag == "" {
			panic("config: no flag for " + key)
		}
		flag := to.VarPF(&flagValue{f, row}, row.flag, "", row.usage)
		flag.NoOptDefVal = row.bare
		if row.value.Type() == "bool" {
			flag.NoOptDefVal = "true"
		}
	}
}

// Section is a heading of help, and the flags below it.
type Section struct {
	Title string
	Flags *pflag.FlagSet
}

// NewSection returns a section without flags, which keep their order.
func NewSection(title string) Section {
	flags := pflag.NewFlagSet(title, pflag.ContinueOnError)
	flags.SortFlags = false
	return Section{title, flags}
}

// Sections returns the flags of groups of settings, in the order of help. Each text is the name of a
// group, and the names of those of its settings that are meant: none for all, or all but some as in
// "keep -state". Other texts are a panic.
func (f *Flags) Sections(groups ...string) (all []Section) {
	for _, text := range groups {
		keys := f.keys(text)
		s := NewSection(f.byKey[keys[0]].group.title)
		f.Register(s.Flags, keys...)
		all = append(all, s)
	}
	return all
}

// keys returns the keys of the settings with flags that a text of Sections means.
func (f *Flags) keys(text string) (keys []string) {
	words := strings.Fields(text)
	for _, word := range words[1:] {
		if f.byKey[words[0]+"."+strings.TrimPrefix(word, "-")] == nil {
			panic("config: no setting " + word + " in " + text)
		}
	}
	for _, row := range f.rows {
		name, in := strings.CutPrefix(row.key, words[0]+".")
		if in && row.flag != "" && (len(words) == 1 || slices.Contains(words, name) || strings.HasPrefix(words[1], "-") && !slices.Contains(words, "-"+name)) {
			keys = append(keys, row.key)
		}
	}
	return keys
}

// Given is a flag that was given.
type Given struct {
	Flag  string   // its name
	Sign  string   // between the name and a text
	Texts []string // as given, one for each time
}

// Given returns the flags that were given of some groups, named as Sections names them.
func (f *Flags) Given(groups ...string) (all []Given) {
	for _, text := range groups {
		for _, key := range f.keys(text) {
			if texts := f.given[key]; texts != nil {
				all = append(all, given(f.byKey[key], texts))
			}
		}
	}
	return all
}

func given(row *setting, texts []string) Given {
	g := Given{Flag: row.flag, Sign: " ", Texts: slices.Clone(texts)}
	if row.bare != "" || row.value.Type() == "bool" { // a flag that may stand alone takes no further word
		g.Sign = "="
	}
	if row.inverse {
		for i, text := range g.Texts {
			g.Texts[i] = strconv.FormatBool(text == "false")
		}
	}
	return g
}

// Config returns the values of the flags alone, for a command without file. An error is a
// *FlagError. Formats and hosts are checked when the logs are opened.
func (f *Flags) Config() (Config, error) {
	for _, row := range f.rows {
		if row.ok != nil && !row.ok() {
			return Config{}, &FlagError{fmt.Errorf("--%s must be %s", row.flag, row.want)}
		}
		if row.wrong != nil && row.wrong() != "" {
			return Config{}, &FlagError{fmt.Errorf("--%s%s", row.flag, row.wrong())}
		}
	}
	return f.config, nil
}

// takeFlags sets the given flags over the values of other sources.
func (l *loader) takeFlags(f *Flags) error {
	if f == nil {
		return nil
	}
	for i := range l.rows {
		row := &l.rows[i]
		texts, ok := f.given[row.key]
		if !ok {
			continue
		}
		row.value.clear()
		for _, text := range texts {
			_ = row.value.Set(text) // flagValue.Set has accepted the text before
		}
		if what := row.problem(); what != "" {
			return &FlagError{fmt.Errorf("--%s%s", row.flag, what)}
		}
		l.sources[row.key] = "--" + row.flag
	}
	return nil
}

// flagValue is a setting as a pflag.Value. It remembers the given texts.
type flagValue struct {
	flags *Flags
	row   *setting
}

// Set takes a text. A value of several parts takes several texts.
func (v *flagValue) Set(text string) error {
	if v.row.filled && text == "" {
		return errors.New("it may not be empty")
	}
	if v.row.inverse {
		b, err := strconv.ParseBool(text)
		if err != nil {
			return err
		}
		text = strconv.FormatBool(!b)
	}
	given := v.flags.given[v.row.key]
	if given == nil {
		v.row.value.clear()
	}
	err := v.row.value.Set(text)
	if err == nil {
		v.flags.given[v.row.key] = append(given, text)
	}
	return err
}

func (v *flagValue) String() string {
	if v.row == nil {
		return "" // pflag asks the zero flagValue
	}
	if v.row.inverse {
		return strconv.FormatBool(v.row.value.String() == "false")
	}
	return v.row.value.String()
}

// Expects describes the texts that Set accepts; "" if the error of Set does.
func (v *flagValue) Expects() string {
	if v.row.filled {
		return ""
	}
	return v.row.value.Expects()
}

// Type is the kind of value, in pflag's terms.
func (v *flagValue) Type() string { return v.row.value.Type() }
