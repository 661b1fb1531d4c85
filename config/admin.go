package config

import (
	"errors"

	"dustbuster/sinks/admin"
)

// Listener is how the admin listener is opened; of none the address is empty. It reads the
// token; what is wrong with that, or with an address without one, is an *Error.
func (c *Config) Listener() (admin.Options, error) {
	o := admin.Options{Listen: c.Admin.Listen, Hosts: c.Admin.Hosts, TokenFile: c.Admin.TokenFile}
	if o.Listen == "" {
		return o, nil
	}
	err := o.Check()
	switch {
	case errors.Is(err, admin.ErrNoToken):
		err = wrong("admin.listen is %q: %w", o.Listen, err)
	case err != nil:
		err = wrong("admin.token_file: %w", err)
	}
	return o, err
}
