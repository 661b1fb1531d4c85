package fetch

import (
	"fmt"
	"slices"
	"strings"

	"dustbuster/operators/url/action"
	"dustbuster/operators/url/secret"
)

// never holds the rules for URLs that are never fetched.
type never struct {
	actions  *action.List
	patterns []string // in the form of pattern()
}

func newNever(words, patterns []string) (*never, error) {
	actions, err := action.New(words)
	if err != nil {
		return nil, err
	}
	n := &never{actions: actions}
	for _, p := range patterns {
		if !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "*") {
			return nil, fmt.Errorf("read pattern %q: it must begin with / or *, such as /admin/, *.cgi$ or /shop/*/order", p)
		}
		n.patterns = append(n.patterns, pattern(p))
	}
	return n, nil
}

// why returns the reason never to fetch a path and query, or "" if they may be fetched. named
// states that the caller named them, and not a server: callers name URLs with random text only
// if several clients asked for the text (lifecycle).
func (n *never) why(path string, named bool) Reason {
	switch {
	case n.matches(normal(path, "*$")), n.matches(normal(action.Decode(path), "*$")):
		return Pattern
	case n.actions.In(path):
		return Action
	case secret.Certain(path), !named && secret.InURL(path):
		return Secret
	}
	return ""
}

func (n *never) matches(path string) bool {
	return slices.ContainsFunc(n.patterns, func(p string) bool { return matches(p, path) })
}
