package config

import (
	"fmt"
	"reflect"
	"strings"
)

// Reloadable tells what is different in a configuration read anew, by keys in
// the order of the file. An error says that something is among it that a running
// daemon cannot change; it then goes on with the old one, as a whole.
//
// What can change is what is used anew each time: which logs are read, as what
// and of whom, how often something is done, when event files turn, how much is
// logged. What cannot: where state and output lie, and everything that a site's
// table and indexes are built by (panes, bounds, buckets, MinSupport): they would
// have to be built anew, which is what a restart does. Withhold and HashKey
// cannot either, so that nothing private is told by a slip of the pen.
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
