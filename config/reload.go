package config

import (
	"fmt"
	"reflect"
	"strings"
)

// Reloadable returns the keys with changes in a configuration read anew, in the order of
// the file. An error reports a change that a running daemon cannot make; the daemon then
// continues with the whole old configuration.
//
// Settings that are used anew each time can change: the logs to read, their formats and
// sites, intervals, the rotation of event files, the level of the log. Other settings
// cannot change: the places of state and output, and all settings behind a site's table and
// indexes (panes, bounds, buckets, MinSupport), since table and indexes would have to be
// built anew, as in a restart. Withhold and HashKey cannot change either, so that a slip
// does not reveal private data.
func Reloadable(old, new Config) (changed []string, err error) {
	const secrets = true
	var fixed []string
	before := old.settings()
	for i, row := range new.settings() {
		if reflect.DeepEqual(before[i].value.encode(secrets), row.value.encode(secrets)) {
			continue
		}
		changed = append(changed, row.key)
		if !row.live {
			fixed = append(fixed, row.key)
		}
	}
	if len(fixed) > 0 {
		return nil, fmt.Errorf("reload config: only a restart can change %s", strings.Join(fixed, ", "))
	}
	return changed, nil
}
