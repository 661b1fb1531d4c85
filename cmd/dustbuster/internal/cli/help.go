package cli

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"dustbuster/config"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// columns is the width of help.
const columns = 80

// usageTemplate is the part of help below the description.
const usageTemplate = `Usage:
  {{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND{{else}}{{.UseLine}}{{end}}
{{- with .Example}}

Examples:
{{.}}{{end}}
{{- if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if .IsAvailableCommand}}
{{entry (print "  " .Name) .Short 14}}{{end}}{{end}}

"{{.CommandPath}} COMMAND --help" describes a command and its flags.{{end}}
{{- range sections .}}

{{.Title}}:
{{.Flags.FlagUsagesWrapped 80 | trimTrailingWhitespaces}}{{end}}
{{- with all .}}

{{wrapped (printf "--help-all shows all %d flags: %s." . (groups $))}}{{end}}
`

const helpTemplate = `{{wrapped (or .Long .Short)}}

{{.UsageString}}`

func init() { // cobra has one set of functions for all templates
	cobra.AddTemplateFunc("wrapped", wrapped)
	cobra.AddTemplateFunc("entry", Entry)
	cobra.AddTemplateFunc("sections", sectionsOf)
	cobra.AddTemplateFunc("all", allFlags)
	cobra.AddTemplateFunc("groups", groups)
}

// Annotations of flags.
const (
	inSection = "section" // the title of the section
	usedMost  = "most"    // in the short help
)

func annotate(f *pflag.Flag, key, value string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[key] = []string{value}
}

// UseSections gives a command the flags of sections, which are their headings in help. If few
// flags are named, --help shows only these, and --help-all shows all.
func UseSections(cmd *cobra.Command, sections []config.Section, few ...string) {
	cmd.Flags().SortFlags = false
	for _, s := range sections {
		s.Flags.VisitAll(func(f *pflag.Flag) { annotate(f, inSection, s.Title) })
		cmd.Flags().AddFlagSet(s.Flags)
	}
	for _, name := range few {
		annotate(cmd.Flags().Lookup(name), usedMost, "")
	}
	if few != nil {
		addHelpAll(cmd)
	}
}

// sectionsOf returns the sections of a command's help.
func sectionsOf(cmd *cobra.Command) (all []config.Section) {
	if allFlags(cmd) > 0 {
		most := config.NewSection("Flags used most")
		eachFlag(cmd, func(f *pflag.Flag) {
			if f.Annotations[usedMost] != nil {
				short := *f
				short.Usage = brief(f.Usage)
				most.Flags.AddFlag(&short)
			}
		})
		return []config.Section{most}
	}
	eachFlag(cmd, func(f *pflag.Flag) {
		title := f.Annotations[inSection][0]
		i := slices.IndexFunc(all, func(s config.Section) bool { return s.Title == title })
		if i < 0 {
			i, all = len(all), append(all, config.NewSection(title))
		}
		all[i].Flags.AddFlag(f)
	})
	if all == nil && cmd.HasAvailableLocalFlags() {
		return []config.Section{{Title: "Flags", Flags: cmd.LocalFlags()}}
	}
	return all
}

// groups names the sections of a command's flags.
func groups(cmd *cobra.Command) string {
	var all []string
	eachFlag(cmd, func(f *pflag.Flag) {
		title := f.Annotations[inSection][0]
		if !slices.Contains(all, title) {
			all = append(all, title)
		}
	})
	return strings.Join(all, ", ")
}

// eachFlag calls a function with each flag of a section.
func eachFlag(cmd *cobra.Command, call func(*pflag.Flag)) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[inSection] != nil {
			call(f)
		}
	})
}

// allFlags returns the number of flags in sections of a command whose short help is asked for; 0
// for other help.
func allFlags(cmd *cobra.Command) (n int) {
	most := false
	eachFlag(cmd, func(f *pflag.Flag) {
		n++
		most = most || f.Annotations[usedMost] != nil
	})
	if flag := cmd.Flags().Lookup(helpAllName); !most || flag != nil && flag.Changed {
		return 0
	}
	return n
}

// brief returns the first sentence of a text, or the first clause or phrase of it if it is long.
func brief(text string) string {
	text, _, _ = strings.Cut(text, ". ")
	for _, end := range []string{"; ", ": ", ", "} {
		if utf8.RuneCountInString(text) > columns/2 {
			text, _, _ = strings.Cut(text, end)
		}
	}
	return text
}

const helpAllName = "help-all"

// useHelpAll gives --help-all to a command and its subcommands. Where the flag shows no more than
// --help does, help does not list it.
func useHelpAll(cmd *cobra.Command) {
	if cmd.Flags().Lookup(helpAllName) == nil {
		addHelpAll(cmd).Hidden = true
	}
	for _, sub := range cmd.Commands() {
		useHelpAll(sub)
	}
}

func addHelpAll(cmd *cobra.Command) *pflag.Flag {
	flag := cmd.Flags().VarPF(helpAll{cmd}, helpAllName, "", "help with all flags")
	flag.NoOptDefVal = "true"
	return flag
}

// helpAll is the value of --help-all, which acts as --help does.
type helpAll struct{ cmd *cobra.Command }

func (helpAll) String() string { return "" }
func (helpAll) Type() string   { return "bool" }

func (a helpAll) Set(string) error { return a.cmd.Flags().Set("help", "true") }

// wrapped folds the paragraphs of a text. Paragraphs with indented lines are examples, and stay as
// they are.
func wrapped(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	for i, p := range paragraphs {
		if lines := "\n" + p; !strings.Contains(lines, "\n ") && !strings.Contains(lines, "\n\t") {
			paragraphs[i] = Fold(p, 0)
		}
	}
	return strings.Join(paragraphs, "\n\n")
}

// Entry returns a name, and beside it, from a column on, a text.
func Entry(name, text string, column int) string {
	return fmt.Sprintf("%-*s", column, name) + Fold(text, column)
}

// Fold breaks a text into lines that begin at a column.
func Fold(text string, column int) string {
	var b strings.Builder
	at := column
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case at+1+n > columns:
			b.WriteString("\n" + strings.Repeat(" ", column))
			at = column
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String()
}
