package offline

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/read/wrap"
	"dustbuster/stream/files"
	"dustbuster/stream/records"
)

func newFormatsCommand() *cobra.Command {
	return cli.Parent("formats", "list log formats, or detect the format of a log", "", newFormatsListCommand(), newFormatsDetectCommand())
}

func newFormatsListCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "list",
		Short: "list the log formats and wrappers that have names",
		Long: "list prints the log formats that have names, and the wrappers in which other programs put\n" +
			"log lines, such as syslog and docker.\n\n" +
			"--format of mine, validate, run and agent takes such a name. It also takes a log_format of\n" +
			"nginx or a LogFormat of Apache from the server's configuration:\n" +
			"--format '$remote_addr ...'. A wrapper stands in front of the format, or alone:\n" +
			"--format syslog/combined, --format docker. Without --format the first lines decide.",
		Args: cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return listFormats(cmd.OutOrStdout(), output)
		},
	}
	cli.OutputFlag(cmd.Flags(), &output, "json is one object a line", "text", "json")
	return cmd
}

func newFormatsDetectCommand() *cobra.Command {
	var output, format string
	cmd := &cobra.Command{
		Use:   "detect FILE...",
		Short: "detect the format of logs from their first lines, and say what their sizes count",
		Args:  cli.SomeFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return detectFormats(cmd, args, format, output)
		},
	}
	cli.OutputFlag(cmd.Flags(), &output, "json is one object a line", "text", "json")
	cmd.Flags().StringVar(&format, "format", "", "test this `format` instead of detecting one: a name, or the format string of a server")
	return cmd
}

// formatRecord is a format in JSON output.
type formatRecord struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Pattern     string   `json:"pattern,omitempty"`
	Example     string   `json:"example,omitempty"`
	Fields      []string `json:"fields"`
	Size        string   `json:"size_counts"`
	Note        string   `json:"size_note"`
	Twin        string   `json:"detected_as,omitempty"`
}

// wrapperRecord is a wrapper in JSON output.
type wrapperRecord struct {
	Wrapper     string `json:"wrapper"`
	Description string `json:"description"`
	Example     string `json:"example"`
}

func recordOf(f weblog.Format) formatRecord {
	return formatRecord{f.Name, f.Description, f.Pattern, f.Example, f.Fields.Names(), f.Size.String(), sizeNote(f), f.Twin}
}

// sizeNote returns what the sizes of a format mean, and the flags that concern them.
func sizeNote(f weblog.Format) string {
	note := f.Size.Note()
	if f.SizeNote != "" {
		note += " " + f.SizeNote
	}
	if flags := cli.FlagsFor(f); len(flags) > 0 {
		note += " See " + strings.Join(flags, " and ") + "."
	}
	return note
}

func listFormats(w io.Writer, output string) error {
	if output == "json" {
		return listFormatsJSON(w)
	}
	for _, f := range weblog.Formats() {
		if err := writeRows(w, f.Name, "what", f.Description, "pattern", visibleTabs(f.Pattern), "example", visibleTabs(f.Example),
			"like", twin(f), "fields", f.Fields.String(), "size", f.Size.String(), "so", sizeNote(f)+"\n"); err != nil {
			return err
		}
	}
	for _, r := range wrap.Wrappers() {
		if err := writeRows(w, r.Name+"/FORMAT", "what", r.Description, "example", r.Example+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func listFormatsJSON(w io.Writer) error {
	for _, f := range weblog.Formats() {
		if err := cli.WriteJSON(w, recordOf(f)); err != nil {
			return err
		}
	}
	for _, r := range wrap.Wrappers() {
		if err := cli.WriteJSON(w, wrapperRecord{r.Name, r.Description, r.Example}); err != nil {
			return err
		}
	}
	return nil
}

// writeRows writes a title and rows under it: pairs of a name and a value.
func writeRows(w io.Writer, title string, rows ...string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(t, "%s\n", title)
	for i := 0; i < len(rows); i += 2 {
		if rows[i+1] != "" {
			_, _ = fmt.Fprintf(t, "  %s\t%s\n", rows[i], rows[i+1]) // Flush reports the error
		}
	}
	return t.Flush()
}

// twin returns a note for a format whose lines fit another format, too.
func twin(f weblog.Format) string {
	if f.Twin == "" {
		return ""
	}
	return f.Twin + ", which detection says for it: name it with --format"
}

// twins names the formats whose lines look like those of f.
func twins(f weblog.Format) string {
	var names []string
	for _, g := range weblog.Formats() {
		if g.Twin == f.Name {
			names = append(names, g.Name)
		}
	}
	return strings.Join(names, ", ")
}

// visibleTabs writes a tab as \t, so that it is visible and the tabwriter ignores it.
func visibleTabs(s string) string { return strings.ReplaceAll(s, "\t", `\t`) }

// detectRecord is a file's format in JSON output.
type detectRecord struct {
	File    string        `json:"file"`
	Wrapper string        `json:"wrapper,omitempty"` // around the lines
	Lines   int           `json:"lines"`             // inner ones, if they are wrapped
	Fit     int           `json:"fit"`
	More    int           `json:"further_fields"`
	Short   int           `json:"short"`
	Said    int           `json:"directives,omitempty"` // lines with directives for reading other lines
	Misfit  string        `json:"misfit,omitempty"`
	Near    string        `json:"nearest,omitempty"` // the format with the longest match on the first line, if no format fits
	Column  int           `json:"column,omitempty"`  // and where, counted from 1
	Wrong   string        `json:"trouble,omitempty"` // the kind of content, if not lines of text
	Format  *formatRecord `json:"format"`            // null if none fits enough of the lines
	Also    []alsoRecord  `json:"also,omitempty"`
}

// alsoRecord is a further format of lines in one wrapper.
type alsoRecord struct {
	Format string `json:"format"`
	Fit    int    `json:"fit"`
}

// detectFormats reports on files, in a named format or in those that fit. An error in one file is reported, and
// the other files are still read.
func detectFormats(cmd *cobra.Command, paths []string, format, output string) error {
	wrapper, inner := wrap.Cut(format)
	if format != "" {
		if err := wrap.Check(format); err != nil {
			return cli.WrongUsage(err)
		}
	}
	unread, unknown := 0, 0
	for _, path := range paths {
		lines, err := files.Head(cmd.Context(), path, records.DetectLines, files.Options{Stdin: cmd.InOrStdin()})
		if err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), "dustbuster:", err)
			unread++
		}
		if err != nil && len(lines) == 0 {
			continue
		}
		found := wrap.Detect(wrapper, lines)
		if inner != "" {
			if found, err = wrap.Measure(format, lines); err != nil {
				return err
			}
		}
		fit, _ := found.Best()
		known := found.Parser != nil // enough of the lines fit
		if output == "json" {
			err = cli.WriteJSON(cmd.OutOrStdout(), detectRecordOf(path, &found, fit, known))
		} else {
			err = writeDetected(cmd.OutOrStdout(), path, &found, fit, known)
		}
		if err != nil {
			return err
		}
		if !known {
			unknown++
		}
	}
	switch {
	case unknown > 0:
		return fmt.Errorf("detect format: %d of %d files are in no known format\ngive the server's own format string with --format", unknown, len(paths))
	case unread > 0:
		return fmt.Errorf("detect format: %d of %d files could not be read", unread, len(paths))
	}
	return nil
}

func detectRecordOf(path string, found *wrap.Detection, fit weblog.Fit, known bool) detectRecord {
	r := detectRecord{File: path, Wrapper: found.Wrapper, Lines: found.Lines, Fit: fit.Lines, More: fit.Further, Short: fit.Short, Said: fit.Directives, Misfit: fit.Misfit}
	for i := range found.Also {
		r.Also = append(r.Also, alsoRecord{found.Also[i].Format.Name, found.Also[i].Lines})
	}
	if !known {
		r.Near, r.Column, r.Wrong = fit.Format.Name, fit.Column, found.Trouble
	}
	if known {
		f := recordOf(formatOf(fit))
		f.Fields = fit.Seen.Names()
		r.Format = &f
	}
	return r
}

func writeDetected(w io.Writer, path string, found *wrap.Detection, fit weblog.Fit, known bool) error {
	text := path + ": " + verdict(found, fit, known) + "\n"
	for i := range found.Also {
		text += fmt.Sprintf("  also    %s, which %d fit\n", found.Also[i].Format.Name, found.Also[i].Lines)
	}
	if fit.Further > 0 {
		text += fmt.Sprintf("  %d go on after its last field; what follows is ignored\n", fit.Further)
	}
	if fit.Short > 0 {
		text += fmt.Sprintf("  %d end after their size\n", fit.Short)
	}
	if fit.Directives > 0 {
		text += fmt.Sprintf("  %d more say how they are read\n", fit.Directives)
	}
	if fit.Misfit != "" {
		text += fmt.Sprintf("  first that does not: %s\n", fit.Misfit)
	}
	if known {
		f := formatOf(fit)
		text += fmt.Sprintf("  fields  %s\n  size    %s\n  so      %s\n", fit.Seen, f.Size, sizeNote(f))
		text += encodings(fit)
		if others := twins(fit.Format); others != "" {
			text += fmt.Sprintf("  or      %s, whose lines look the same: named with --format, their sizes are known better\n", others)
		}
	}
	_, err := io.WriteString(w, text)
	return err
}

// formatOf returns the format of a file. If the format leaves open which fields the lines
// have, and no line has a size, it has none.
func formatOf(fit weblog.Fit) weblog.Format {
	f := fit.Format
	if f.Size == weblog.SizeUnknown && !slices.Contains(fit.Seen.Names(), "size") {
		f.Size, f.SizeNote = weblog.SizeNone, ""
	}
	return f
}

// encodings returns a note on whether compressed and plain answers can be told apart.
func encodings(fit weblog.Fit) string {
	switch {
	case slices.Contains([]weblog.SizeCount{weblog.SizeNone, weblog.SizeGiven, weblog.SizeDigest}, formatOf(fit).Size):
		return ""
	case slices.Contains(fit.Seen.Names(), "encoding"):
		return "  coding  logged: compressed and plain answers are compared separately\n"
	}
	return "  coding  not logged: compressed and plain answers of one page seem to have different sizes; log Content-Encoding, too, if the server can\n"
}

// verdict returns the result of a detection, in a line.
func verdict(found *wrap.Detection, fit weblog.Fit, known bool) string {
	name, lines := fit.Format.Name, fmt.Sprintf("of the first %d lines", found.Lines)
	if found.Wrapper != "" {
		name, lines = found.Wrapper+"/"+name, fmt.Sprintf("of the first %d lines in %s", found.Lines, found.Wrapper)
	}
	switch {
	case found.Lines == 0 && known:
		return name + " by its first lines, and no records yet"
	case found.Lines == 0 && found.Wrapper != "":
		return "unknown, no line is in " + found.Wrapper
	case found.Lines == 0 && found.Directives > 0:
		return "unknown, all lines begin with '#' and none names columns that make up a record"
	case found.Lines == 0 && fit.Format.Name == "" && found.Trouble == "":
		return "empty, or without a line of at most 64 KiB"
	case !known && found.Trouble != "":
		return "unknown: " + found.Trouble
	case !known && fit.Lines == 0 && fit.Column > 0:
		return fmt.Sprintf("unknown, no format fits any %s; the nearest is %s, which the first of them leaves at column %d", lines, name, fit.Column)
	case !known && fit.Lines == 0:
		return "unknown, no format fits any " + lines
	case !known:
		return fmt.Sprintf("unknown, the nearest is %s, which %d %s fit", name, fit.Lines, lines)
	}
	return fmt.Sprintf("%s, which %d %s fit", name, fit.Lines, lines)
}
