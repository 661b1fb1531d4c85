package apply

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/cmd/dustbuster/internal/offline"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/sinks/export"
	"dustbuster/sinks/page"
	"dustbuster/sinks/text"
	"dustbuster/stream/rules"

	"github.com/spf13/cobra"
)

// errOutdated is the error of --check for files that are to be made anew.
var errOutdated = errors.New("some files are outdated: export them again")

// check says which rules of files have been retired or changed since. It looks at all files.
func (e *exporting) check(cmd *cobra.Command, files []string) error {
	list, err := openRules(cmd, e.from)
	if err != nil {
		return err
	}
	if list.Unknown > 0 {
		return fmt.Errorf("check exports: this version does not know %d rules of %s: use a newer one", list.Unknown, e.from)
	}
	shown, _ := hide(io.Discard, list, secret.Veil{})
	var outdated error
	var errs []error
	for _, file := range files {
		head, err := readHead(file)
		if err != nil {
			errs = append(errs, fmt.Errorf("check exports: %q: %w", file, err))
		} else if e.checkFile(cmd.OutOrStdout(), file, head, list, shown) {
			outdated = errOutdated
		}
	}
	return errors.Join(append(errs, outdated)...)
}

func readHead(file string) (*export.Head, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return export.ReadHead(f)
}

// checkFile says what is to be said of a file, and reports whether it is to be made anew. A rule may be in the
// file as it is in the list, or as it is shown.
func (e *exporting) checkFile(w io.Writer, file string, head *export.Head, list, shown *rules.List) (outdated bool) {
	name, n := page.Visible(file), 0
	for i := range head.Sites {
		s := &head.Sites[i]
		retired, changed := marksOf(list, s.Host).Outdated(s.Marks)
		asShown := marksOf(shown, s.Host)
		changed = slices.DeleteFunc(changed, func(id string) bool { return slices.Contains(s.Marks, asShown[id]) })
		for _, id := range retired {
			fmt.Fprintf(w, "%s: rule %s of %q is retired\n", name, page.Visible(id), s.Host)
		}
		for _, id := range changed {
			fmt.Fprintf(w, "%s: rule %s of %q has changed\n", name, page.Visible(id), s.Host)
		}
		n += len(retired) + len(changed)
	}
	made := ""
	if head.Time != "" {
		made = ", made at " + page.Visible(head.Time) + ","
	}
	all := text.Count(head.Rules(), "rule")
	if n == 0 {
		fmt.Fprintf(w, "%s%s is up to date: none of its %s is retired or changed\n", name, made, all)
		return false
	}
	fmt.Fprintf(w, "%s%s has %s, and %d retired or changed. Write it again: %s\n", name, made, all, n, e.anew(file, head))
	return true
}

// marksOf returns the marks of the rules of a site, also if the list has it without its name.
func marksOf(list *rules.List, site string) rule.Marks {
	for _, s := range list.Of(site).Sites {
		return rule.MarksOf(s.Records)
	}
	return nil
}

// anew is the command that makes a file anew.
func (e *exporting) anew(file string, head *export.Head) string {
	words := []string{"dustbuster", "export", "FORMAT"}
	if _, err := export.Find(head.Format); err == nil {
		words[2] = head.Format
	}
	if head.Redirect {
		words = append(words, "--redirect")
	}
	words = append(words, "--rules", offline.ShellWord(e.from))
	if len(head.Sites) == 1 && head.Sites[0].Host != "" {
		words = append(words, "--site", offline.ShellWord(head.Sites[0].Host))
	}
	if e.lifted {
		words = append(words, "--no-withhold")
	}
	return strings.Join(append(words, "--urls access.log >", offline.ShellWord(file)), " ")
}

// checkArgs refuses what does not go with --check.
func (e *exporting) checkArgs(cmd *cobra.Command, args []string) error {
	for _, name := range []string{"site", "strict", "rounds", "urls", "redirect"} {
		if cmd.Flags().Changed(name) {
			return cli.Usage(cmd, fmt.Errorf("--%s does not go with --check: the head of a file says how it was made", name))
		}
	}
	if len(args) == 0 {
		return cli.Usage(cmd, errors.New("--check needs a FILE that export has written"))
	}
	return nil
}
