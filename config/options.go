package config

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"time"

	"dustbuster/operators/admit"
	"dustbuster/operators/envelope"
	"dustbuster/operators/miner"
	"dustbuster/operators/params"
	"dustbuster/operators/table"
	"dustbuster/operators/urllist"
	"dustbuster/stream/files"
	"dustbuster/stream/records"
	"dustbuster/stream/tail"
)

// Key is the key of the hashes that HashKey gives; false if it gives none.
func (c *Config) Key() (key [2]uint64, ok bool) {
	b, err := hex.DecodeString(string(c.HashKey))
	if err != nil || len(b) != keyBytes {
		return key, false
	}
	return [2]uint64{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}, true
}

// Files are the options under which finished logs are read.
func (c *Config) Files() files.Options { return files.Options{MaxLine: c.Mining.MaxLine} }

// Tail are the options under which an input's logs are followed.
func (c *Config) Tail(in Input) tail.Options {
	return tail.Options{Paths: in.Paths, MaxLine: c.Mining.MaxLine, Window: c.Mining.Window}
}

// Records are the options under which an input's lines are parsed.
func (c *Config) Records(in Input, key [2]uint64) records.Options {
	return records.Options{Format: cmp.Or(in.Format, c.Format), Admit: c.Admit(in, key)}
}

// Admit are the options under which an input's records are admitted.
func (c *Config) Admit(in Input, key [2]uint64) admit.Options {
	m := &c.Mining
	return admit.Options{
		Site: cmp.Or(in.Site, c.Site), ByDomain: m.SiteBy == "domain", Groups: m.Groups,
		MaxBytes: m.MaxURLBytes, MaxTokens: m.MaxURLTokens, Ignore: ignoring(m.IgnoreClients), Key: key,
	}
}

// Miner are the options of each site's machine.
func (c *Config) Miner(key [2]uint64) miner.Options {
	m := &c.Mining
	similar := urllist.Similarity{Tolerance: m.SizeTolerance, Off: !m.SizeMatch}
	return miner.Options{
		Table: table.Options{Window: seconds(m.Window), Pane: seconds(m.Pane), MaxURLs: m.MaxURLs, Key: key},
		Envelope: envelope.Options{MaxTokens: m.MaxTokens, BucketLow: m.BucketLow, BucketHigh: m.BucketHigh,
			MinSupport: m.MinSupport, Similarity: similar},
		Params:   params.Options{MinSupport: m.MinSupport, Similarity: similar},
		NoParams: !m.Params, NoRefine: !m.Refine,
	}
}

func seconds(d time.Duration) int64 { return int64(d / time.Second) }

// ignoring returns a test for addresses and networks; nil for none.
func ignoring(clients []string) func(client []byte) bool {
	if len(clients) == 0 {
		return nil
	}
	var networks []netip.Prefix
	for _, c := range clients {
		if n, err := network(c); err == nil {
			networks = append(networks, n)
		}
	}
	return func(client []byte) bool {
		address, err := netip.ParseAddr(string(client))
		for _, n := range networks {
			if err == nil && n.Contains(address.Unmap()) {
				return true
			}
		}
		return false
	}
}
