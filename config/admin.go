package config

import (
	"errors"

	"dustbuster/sinks/admin"
)

// Listener returns the options of the admin listener; the address is empty without a
// listener. Listener reads the token. A mistake in the token, or an address that needs a
// token, is an *Error.
func (c *Config) Listener() (admin.Options, error) {
	o := admin.Options{Listen: c.Admin.Listen, Hosts: c.Admin.Hosts, TokenFile: c.Admin.TokenFile, AllowHost: "allow the name with --admin-hosts"}
	for _, from := range c.Admin.PagesFrom {
		if n, err := network(from); err == nil {
			o.PagesFrom = append(o.PagesFrom, n)
		}
	}
	if o.Listen == "" {
		return o, nil
	}
	err := o.Check()
	switch {
	case errors.Is(err, admin.ErrNoToken):
		err = wrong("admin.listen is %q: %w: name a file with one (--admin-token-file, DUSTBUSTER_ADMIN_TOKEN_FILE, token_file below admin), "+
			"made by (umask 077; openssl rand -hex 32 > FILE), or listen on a loopback address such as 127.0.0.1:9464", o.Listen, err)
	case err != nil:
		err = wrong("admin.token_file: %w", err)
	}
	return o, err
}
