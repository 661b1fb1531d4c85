package apply

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"time"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/cmd/dustbuster/internal/offline"
	"dustbuster/config"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/read/weblog"
	"dustbuster/operators/rule"
	"dustbuster/operators/url/secret"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/urllist"
	"dustbuster/sinks/export"
	"dustbuster/stream/rules"

	"github.com/spf13/cobra"
)

const exportLong = `export prints published rules in the format of another tool. Exports are exact: a rule
that the format cannot express is left out. Standard error names each of these, with the
reason, and says where the format's programs differ from dustbuster canon.

Formats:
`

const exportExamples = `  dustbuster export nginx --rules rules.jsonl --site www.example.org > dust.conf
  dustbuster export nutch --rules rules.jsonl --urls access.log > normalize.xml
  dustbuster export clean-param --rules rules.jsonl --strict
  dustbuster export --check --rules http://127.0.0.1:9464 /etc/nginx/dust.conf`

// errSkipped is the error of --strict for rules left out.
var errSkipped = errors.New("some rules cannot be expressed in this format")

type exporting struct {
	from, site, urls string
	byHost           string // directory of a file for each host; "": one text
	strict, lifted   bool
	checks           bool // files are checked, and none is written
	options          export.Options
}

func newExportCommand() *cobra.Command {
	var e exporting
	cmd := &cobra.Command{
		Use:     "export FORMAT --rules SOURCE",
		Short:   "write rules for nginx, Apache, Scrapy and others",
		Long:    exportLong + formatList(),
		Example: exportExamples,
		Args: func(cmd *cobra.Command, args []string) error {
			if e.checks {
				return e.checkArgs(cmd, args)
			}
			if len(args) != 1 {
				return cli.Usage(cmd, errors.New("one FORMAT is needed:\n"+formatList()))
			}
			return e.checkFormat(cmd, args[0])
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return cli.Completing(formatNames(), "")(cmd, args, typed)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if e.checks {
				return e.check(cmd, args)
			}
			return e.run(cmd, args[0])
		},
	}
	rulesFlag(cmd, &e.from, "- for standard input, ")
	cmd.Flags().StringVar(&e.site, "site", "", "print only rules of this `host`. Also gives the host to rules learned from a log without host names")
	cmd.Flags().BoolVar(&e.strict, "strict", false, "end with exit code 1 if a rule is left out")
	cmd.Flags().BoolVar(&e.checks, "check", false, "say which rules of exported files are retired or changed: exit code 1 if any are")
	cmd.Flags().BoolVar(&e.lifted, "no-withhold", false, "also print rules that look like secrets")
	cmd.Flags().IntVar(&e.options.Unroll, "rounds", 0, "how many `times` to write the list, up to 10, for tools that apply it once. 0 writes it as often as the URLs of --urls need, or as any URL may need")
	cmd.Flags().StringVar(&e.urls, "urls", "", "`file` of the site's URLs: a log, or one URL a line. Only what these URLs need is written, which makes the output much shorter")
	cmd.Flags().StringVar(&e.byHost, "by-host", "", "write a file for each host into a `directory`, such as org,example,www.nutch")
	cmd.Flags().BoolVar(&e.options.Redirect, "redirect", false, "for servers: redirect (301) to the canonical form. Only for slashes, case, names of index pages and old paths: elsewhere a redirect loses the campaign, the visit or the view that a URL stands for")
	return cmd
}

// checkFormat returns an error if a format is unknown, or does not go with the flags.
func (e *exporting) checkFormat(cmd *cobra.Command, format string) error {
	switch {
	case !slices.Contains(formatNames(), format):
		return cli.Usage(cmd, fmt.Errorf("unknown format %q, want one of %s", format, strings.Join(formatNames(), ", ")))
	case format == canonicalMap && e.urls == "":
		return cli.Usage(cmd, errors.New(canonicalMap+" needs the URLs: --urls access.log"))
	case format == canonicalMap && e.byHost != "":
		return cli.Usage(cmd, errors.New(canonicalMap+" and --by-host do not go together: name one host with --site"))
	}
	return nil
}

func (e *exporting) run(cmd *cobra.Command, format string) error {
	list, err := openRules(cmd, e.from)
	if err != nil {
		return err
	}
	if cmd.Flags().Changed("site") {
		all := list
		switch list = all.Of(e.site); {
		case all.Len() == 0:
			return fmt.Errorf("no rules of site %q in %s: no rule is published yet", e.site, e.from)
		case list.Len() == 0:
			return fmt.Errorf("no rules of site %q in %s, but of %s", e.site, e.from, names(all))
		}
	}
	list, hidden := hide(cmd.ErrOrStderr(), list, secret.Veil{Lifted: e.lifted})
	var seen *someURLs
	if e.urls != "" {
		if seen, err = readURLs(cmd, e.urls); err != nil {
			return err
		}
	}
	skipped := 0
	switch {
	case format == canonicalMap:
		err = writeMap(cmd.OutOrStdout(), cmd.ErrOrStderr(), list, seen, secret.Veil{Lifted: e.lifted})
	case e.byHost != "":
		skipped, err = e.exportByHost(cmd.ErrOrStderr(), format, list, seen)
	default:
		skipped, err = exportRules(cmd.OutOrStdout(), cmd.ErrOrStderr(), format, list, seen, e.options)
	}
	if err == nil && e.strict && skipped+hidden > 0 {
		err = errSkipped
	}
	return err
}

// jsonLines is the format that needs no rules of another tool.
const jsonLines = "jsonl"

func formatNames() []string {
	names := []string{jsonLines, canonicalMap}
	for _, f := range export.Formats() {
		names = append(names, f.Name)
	}
	return names
}

func formatList() string {
	var b strings.Builder
	b.WriteString(cli.Entry("  "+jsonLines, "the format of dustbuster: one JSON object a line, as in docs/schema/published-rule.schema.json", 18) + "\n")
	b.WriteString(cli.Entry("  "+canonicalMap, canonicalMapAbout, 18) + "\n")
	for _, f := range export.Formats() {
		b.WriteString(cli.Entry("  "+f.Name, f.Summary, 18) + "\n")
	}
	return b.String()
}

// hide leaves out the valid rules hidden by a veil, and names them. Exceptions that look like
// secrets become wider.
func hide(report io.Writer, list *rules.List, veil secret.Veil) (shown *rules.List, hidden int) {
	shown = &rules.List{Other: list.Other}
	for _, s := range list.Sites {
		all := s
		s.Records, s.Rules = nil, nil
		for i := range all.Rules {
			if made, ok := all.Rules[i].Shown(veil.HidesValid); ok {
				record := all.Records[i]
				record.Except = rule.NewWire(&made).Except
				s.Records, s.Rules = append(s.Records, record), append(s.Rules, made)
				continue
			}
			hidden++
			fmt.Fprintf(report, "dustbuster: left out of %q, rule %d: %s: it looks like a secret; --no-withhold writes it\n", s.Name, i+1, veil.Mask(all.Rules[i].Words()))
		}
		if len(s.Rules) > 0 {
			shown.Sites = append(shown.Sites, s)
		}
	}
	return shown, hidden
}

// manyExpressions is the number of expressions from which on a tool is slow: each URL meets
// all of them.
const manyExpressions = 500

// exportRules writes the rules to out and the rules left out to report. The rounds are those
// of the seen URLs; nil: of any URL.
func exportRules(out, report io.Writer, format string, list *rules.List, seen *someURLs, o export.Options) (int, error) {
	if format == jsonLines {
		return 0, listOf(list).Write(out)
	}
	var sites []export.Site
	for i := range list.Sites {
		s := &list.Sites[i]
		site := export.SiteOf(s)
		if seen != nil && !s.ByDomain && len(s.Hosts) == 0 {
			if site.URLs = seen.of(s.Name, len(list.Sites) == 1); site.URLs == nil {
				fmt.Fprintf(report, "dustbuster: --urls has no URLs of %q: its rules are written as often as any URL may need\n", s.Name)
			}
		}
		sites = append(sites, site)
	}
	o.Version, o.Hash, o.Time = cli.Version(), HashOf(list), time.Now().UTC().Format(time.RFC3339)
	o.Wrote = func(w export.Written) {
		if w.Expressions > manyExpressions {
			fmt.Fprintf(report, "dustbuster: %q: %d rules written %d times are %d expressions, and each URL meets them all%s\n", w.Host, w.Rules, w.Rounds, w.Expressions, fewer(w.Rounds, seen != nil))
		}
	}
	var text bytes.Buffer
	skipped, err := export.Write(&text, format, sites, o)
	if err != nil {
		return 0, err
	}
	if _, err := text.WriteTo(out); err != nil {
		return 0, fmt.Errorf("write rules: %w", err)
	}
	for _, s := range skipped {
		fmt.Fprintf(report, "dustbuster: left out of %q, rule %d: %s: %s\n", s.Site, s.Rank+1, s.Rule.Words(), s.Reason)
	}
	if len(skipped) < list.Len() {
		explainFormat(report, format)
	}
	if slices.ContainsFunc(skipped, func(s export.Skipped) bool { return s.Reason == export.NoHost }) {
		fmt.Fprintln(report, "dustbuster: the log named no host: say which it is with --site www.example.org")
	}
	return len(skipped), nil
}

// fewer returns a hint how to get fewer expressions.
func fewer(rounds int, fromURLs bool) string {
	if rounds > 1 && !fromURLs {
		return "\n--urls access.log writes the rules only as often as the log's URLs need; canon applies rules at once"
	}
	return "\ncanon applies rules at once"
}

// names are the sites of a list, for a message.
func names(list *rules.List) string {
	const most = 10
	var all []string
	for i := range list.Sites[:min(most, len(list.Sites))] {
		all = append(all, fmt.Sprintf("%q", list.Sites[i].Name))
	}
	if more := len(list.Sites) - most; more > 0 {
		all = append(all, fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, ", ")
}

// explainFormat prints how the readers of a format differ from canon.
func explainFormat(w io.Writer, format string) {
	f, err := export.Find(format)
	if err != nil {
		return // Write has found it
	}
	fmt.Fprintf(w, "dustbuster: how %s differs from canon:\n", format)
	for _, d := range f.Differs {
		fmt.Fprintf(w, "  %s\n", d)
	}
}

// HashOf names a set of rules.
func HashOf(list *rules.List) string {
	h := sha256.New()
	for i := range list.Sites {
		fmt.Fprintf(h, "%q\n", list.Sites[i].Name)
		for _, r := range list.Sites[i].Records {
			fmt.Fprintf(h, "%s\n", r.ID)
		}
	}
	return fmt.Sprintf("%.8x", h.Sum(nil))
}

// someURLs are the different URLs of a log, or of a list of URLs, by site.
type someURLs struct{ sites *miner.Sites }

// readURLs reads a log in any known format, or a list of URLs, one a line.
func readURLs(cmd *cobra.Command, path string) (*someURLs, error) {
	c := config.MineDefaults()
	c.Rule.Learners = nil // the URLs alone are wanted
	o := offline.OptionsOf(&c, nil)
	list, err := isURLList(path)
	if err != nil {
		return nil, fmt.Errorf("read --urls: %w", err)
	}
	if list {
		read, err := readList(path, o)
		if err != nil {
			return nil, fmt.Errorf("read --urls: %w", err)
		}
		return &someURLs{read.Sites}, nil
	}
	var said bytes.Buffer
	read, err := offline.Read(cmd.Context(), []string{path}, o, &said)
	if err != nil {
		return nil, fmt.Errorf("read --urls: %s%w", &said, err)
	}
	return &someURLs{read.Sites}, nil
}

// isURLList reports whether the first line of a file is a URL.
func isURLList(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	in := bufio.NewReader(f)
	line, err := in.Peek(len("https://"))
	if err != nil && !errors.Is(err, io.EOF) {
		return false, err
	}
	for _, begin := range []string{"http://", "https://", "/"} {
		if bytes.HasPrefix(line, []byte(begin)) {
			first, _ := in.ReadString('\n')
			return !strings.ContainsAny(strings.TrimRight(first, "\r\n"), " \t"), nil
		}
	}
	return false, nil
}

// readList folds a list of URLs.
func readList(path string, o offline.ReadOptions) (*offline.Reading, error) {
	g, err := admit.New(o.Records.Admit)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	read := offline.NewReading(o)
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	var seen evidence.Observation
	for lines.Scan() {
		h := weblog.Hit{Method: []byte("GET"), Status: 200, Target: bytes.TrimRight(lines.Bytes(), "\r")}
		if site, why := g.Admit(&seen, &h); why == admit.Admitted {
			read.Sites.Fold(site, &seen)
		}
	}
	return read, lines.Err()
}

// of returns the URLs of a site, or nil if there are none. If only is set, the URLs of a log
// that names no host are the site's as well.
func (u *someURLs) of(site string, only bool) iter.Seq[[]byte] {
	var found []*urllist.Copy
	for m := range u.sites.All() {
		if m.Site() == site || only && m.Site() == "" {
			found = append(found, m.Window())
		}
	}
	if len(found) == 0 {
		return nil
	}
	return func(yield func([]byte) bool) {
		for _, urls := range found {
			for url := range urls.URLs {
				if !yield(url) {
					return
				}
			}
		}
	}
}
