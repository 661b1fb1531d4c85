package lists

import (
	"slices"
	"strings"
)

// removeparam are the names of the modifier.
var removeparam = []string{"removeparam", "queryprune"}

// cutModifiers splits a filter line at the $ before its modifiers, and these at commas. A comma or $ within a pattern
// between slashes, or behind a backslash, does not split. removes reports whether the line says that a parameter is to go.
func cutModifiers(line string) (pattern string, modifiers []string, removes bool) {
	at := -1
	for _, name := range removeparam {
		if i := strings.Index(line, name); i >= 0 && (at < 0 || i < at) {
			at = strings.LastIndexByte(line[:i], '$')
		}
	}
	if at < 0 {
		return line, nil, false
	}
	rest := line[at+1:]
	for rest != "" {
		end := endOfModifier(rest)
		m := strings.ReplaceAll(rest[:end], `\,`, ",")
		name, _, _ := strings.Cut(m, "=")
		modifiers, removes = append(modifiers, m), removes || slices.Contains(removeparam, name)
		rest = rest[min(end+1, len(rest)):]
	}
	return line[:at], modifiers, removes
}

// endOfModifier returns the number of bytes of the first modifier.
func endOfModifier(text string) int {
	inside := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case c == '/' && !inside && i > 0 && text[i-1] == '=':
			inside = true
		case c == '/':
			inside = false
		case c == ',' && !inside:
			return i
		}
	}
	return len(text)
}

// readFilter adds a filter line with $removeparam.
func (a *adder) readFilter(text string, modifiers []string) error {
	if strings.HasPrefix(text, "@@") {
		a.skip("an exception (@@) removes nothing")
		return nil
	}
	hosts, ok := hostsOf(text)
	if !ok {
		a.skip("%q means some pages only", clip(text))
		return nil
	}
	limits := hosts
	var param *string
	for _, m := range modifiers {
		name, value, has := strings.Cut(m, "=")
		switch {
		case slices.Contains(removeparam, name):
			param = &value
		case has && (name == "domain" || name == "to" || name == "from"):
			limits = append(limits, strings.Split(value, "|")...)
		case name == "badfilter" || name == "denyallow" || name == "app" || name == "method" || name == "header":
			a.skip("%s is not supported", name)
			return nil
		}
	}
	return a.param(*param, limits)
}

// param adds what a filter line removes on the hosts that it names, or everywhere.
func (a *adder) param(param string, hosts []string) error {
	var on func(site string) bool
	if len(hosts) > 0 {
		on = onHosts(hosts)
	}
	switch end := strings.LastIndexByte(param, '/'); {
	case param == "":
		a.skip("it means all parameters")
	case param[0] == '~':
		a.skip("it means all parameters but some")
	case param[0] == '/' && end > 0:
		text, flags := param[1:end], param[end+1:]
		if flags != "" && flags != "i" {
			a.skip("the pattern has flags %q", clip(flags))
			return nil
		}
		if flags == "i" {
			text = "(?i)" + text
		}
		return a.pattern(a.to(on), text, true)
	case !isName(param):
		a.skip("%q is no name of a parameter", clip(param))
	default: // AdGuard's names are as they are written
		return a.name(a.to(on), param, false)
	}
	return nil
}

// hostsOf returns the host that the pattern of a filter line demands; none: it demands nothing. ok is false if it
// demands more than a host.
func hostsOf(text string) (hosts []string, ok bool) {
	if text == "" || text == "*" {
		return nil, true
	}
	host, named := strings.CutPrefix(text, "||")
	host = strings.TrimSuffix(strings.TrimSuffix(host, "*"), "^")
	if !named || !isHost(host) {
		return nil, false
	}
	return []string{host}, true
}

// isHost reports whether a text is a host, perhaps with .* in the place of what follows.
func isHost(text string) bool {
	text = strings.TrimSuffix(text, ".*")
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool {
		return c != '.' && c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	})
}

// onHosts returns the test of a site by hosts, of which those with ~ are left out, as all below each of them.
func onHosts(hosts []string) func(site string) bool {
	return func(site string) bool {
		some, in := false, false
		for _, host := range hosts {
			host, not := strings.CutPrefix(strings.ToLower(strings.TrimSpace(host)), "~")
			switch {
			case not && isBelow(site, host):
				return false
			case !not:
				some, in = true, in || isBelow(site, host)
			}
		}
		return in || !some
	}
}

// isBelow reports whether a site is a host or below it. example.* is example with whatever follows.
func isBelow(site, host string) bool {
	if start, any := strings.CutSuffix(host, ".*"); any {
		return strings.HasPrefix(site, start+".") || strings.Contains(site, "."+start+".")
	}
	return site == host || strings.HasSuffix(site, "."+host)
}
