package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const (
	helpWidth  = 80 // columns
	helpColumn = 34 // most columns of the names of flags; a longer name has a line of its own
)

// useHelp makes a root command and its subcommands print help within helpWidth.
func useHelp(root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		about := cmd.Long
		if about == "" {
			about = cmd.Short
		}
		fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n%s", wrapped(about), cmd.UsageString())
	})
	root.SetUsageFunc(usageFunc(nil))
}

// usageFunc returns a function that prints the part of the help below the description.
func usageFunc(h *helpOf) func(*cobra.Command) error {
	return func(cmd *cobra.Command) error {
		_, err := fmt.Fprint(cmd.OutOrStderr(), usageOf(cmd, h))
		return err
	}
}

// wrapped folds each paragraph of a text that has a line that is too long. Paragraphs with indented
// lines are examples, and stay as they are.
func wrapped(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		lines := strings.Split(p, "\n")
		long := slices.ContainsFunc(lines, func(line string) bool { return widthOf(line) > helpWidth })
		indented := slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t") })
		if long && !indented {
			paragraphs[i] = strings.Join(fold(p, helpWidth, ""), "\n")
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// fold breaks a text into lines of at most the given number of columns, after an
// indentation. A list with commas that is longer is broken behind commas; another longer word
// has a line of its own.
func fold(text string, most int, indent string) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		for widthOf(word) > most && strings.Contains(word[:most], ",") {
			end := strings.LastIndex(word[:most], ",") + 1
			if line != "" {
				lines = append(lines, indent+line)
				line = ""
			}
			lines = append(lines, indent+word[:end])
			word = word[end:]
		}
		if line != "" && widthOf(line)+1+widthOf(word) > most {
			lines = append(lines, indent+line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, indent+line)
}

func widthOf(text string) int { return utf8.RuneCountInString(text) }

// usageOf is the part of the help below the description. h is nil for a command without
// sections.
func usageOf(cmd *cobra.Command, h *helpOf) string {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() && cmd.HasParent() && !cmd.HasAvailableSubCommands() {
		b.WriteString(strings.Join(fold(cmd.UseLine(), helpWidth-2, "  "), "\n    ") + "\n")
	} else {
		fmt.Fprintf(&b, "  %s COMMAND\n", cmd.CommandPath())
	}
	if cmd.Example != "" {
		b.WriteString("\nExamples:\n" + strings.TrimRight(cmd.Example, "\n") + "\n")
	}
	writeCommands(&b, cmd)
	switch {
	case h == nil:
		writeFlags(&b, Section{"Flags", cmd.LocalFlags()})
	case h.few != nil && !h.all:
		writeFew(&b, cmd, h)
	default:
		for _, s := range h.sections {
			writeFlags(&b, s)
		}
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "\n\"%s COMMAND --help\" describes a command and its flags.\n", cmd.CommandPath())
	}
	return b.String()
}

// writeCommands lists the subcommands.
func writeCommands(b *strings.Builder, cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	b.WriteString("\nCommands:\n")
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			WriteEntry(b, "  "+sub.Name(), sub.Short, 2+cmd.NamePadding()+2)
		}
	}
}

// WriteEntry writes a name, and beside it, from a column on, its description.
func WriteEntry(b *strings.Builder, name, about string, column int) {
	lines := fold(about, helpWidth-column, strings.Repeat(" ", column))
	if widthOf(name) <= column-2 {
		lines[0] = name + lines[0][widthOf(name):]
	} else {
		b.WriteString(name + "\n")
	}
	b.WriteString(strings.Join(lines, "\n") + "\n")
}

// writeFlags writes the flags of a section.
func writeFlags(b *strings.Builder, s Section) {
	column := 0
	s.flags.VisitAll(func(f *pflag.Flag) {
		if n := widthOf(flagName(f)) + 3; !f.Hidden && n <= helpColumn {
			column = max(column, n)
		}
	})
	first := true
	s.flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		if first {
			fmt.Fprintf(b, "\n%s:\n", s.name)
			first = false
		}
		text, otherwise := FlagText(f)
		WriteEntry(b, flagName(f), text+" "+otherwise, max(column, 12))
	})
}

// flagName is a flag with its short form and the name of its value.
func flagName(f *pflag.Flag) string {
	name := "      --" + f.Name
	if f.Shorthand != "" {
		name = "  -" + f.Shorthand + ", --" + f.Name
	}
	value, _ := pflag.UnquoteUsage(f)
	if value != "" {
		name += " " + value
	}
	if bare := f.NoOptDefVal; bare != "" && f.Value.Type() != "bool" {
		name += "[=" + bare + "]"
	}
	return name
}

// FlagText is the description of a flag, and its default; "" if the default is nothing. Where
// the values stand in the name of the value, as in text|json, the description does not repeat
// them.
func FlagText(f *pflag.Flag) (text, otherwise string) {
	value, text := pflag.UnquoteUsage(f)
	if rest, ok := strings.CutPrefix(text, value); ok && strings.Contains(value, "|") {
		text = strings.TrimLeft(rest, ";, ")
	}
	switch f.DefValue {
	case "", "0", "0s", "[]", "false":
		return text, ""
	}
	return text, "(default " + f.DefValue + ")"
}

// helpOf is how the flags of a command are shown.
type helpOf struct {
	sections []Section
	few      []string // flags of the short help; nil: all are shown
	all      bool     // --help-all was given
}

// UseSections gives a command the flags of sections, and shows the flags by section. If few
// flags are named, --help shows only these, and --help-all shows all.
func UseSections(cmd *cobra.Command, sections []Section, few ...string) {
	cmd.Flags().SortFlags = false
	for _, s := range sections {
		cmd.Flags().AddFlagSet(s.flags)
	}
	h := &helpOf{sections: sections, few: few}
	cmd.SetUsageFunc(usageFunc(h))
	if few != nil {
		addHelpAll(cmd, h)
	}
}

// useHelpAll gives --help-all to a command and its subcommands. Where the flag shows no more than
// --help does, help does not list it.
func useHelpAll(cmd *cobra.Command) {
	if cmd.Flags().Lookup(helpAllName) == nil {
		addHelpAll(cmd, &helpOf{}).Hidden = true
	}
	for _, sub := range cmd.Commands() {
		useHelpAll(sub)
	}
}

const helpAllName = "help-all"

func addHelpAll(cmd *cobra.Command, h *helpOf) *pflag.Flag {
	flag := cmd.Flags().VarPF(&helpAll{cmd, h}, helpAllName, "", "help with all flags")
	flag.NoOptDefVal = "true"
	return flag
}

// helpAll is the value of --help-all, which acts as --help does.
type helpAll struct {
	cmd *cobra.Command
	h   *helpOf
}

func (*helpAll) String() string { return "" }
func (*helpAll) Type() string   { return "bool" }
func (a *helpAll) Set(string) error {
	a.h.all = true
	return a.cmd.Flags().Set("help", "true")
}

// writeFew writes the flags of the short help, one line each: the beginning of each description.
func writeFew(b *strings.Builder, cmd *cobra.Command, h *helpOf) {
	b.WriteString("\nFlags used most:\n")
	column, all := 0, 0
	for _, s := range h.sections {
		s.flags.VisitAll(func(f *pflag.Flag) {
			if all++; slices.Contains(h.few, f.Name) {
				column = max(column, widthOf(flagName(f))+3)
			}
		})
	}
	for _, name := range h.few {
		f := cmd.Flags().Lookup(name)
		WriteEntry(b, flagName(f), brief(f, helpWidth-column), column)
	}
	fmt.Fprintf(b, "\n\"%s --help-all\" shows all %d flags.\n", cmd.CommandPath(), all)
}

// brief is the beginning of a flag's description, and its default, in one line: the first
// sentence, or the first clause or phrase of it if the sentence is too long.
func brief(f *pflag.Flag, most int) string {
	text, otherwise := FlagText(f)
	for _, end := range []string{". ", "; ", ": ", ", "} {
		text, _, _ = strings.Cut(text, end)
		if line := strings.TrimSpace(text + " " + otherwise); widthOf(line) <= most {
			return line
		}
	}
	return Shorten(text, most)
}
