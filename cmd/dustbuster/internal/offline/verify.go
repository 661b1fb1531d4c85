package offline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	"dustbuster/cmd/dustbuster/internal/cli"
	"dustbuster/stream/claims"

	"github.com/spf13/pflag"
)

// VerifyFlag adds the flag that asks the DNS of named crawlers.
func VerifyFlag(to *pflag.FlagSet, on *bool) {
	to.BoolVar(on, "verify-crawlers", false, "ask the DNS whether clients that name a crawler, such as Googlebot, are that crawler. The others count as fake crawlers. The log is read twice, and your DNS server learns the addresses")
}

// Verify makes Read ask the DNS, if on.
func (o *ReadOptions) Verify(on bool) {
	if on {
		o.Resolver = net.DefaultResolver
	}
}

// verified returns the options for logs of which the clients that name a crawler are known, by a first reading.
func (o ReadOptions) verified(ctx context.Context, paths []string, say func(string)) (ReadOptions, error) {
	for _, path := range paths {
		if info, err := os.Stat(path); path == "-" || err == nil && info.Mode()&os.ModeNamedPipe != 0 {
			return o, cli.WrongUsage(fmt.Errorf("--verify-crawlers reads a log twice, and %q can be read only once: name a file", path))
		}
	}
	from, listed := o.Resolver, o.Records.Admit.Denies
	o.Resolver = nil
	var log claims.Log
	first := o
	first.Near, first.Miner.NoEnvelope, first.Miner.NoParams, first.Miner.Window = false, true, true, nil
	r := &first.Records
	r.Found, r.Detected, r.Unreadable, r.Malformed, r.Agentless = nil, nil, nil, nil, nil
	r.Admit.Denies = func(client []byte, family uint32) bool {
		if listed == nil || !listed(client, family) {
			log.Note(client, family)
		}
		return false
	}
	if _, err := Read(ctx, paths, first, io.Discard); err != nil && !errors.Is(err, ErrIncomplete) {
		return o, err
	}
	answers := log.Ask(ctx, from)
	o.Records.Admit.Denies = func(client []byte, family uint32) bool {
		return listed != nil && listed(client, family) || answers.Denies(client, family)
	}
	say(said(answers))
	return o, nil
}

// said says what the DNS says.
func said(a *claims.Answers) string {
	text := fmt.Sprintf("dustbuster: of %d addresses that use the name of a crawler, the DNS confirms %d, denies %d (fake crawlers), and does not answer for %d",
		a.Genuine+a.Fake+a.Unknown, a.Genuine, a.Fake, a.Unknown)
	if a.More {
		text += "\nthere are more addresses, which were not checked"
	}
	return text
}
