package ledger

import (
	"fmt"
	"strings"
)

// Kind is the kind of a key.
type Kind uint8

// The kinds of key.
const (
	Claim   Kind = iota // the owner of the partition
	Fetch               // politeness
	Rule                // of a site
	Set                 // of a site
	Verdict             // of a site
	State               // of a site
	Pairs               // of a site
	kinds   = iota
)

var kindNames = [kinds]string{Claim: "owner", Fetch: "fetch", Rule: "rule", Set: "set", Verdict: "verdict", State: "state", Pairs: "pairs"}

// Key is the parsed key of a record.
type Key struct {
	Kind Kind
	Site string // of Rule, Set, Verdict, State and Pairs
	Name string // a rule's id, a state's name, or the number of a key of pairs
}

// maxKey bounds a key, in bytes: a host has up to 253, and the name of a group is chosen by
// a user.
const maxKey = 1 << 10

var (
	escape   = strings.NewReplacer("%", "%25", "/", "%2F")
	unescape = strings.NewReplacer("%25", "%", "%2F", "/")
)

// String returns the encoded key.
func (k Key) String() string {
	switch k.Kind {
	case Claim, Fetch:
		return kindNames[k.Kind]
	case Set:
		return escape.Replace(k.Site) + "/" + kindNames[Set]
	}
	return escape.Replace(k.Site) + "/" + kindNames[k.Kind] + "/" + k.Name
}

// ParseKey parses a key. It returns an error if the package comment lists no such key.
func ParseKey(text string) (Key, error) {
	k, err := parseKey(text)
	if err == nil && k.String() != text {
		err = errKey(text)
	}
	return k, err
}

func parseKey(text string) (Key, error) {
	parts := strings.Split(text[:min(len(text), maxKey+1)], "/")
	switch {
	case len(text) > maxKey:
	case text == kindNames[Claim]:
		return Key{Kind: Claim}, nil
	case text == kindNames[Fetch]:
		return Key{Kind: Fetch}, nil
	case len(parts) == 2 && parts[1] == kindNames[Set]:
		return Key{Kind: Set, Site: unescape.Replace(parts[0])}, nil
	case len(parts) == 3 && parts[2] != "":
		for _, kind := range [...]Kind{Rule, Verdict, State, Pairs} {
			if parts[1] == kindNames[kind] {
				return Key{kind, unescape.Replace(parts[0]), parts[2]}, nil
			}
		}
	}
	return Key{}, errKey(text)
}

func errKey(text string) error {
	return fmt.Errorf("read key %.100q: the topic of rules has no such keys", text)
}
