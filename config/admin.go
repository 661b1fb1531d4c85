package config

import (
	"errors"
	"net/netip"

	"dustbuster/sinks/admin"
)

// Listener returns the options of the admin listener; the address is empty without a
// listener. It reads the tokens. A mistake in a token, or an address that needs a
// token, is an *Error.
func (c *Config) Listener() (admin.Options, error) {
	a := &c.Admin
	o := admin.Options{Listen: a.Listen, Hosts: a.Hosts, Tokens: admin.Tokens{Read: a.ReadTokenFile, Report: a.ReportTokenFile, Operate: a.TokenFile},
		AllowHost: "allow the name with --admin-hosts", Origins: a.AllowOrigin,
		Connections: a.Connections, PeerConnections: a.PeerConnections, TrustedProxies: networks(a.TrustedProxies)}
	if o.Listen == "" {
		return o, nil
	}
	for _, f := range []struct{ key, file string }{{"token_file", a.TokenFile}, {"read_token_file", a.ReadTokenFile}, {"report_token_file", a.ReportTokenFile}} {
		if f.file == "" {
			continue
		}
		if _, err := admin.ReadToken(f.file); err != nil {
			return o, wrong("admin.%s: %w", f.key, err)
		}
	}
	err := o.Check()
	if errors.Is(err, admin.ErrNoToken) {
		err = wrong("admin.listen is %q: %w: name a file with one (--admin-token-file, DUSTBUSTER_ADMIN_TOKEN_FILE, token_file below admin; or that of readers or of reports), "+
			"made by (umask 077; openssl rand -hex 32 > FILE), or listen on a loopback address such as 127.0.0.1:9464", o.Listen, err)
	}
	return o, err
}

func networks(texts []string) (all []netip.Prefix) {
	for _, text := range texts {
		if n, err := network(text); err == nil {
			all = append(all, n)
		}
	}
	return all
}
