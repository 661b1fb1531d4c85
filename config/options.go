package config

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"dustbuster/operators/judge/lifecycle/book"
	"dustbuster/operators/learn/envelope"
	"dustbuster/operators/learn/miner"
	"dustbuster/operators/learn/params"
	"dustbuster/operators/read/client"
	secrets "dustbuster/operators/url/secret"
	"dustbuster/operators/url/urlnorm"
	"dustbuster/operators/window/admit"
	"dustbuster/operators/window/evidence"
	"dustbuster/operators/window/ours"
	"dustbuster/operators/window/table"
	"dustbuster/stream/fetch"
	"dustbuster/stream/files"
	"dustbuster/stream/records"
	"dustbuster/stream/tail"

	"github.com/dchest/siphash"
)

// Key returns the key of the hashes in HashKey; false without HashKey.
func (c *Config) Key() (key [2]uint64, ok bool) {
	b, err := hex.DecodeString(string(c.Keep.HashKey))
	if err != nil || len(b) != keyBytes {
		return key, false
	}
	return [2]uint64{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}, true
}

// Files are the options under which finished logs are read.
func (c *Config) Files() files.Options {
	return files.Options{MaxLine: c.Read.MaxLine, Hosts: c.Site.FromPath && c.Site.Host == ""}
}

// Tail are the options under which an input's logs are followed.
func (c *Config) Tail(in Input) tail.Options {
	return tail.Options{Paths: in.Paths, Elsewhere: c.Read.Olddir, MaxLine: c.Read.MaxLine, Window: c.Read.Window}
}

// Records are the options under which an input's lines are parsed.
func (c *Config) Records(in Input, key [2]uint64) records.Options {
	return records.Options{Format: cmp.Or(in.Format, c.Read.Format), Admit: c.Admit(in, key),
		Proxies: client.Proxies{Trusted: networks(c.Read.TrustedProxies), Header: c.Read.ForwardedHeader}}
}

// Admit are the options under which an input's records are admitted.
func (c *Config) Admit(in Input, key [2]uint64) admit.Options {
	r, s := &c.Read, &c.Site
	return admit.Options{
		Site: cmp.Or(in.Site, s.Host), ByDomain: s.By == "domain", Groups: s.Groups, Hosts: r.Hosts,
		MaxBytes: r.MaxURLBytes, MaxTokens: r.MaxURLTokens, Ignore: ignoring(r.IgnoreClients), Key: key,
		Denies: denying(r.crawlers),
	}
}

// Miner are the options of each site's machine.
func (c *Config) Miner(key [2]uint64) miner.Options {
	r := &c.Rule
	learners := r.learners()
	similar := evidence.Similarity{Tolerance: r.SizeTolerance, Off: !r.SizeMatch}
	return miner.Options{
		Table: table.Options{Window: seconds(c.Read.Window), Pane: seconds(c.Read.Pane), MaxURLs: c.Keep.MaxURLs, Key: key},
		Envelope: envelope.Options{MaxTokens: r.MaxTokens, BucketLow: r.BucketLow, BucketHigh: r.BucketHigh,
			MinSupport: r.MinSupport, Similarity: similar},
		Params:     params.Options{MinSupport: r.MinSupport, Similarity: similar},
		NoRefine:   !r.Refine,
		NoEnvelope: !slices.Contains(learners, envelope.Name), NoParams: !slices.Contains(learners, params.Name),
		FormsOnly:  !r.Params,
		Window:     slices.DeleteFunc(slices.Clone(learners), func(name string) bool { return name == envelope.Name || name == params.Name }),
		MaxLearned: r.LearnerRules,
	}
}

func (r *Rule) learners() []string {
	return slices.DeleteFunc(slices.Clone(r.Learners), func(name string) bool { return !r.Params && miner.FindsParameters(name) })
}

// Veil returns the mask for all output that quotes URLs.
func (c *Config) Veil() secrets.Veil { return secrets.Veil{Lifted: !c.Write.Withhold} }

// Fetch returns the options for fetching documents. The caller sets the version and the
// handling of bodies.
func (c *Config) Fetch() fetch.Options {
	o := c.Validate.fetch()
	o.Within, o.Veil = grouped(c.Site.Groups), c.Veil()
	return o
}

// grouped returns a function that reports whether a host belongs to a site, which may be a
// group; nil without groups.
func grouped(named map[string][]string) func(site, host string) bool {
	if len(named) == 0 {
		return nil
	}
	var groups urlnorm.Groups
	for name, hosts := range named {
		_ = groups.Add(name, hosts...) // they have been checked
	}
	return func(site, host string) bool {
		if group, ok := groups.Of(host); ok {
			return group == site
		}
		return fetch.Below(site, host)
	}
}

func (v Validate) fetch() fetch.Options {
	o := fetch.Options{Contact: v.Contact, Origin: v.Origin, Origins: v.Origins, Scheme: v.Scheme, Actions: v.Actions, Never: v.NeverPaths,
		Delay: max(v.Delay, 1), OriginDelay: v.OriginDelay, Rate: float64(v.Rate), Budget: v.Budget, Total: v.Total} // there, 0 is the default
	if v.Budget == 0 {
		o.Budget = -1
	}
	o.Private = networks(v.Private)
	return o
}

// longestCache is for how long the caches of many servers show a page unchanged. Second looks come so much later, or 60
// delays later if that is less: with short delays the user waits.
const longestCache = time.Minute

// Lifecycle are the options of the life of a site's rules.
func (c *Config) Lifecycle(key [2]uint64) book.Options {
	o := book.Defaults()
	o.Miner, o.Key = c.Miner(key), c.seeded(key)
	o.Miner.Table.Window, o.Miner.Table.Track = 0, false // a list of forms has no time
	o.Veil = c.Veil()
	o.ByDomain, o.Groups = c.Site.By == "domain", c.Site.Groups
	o.MinGain, o.PublishEvery, o.HoldShare = c.Rule.MinSupport, seconds(c.Validate.PublishInterval), c.Validate.HoldShare
	o.ProvedOnly = !c.Validate.Provisional
	if c.Validate.Kinds == "any" {
		o.Kinds = book.AnyKind
	}
	o.Off.StandIns = !c.Validate.StandIns
	o.Allow = allowed(c.Validate.Allow)
	o.Veto, o.Pin, o.Prefer = c.Validate.Veto, c.Validate.Pin, c.Validate.Prefer
	o.VetoTexts, o.PinTexts = c.Validate.VetoParams, c.Validate.PinParams
	o.SecondAfter = int64(min(longestCache, c.Validate.Delay*(longestCache/time.Second)) / time.Second)
	o.LevelEvery, o.RecheckEvery = seconds(c.Validate.LevelInterval), seconds(c.Validate.RecheckInterval)
	return o
}

// allowed returns the parameters of each site.
func allowed(all []string) map[string][]string {
	bySite := map[string][]string{}
	for _, text := range all {
		site, param := siteParam(text)
		bySite[site] = append(bySite[site], param)
	}
	return bySite
}

// siteParam splits SITE:PARAM. A site may end with a port. A log without hosts has the site "".
func siteParam(text string) (site, param string) {
	name, _, _ := strings.Cut(text, "=")
	at := strings.LastIndexByte(name, ':')
	if at < 0 {
		return "", text
	}
	return text[:at], text[at+1:]
}

// Ours are the sites that the settings name, and those that the paths of the logs name. parts says that the process sees a part of the sites alone, as a member of a
// group of miners does.
func (c *Config) Ours(parts bool, paths ...string) (*ours.Sites, error) {
	o := ours.Options{Hosts: c.Read.Hosts, Groups: slices.Collect(maps.Keys(c.Site.Groups)), Origins: slices.Collect(maps.Keys(c.Validate.Origins)),
		ByDomain: c.Site.By == "domain", Parts: parts, Site: paths}
	if c.Site.Host != "" {
		o.Site = append(o.Site, c.Site.Host)
	}
	for i := range c.Read.Inputs {
		if site := c.Read.Inputs[i].Site; site != "" {
			o.Site = append(o.Site, site)
		}
	}
	return ours.New(o)
}

// seeded is the key by which pairs are drawn.
func (c *Config) seeded(key [2]uint64) [2]uint64 {
	if c.Validate.Seed == 0 {
		return key
	}
	a, b := siphash.Hash128(key[0], key[1], strconv.AppendInt(nil, int64(c.Validate.Seed), 10))
	return [2]uint64{a, b}
}

// mostKept is how many requests the trial of a set takes at most.
const mostKept = 100

// Kept returns the requests kept for the trial of a set, out of a number of requests: a
// quarter, and at most the need of such a trial.
func Kept(requests int) int { return min(mostKept, requests/4) }

func seconds(d time.Duration) int64 { return int64(d / time.Second) }

// ignoring returns a test for addresses and networks; nil for none.
func ignoring(clients []string) func(client []byte) bool {
	if len(clients) == 0 {
		return nil
	}
	all := networks(clients)
	return func(text []byte) bool {
		address, ok := client.Parse(text)
		return ok && slices.ContainsFunc(all, func(n netip.Prefix) bool { return n.Contains(address) })
	}
}
