// Package apply has the commands that use published rules: canon applies them to URLs, export writes
// them for other tools, and subscribe keeps a file of them.
package apply

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"io/fs"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"text/tabwriter"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/cmd/dustbuster/internal/offline"
	"dustbuster/operators/rule/canon"
	"dustbuster/sinks/admin"
	"dustbuster/stream/rules"

	"github.com/spf13/cobra"
)

const canonLong = `canon reads URLs from standard input, one a line, and prints the canonical form of
each URL under the valid rules of its site.

A line that begins with a slash is a path and query of the host that --site names.

These lines are printed unchanged:

  - a line that is no URL
  - a URL of a site without rules
  - a path whose canonical form is on another host, or begins with two slashes
  - a line of more than 1 MiB, which gets no second column with --as-key

Rules that were learned from a log without host names apply to lines that begin with
a slash, and to URLs of the host that --site names. Without --site, a URL of a host that
has no other rules is an error.`

const canonExamples = `  dustbuster canon --rules rules.jsonl --site example.org < urls.txt | sort -u
  dustbuster canon --rules http://127.0.0.1:9464 --as-key < urls.txt
  echo 'http://example.org/a?sid=9' | dustbuster canon --rules r.jsonl --explain`

// Commands returns the commands that apply published rules.
func Commands() []cli.Command {
	return []cli.Command{{Name: "canon", New: newCanonCommand}, {Name: "export", New: newExportCommand}, {Name: "subscribe", New: newSubscribeCommand}}
}

func newCanonCommand() *cobra.Command {
	var c canonizing
	var from string
	var stats bool
	cmd := &cobra.Command{
		Use:     "canon --rules SOURCE",
		Short:   "turn URLs into their canonical forms",
		Long:    canonLong,
		Example: canonExamples,
		Args:    cli.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			switch {
			case c.explain && c.asKey:
				return cli.Usage(cmd, errors.New("--explain and --as-key do not go together"))
			case from == "-":
				return cli.Usage(cmd, errors.New("standard input has the URLs: give --rules a file or an address"))
			}
			list, err := openRules(cmd, from)
			if err != nil {
				return err
			}
			sites, err := list.Compile()
			if err != nil {
				return fmt.Errorf("read rules: %w", err)
			}
			if err := c.use(sites); err != nil {
				return cli.Usage(cmd, fmt.Errorf("--site: %w", err))
			}
			if stats {
				c.stats = newCanonStats()
			}
			err = c.run(cmd.InOrStdin(), cmd.OutOrStdout())
			if stats {
				err = errors.Join(err, c.stats.write(cmd.ErrOrStderr(), list))
			}
			return err
		},
	}
	rulesFlag(cmd, &from, "")
	cmd.Flags().StringVar(&c.site, "site", "", "`host` of the URLs on lines that begin with a slash, and of rules that were learned from a log without host names")
	cmd.Flags().BoolVar(&c.asKey, "as-key", false, "print each line as it is, a tab, and the canonical form")
	cmd.Flags().BoolVar(&c.explain, "explain", false, "below each URL, print the rules that changed it and the URL after each rule")
	cmd.Flags().BoolVar(&stats, "stats", false, "at the end, print statistics on standard error: URLs, canonical forms, merged URLs, and how many lines each rule changed. Takes memory for each URL")
	return cmd
}

// rulesFlag adds the flag for the source of rules. The argument also names further sources
// of the command.
func rulesFlag(cmd *cobra.Command, from *string, also string) {
	cmd.Flags().StringVar(from, "rules", "", "`file` of rules, "+also+"the URL of a daemon such as http://127.0.0.1:9464, or a Kafka topic such as kafka://127.0.0.1:9092/dust.rules")
	cmd.Flags().String(rulesToken, "", "`file` with the token for the daemon of --rules, if it requires one")
}

// rulesToken is the flag of a daemon's token.
const rulesToken = "rules-token-file"

// openRules reads valid rules.
func openRules(cmd *cobra.Command, from string) (*rules.List, error) {
	if from == "" {
		return nil, cli.Usage(cmd, errors.New("no rules given: --rules FILE, or --rules http://127.0.0.1:9464"))
	}
	if strings.HasPrefix(from, kafkaSource) {
		return subscribeOnce(cmd.Context(), from, cmd.ErrOrStderr())
	}
	if file := cmd.Flags().Lookup(rulesToken).Value.String(); file != "" {
		var err error
		if from, err = withToken(from, file); err != nil {
			return nil, cli.Usage(cmd, err)
		}
	}
	list, err := openList(cmd, from)
	if err != nil {
		return nil, withHint(err, from)
	}
	if list.Len() == 0 && list.Unknown == 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "dustbuster: %s has no rules, so no URL changes\n", nameOf(from))
	}
	if list.Unknown > 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "dustbuster: left out %d rules, and all other rules of their sites: %v; use a newer version\n", list.Unknown, list.Why)
	}
	return list, nil
}

// withHint adds to the error of a source of rules what helps.
func withHint(err error, from string) error {
	var wrong *json.SyntaxError
	var unreachable *url.Error
	var none *rules.NoneValidError
	switch {
	case errors.As(err, &none) || from == "-":
		return err // has its own advice
	case errors.As(err, &unreachable):
		return fmt.Errorf("%w\nis the daemon running? its log has the address", err)
	case errors.Is(err, fs.ErrNotExist) && !strings.Contains(from, ":"):
		return fmt.Errorf("%w\nmake the file: dustbuster validate --origin http://127.0.0.1 -o json=%s access.log", err, offline.ShellWord(from))
	case errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%w\nname the file of rules in it, such as %s", err, offline.ShellWord(filepath.Join(from, "rules.jsonl")))
	case errors.As(err, &wrong) || strings.Contains(err.Error(), "line 1:"):
		return fmt.Errorf("%w\n--rules needs the confirmed rules that dustbuster validate -o json=FILE writes, and not a log or a list of URLs", err)
	}
	return err
}

// nameOf names a source of rules.
func nameOf(from string) string {
	if from == "-" {
		return "standard input"
	}
	if address, err := url.Parse(from); err == nil && address.User != nil {
		return address.Redacted()
	}
	return from
}

// openList reads the list of a source; "-" is standard input.
func openList(cmd *cobra.Command, from string) (*rules.List, error) {
	if from == "-" {
		return rules.ReadValid(cmd.InOrStdin(), "standard input")
	}
	return rules.Open(cmd.Context(), from)
}

// withToken puts the token of a file into the address of a daemon.
func withToken(from, file string) (string, error) {
	address, err := url.Parse(from)
	if err != nil || address.Host == "" || address.User != nil {
		return "", fmt.Errorf("--%s is for the address of a daemon, such as http://127.0.0.1:9464, got --rules %q", rulesToken, from)
	}
	token, err := admin.ReadToken(file)
	if err != nil {
		return "", fmt.Errorf("read flags: --%s: %w", rulesToken, err)
	}
	address.User = url.UserPassword("", token)
	return address.String(), nil
}

// canonizing is one run of canon.
type canonizing struct {
	site           string
	asKey, explain bool
	given          *canon.Sites // for any host
	sites          *canon.Sites // for the site's host
	stats          *canonStats  // nil: none are wanted
}

// maxURL is the longest line that is canonized. A longer line is printed unchanged, once.
const maxURL = 1 << 20

// use takes the rules to apply. The error is that of a site that is no host.
func (c *canonizing) use(sites *canon.Sites) (err error) {
	c.given = sites
	c.sites, err = sites.For(c.host())
	return err
}

func (c *canonizing) run(in io.Reader, out io.Writer) error {
	r, w := bufio.NewReaderSize(in, maxURL), bufio.NewWriter(out)
	long := false // this is not the line's first piece
	for {
		line, err := r.ReadSlice('\n')
		switch full := errors.Is(err, bufio.ErrBufferFull); {
		case long || full:
			_, _ = w.Write(line) // Flush returns the error
			long = full
		case len(line) > 0:
			if err := c.line(w, bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))); err != nil {
				return errors.Join(err, w.Flush())
			}
		}
		switch {
		case err == nil:
			if r.Buffered() == 0 { // the reader of the output may wait for this answer
				err = w.Flush()
			}
		case errors.Is(err, bufio.ErrBufferFull):
			err = nil
		case errors.Is(err, io.EOF):
			return w.Flush()
		}
		if err != nil {
			return err
		}
	}
}

func (c *canonizing) line(w *bufio.Writer, url []byte) error {
	canonical, err := c.canonical(string(url))
	if err != nil {
		return err
	}
	if c.stats != nil && len(url) > 0 {
		c.stats.add(c.sites, string(url), canonical, c.absolute(string(url)))
	}
	if c.asKey {
		_, _ = w.Write(url)
		_ = w.WriteByte('\t')
	}
	_, _ = w.WriteString(canonical)
	_ = w.WriteByte('\n')
	if c.explain && canonical != string(url) {
		c.steps(w, string(url))
	}
	return nil
}

// prefix turns a path into a URL.
const prefix = "http://"

// canonical returns the canonical form of a line. The error is that of rules without a site, whose
// host nobody has named: they would rewrite the URLs of every host.
func (c *canonizing) canonical(url string) (string, error) {
	if len(url) == 0 || url[0] != '/' {
		if c.site == "" && c.given.NeedsHost(url) {
			return "", fmt.Errorf("canonize %.200q: the rules name no host: add --site www.example.org with the host of the rules", url)
		}
		canonical, _ := c.sites.Canonical(url)
		return canonical, nil
	}
	host := c.host()
	canonical, _ := c.sites.Canonical(prefix + host + url)
	path, same := strings.CutPrefix(canonical, prefix+host)
	if !same || strings.HasPrefix(path, "//") && !strings.HasPrefix(url, "//") {
		return url, nil // the path alone would lose its host, or would be read as a host
	}
	return path, nil
}

// host returns the host of lines that begin with a slash, and of rules without a site.
func (c *canonizing) host() string {
	if c.site == "" {
		return "site.invalid"
	}
	return c.site
}

func (c *canonizing) absolute(url string) string {
	if len(url) > 0 && url[0] == '/' {
		return prefix + c.host() + url
	}
	return url
}

// steps shows the steps to a canonical form.
func (c *canonizing) steps(w io.Writer, url string) {
	for step := range c.sites.Steps(c.absolute(url)) {
		fmt.Fprintf(w, "  %s\n      by: %s\n", step.URL, step.Rule.Words())
	}
}

// canonStats counts what canon did. URLs and forms are counted by 64-bit hashes: of a hundred
// million URLs, two have one hash with a probability of 0.0003.
type canonStats struct {
	seed        maphash.Seed
	lines       int
	urls, forms map[uint64]struct{}
	changed     int
	rules       map[string][]int // by site and rank: lines that the rule took part in changing
}

func newCanonStats() *canonStats {
	return &canonStats{seed: maphash.MakeSeed(), urls: map[uint64]struct{}{}, forms: map[uint64]struct{}{}, rules: map[string][]int{}}
}

// add counts a line and its form. url is the line as an absolute URL.
func (s *canonStats) add(sites *canon.Sites, line, form, url string) {
	s.lines++
	s.urls[maphash.String(s.seed, line)] = struct{}{}
	s.forms[maphash.String(s.seed, form)] = struct{}{}
	if line == form {
		return
	}
	s.changed++
	site, ranks := sites.Ranks(nil, url)
	for _, rank := range ranks {
		for len(s.rules[site]) <= rank {
			s.rules[site] = append(s.rules[site], 0)
		}
		s.rules[site][rank]++
	}
}

// write prints the counts, and the rules that changed most URLs first.
func (s *canonStats) write(w io.Writer, list *rules.List) error {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(out, "%d\t lines\n%d\t of them changed\n%d\t different URLs\n%d\t different forms\n%d\t URLs merged with others\n",
		s.lines, s.changed, len(s.urls), len(s.forms), len(s.urls)-len(s.forms))
	type used struct {
		n    int
		site string
		rank int
		id   string
		edit string
	}
	var all []used
	for i := range list.Sites {
		site := &list.Sites[i]
		for rank, n := range s.rules[site.Name] {
			if n > 0 {
				all = append(all, used{n, site.Name, rank, site.Records[rank].ID, site.Rules[rank].Words()})
			}
		}
	}
	slices.SortFunc(all, func(a, b used) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.site, b.site), cmp.Compare(a.rank, b.rank))
	})
	for _, u := range all {
		fmt.Fprintf(out, "%d\t by %s %s %s\n", u.n, u.site, u.id, u.edit)
	}
	return out.Flush()
}
