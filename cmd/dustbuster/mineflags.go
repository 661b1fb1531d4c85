package main

import (
	"fmt"
	"math"
	"net/netip"
	"strings"
	"time"

	"dustbuster/operators/admit"
	"dustbuster/operators/envelope"
	"dustbuster/operators/miner"
	"dustbuster/operators/params"
	"dustbuster/operators/table"
	"dustbuster/stream/files"
	"dustbuster/stream/records"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mineFlags are the flags of mine as they were given.
type mineFlags struct {
	format        string
	site          string
	siteBy        string
	groups        map[string]string
	window, pane  time.Duration
	maxURLs       int
	maxSites      int
	maxLine       int
	maxBytes      int
	maxURLTokens  int
	ignoreClients []string
	maxTokens     int
	low, high     int
	minSupport    int
	tolerance     float64
	noSizeMatch   bool
	noParams      bool
	noRefine      bool
	output        string
	top           int
	stats         bool
	debug         bool
}

// mineKey is the key of the hashes that shed a flood: fixed, so that the same
// logs give the same rules.
var mineKey = [2]uint64{0x64757374, 0x62757374}

// sections are the flags, as they are shown.
func (f *mineFlags) sections() []section {
	var all []section
	add := func(name string) *pflag.FlagSet {
		to := pflag.NewFlagSet(name, pflag.ContinueOnError)
		to.SortFlags = false
		all = append(all, section{name, to})
		return to
	}
	f.registerInput(add("What is read"))
	f.registerSites(add("What is one site"))
	f.registerRules(add("What is a rule"))
	f.registerBounds(add("What is kept"))
	f.registerOutput(add("What is printed"))
	return all
}

func (f *mineFlags) registerInput(to *pflag.FlagSet) {
	to.StringVar(&f.format, "format", "", "log `format`: a name (see dustbuster formats list), or nginx's log_format or Apache's LogFormat as it stands in the configuration; told from the first lines if not given")
	to.StringSliceVar(&f.ignoreClients, "ignore-clients", nil, "leave out clients, such as own robots: `addresses` or networks, with commas between or repeated")
	to.DurationVar(&f.window, "window", 0, "how far back from the newest line to look, such as 24h; 0: everything")
	to.DurationVar(&f.pane, "pane", 2*time.Hour, "by what step the window moves")
	to.Lookup("pane").DefValue = "2h" // not shown as 2h0m0s
}

func (f *mineFlags) registerSites(to *pflag.FlagSet) {
	to.StringVar(&f.site, "site", "", "`host` of logs that name none")
	to.StringVar(&f.siteBy, "site-by", "host", "`host|domain`; domain makes one site of all hosts of a registrable domain, so that rules between them are found")
	to.StringToStringVar(&f.groups, "group", nil, "make one site of several `hosts`: name=\"www.example.org *.example.net\"; may be repeated")
	to.Lookup("group").DefValue = "" // not shown as []
}

func (f *mineFlags) registerRules(to *pflag.FlagSet) {
	phase1 := envelope.Defaults()
	to.IntVar(&f.minSupport, "min-support", phase1.MinSupport, "support of a likely rule (MS)")
	to.IntVar(&f.maxTokens, "max-tokens", phase1.MaxTokens, "tokens of the longest substring (S)")
	to.IntVar(&f.low, "bucket-low", phase1.BucketLow, "URLs in the largest bucket that counts for the support (T low)")
	to.IntVar(&f.high, "bucket-high", phase1.BucketHigh, "the same for the support by which redundant rules are found (T high)")
	to.Float64Var(&f.tolerance, "size-tolerance", phase1.Similarity.Tolerance, "how far apart sizes of one page may be, as a `share`; 0 is the paper's test")
	to.BoolVar(&f.noSizeMatch, "no-size-match", false, "take every two URLs for similar, whatever their sizes")
	to.BoolVar(&f.noParams, "no-params", false, "no parameter rules")
	to.BoolVar(&f.noRefine, "no-refine", false, "redundant rules as well (no phase 2)")
}

func (f *mineFlags) registerBounds(to *pflag.FlagSet) {
	limits := admit.Defaults()
	to.IntVar(&f.maxURLs, "max-urls", 10_000_000, "URLs kept of a site in a pane; of more, those with the smallest hash")
	to.IntVar(&f.maxSites, "max-sites", 10_000, "sites kept")
	to.IntVar(&f.maxLine, "max-line", 64<<10, "bytes of a line; longer ones are left out, as URLs below are")
	to.IntVar(&f.maxBytes, "max-url-bytes", limits.MaxBytes, "bytes of a URL")
	to.IntVar(&f.maxURLTokens, "max-url-tokens", limits.MaxTokens, "tokens of a URL")
}

func (f *mineFlags) registerOutput(to *pflag.FlagSet) {
	to.StringVarP(&f.output, "output", "o", "text", "`text|json`; json is one object a line")
	to.IntVar(&f.top, "top", 50, "rules of a site, best first; 0: all, as is the default for json")
	to.BoolVar(&f.stats, "stats", false, "say on standard error what was read and kept")
	to.BoolVar(&f.debug, "debug", false, "show malformed lines on standard error, a few of each file, with addresses masked")
}

// options checks the flags and puts them where they belong.
func (f *mineFlags) options(cmd *cobra.Command) (mineOptions, error) {
	if err := f.check(); err != nil {
		return mineOptions{}, err
	}
	ignore, err := ignoring(f.ignoreClients)
	if err != nil {
		return mineOptions{}, err
	}
	phase1 := envelope.Options{MaxTokens: f.maxTokens, BucketLow: f.low, BucketHigh: f.high, MinSupport: f.minSupport}
	phase1.Similarity.Tolerance, phase1.Similarity.Off = f.tolerance, f.noSizeMatch
	o := mineOptions{
		records: records.Options{
			Format: f.format,
			Admit: admit.Options{Site: f.site, ByDomain: f.siteBy == "domain", Groups: f.hosts(), Ignore: ignore,
				MaxBytes: f.maxBytes, MaxTokens: f.maxURLTokens, Key: mineKey},
			Files: files.Options{MaxLine: f.maxLine, Stdin: cmd.InOrStdin()},
		},
		miner: miner.Options{
			Table:    table.Options{Window: seconds(f.window), Pane: seconds(f.pane), MaxURLs: f.maxURLs, Key: mineKey},
			Envelope: phase1,
			Params:   params.Options{MinSupport: f.minSupport, Similarity: phase1.Similarity},
			NoParams: f.noParams, NoRefine: f.noRefine,
		},
		maxSites: f.maxSites, json: f.output == "json", top: f.top, stats: f.stats,
	}
	if o.json && !cmd.Flags().Changed("top") {
		o.top = 0
	}
	if f.debug {
		o.records.Malformed = malformedLog(cmd.ErrOrStderr())
	}
	return o, nil
}

func seconds(d time.Duration) int64 { return int64(d / time.Second) }

// maxMaxLine bounds --max-line, since each of several buffers holds a line.
const maxMaxLine = 64 << 20

// check finds values that no flag may have.
func (f *mineFlags) check() error {
	for _, c := range []struct {
		ok   bool
		flag string
		want string
	}{
		{f.siteBy == "host" || f.siteBy == "domain", "site-by", "host or domain"},
		{f.output == "text" || f.output == "json", "output", "text or json"},
		{f.window == 0 || f.window >= time.Second, "window", "0, or a second or more"},
		{f.pane >= time.Second, "pane", "a second or more"},
		{f.maxURLs >= 1, "max-urls", "1 or more"},
		{f.maxSites >= 1, "max-sites", "1 or more"},
		{f.maxLine >= 1 && f.maxLine <= maxMaxLine, "max-line", "1 to 67,108,864"},
		{f.maxBytes >= 1, "max-url-bytes", "1 or more"},
		{f.maxURLTokens >= 1 && f.maxURLTokens <= 65_000, "max-url-tokens", "1 to 65,000"},
		{f.maxTokens >= 0, "max-tokens", "0 or more"},
		{f.low >= 2, "bucket-low", "2 or more, since a bucket of one has no pair"},
		{f.high >= 2, "bucket-high", "2 or more, since a bucket of one has no pair"},
		{f.minSupport >= 1 && f.minSupport <= math.MaxInt32, "min-support", "1 to 2,147,483,647"},
		{f.tolerance >= 0 && f.tolerance < 1, "size-tolerance", "a share from 0 to below 1"},
		{f.top >= 0, "top", "0 or more"},
	} {
		if !c.ok {
			return fmt.Errorf("read flags: --%s must be %s", c.flag, c.want)
		}
	}
	return nil
}

func (f *mineFlags) hosts() map[string][]string {
	groups := map[string][]string{}
	for name, hosts := range f.groups {
		groups[name] = strings.Fields(hosts)
	}
	return groups
}

// ignoring returns a test for the addresses and networks given; nil for none.
func ignoring(clients []string) (func(client []byte) bool, error) {
	var networks []netip.Prefix
	for _, c := range clients {
		network, err := netip.ParsePrefix(c)
		if err != nil {
			address, aerr := netip.ParseAddr(c)
			if aerr != nil {
				return nil, fmt.Errorf("read flags: --ignore-clients %q is no address and no network such as 192.0.2.0/24", c)
			}
			network = netip.PrefixFrom(address, address.BitLen())
		}
		networks = append(networks, network)
	}
	if len(networks) == 0 {
		return nil, nil
	}
	return func(client []byte) bool {
		address, err := netip.ParseAddr(string(client))
		for _, n := range networks {
			if err == nil && n.Contains(address.Unmap()) {
				return true
			}
		}
		return false
	}, nil
}
