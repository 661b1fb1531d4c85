package crawler

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math/bits"
	"net/netip"
	"slices"
	"strings"
)

// Addresses are the networks that the owners of named crawlers publish. Any goroutine may read them.
type Addresses struct {
	of    [32][]netip.Prefix // by the bit of the family; masked, in order, none within another
	known uint32             // families with a list
}

// mostNetworks bounds the networks of all families together.
const mostNetworks = 1 << 16

// published is a list of networks, as Google, Bing, OpenAI and others write it. Other members do not matter.
type published struct {
	Prefixes []struct {
		V4 string `json:"ipv4Prefix"`
		V6 string `json:"ipv6Prefix"`
	} `json:"prefixes"`
}

// Add adds a list of the family that a name names, such as googlebot or gptbot-search. Several lists of a
// family are one. The error says what is wrong with the name or the text.
func (a *Addresses) Add(name string, text []byte) error {
	family := Family([]byte(name))
	if family&Named == 0 {
		return fmt.Errorf("%q names no crawler of the list: begin the name with a crawler's, such as googlebot, bingbot or gptbot", name)
	}
	var list published
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("no list of networks in JSON: %w", err)
	}
	if len(list.Prefixes) == 0 {
		return errors.New(`no networks: want {"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`)
	}
	of := &a.of[bits.TrailingZeros32(family)]
	all := slices.Clone(*of)
	for _, p := range list.Prefixes {
		network, err := netip.ParsePrefix(strings.TrimSpace(p.V4 + p.V6))
		if err != nil {
			return err
		}
		all = append(all, network.Masked())
	}
	*of, a.known = outermost(all), a.known|family
	if n := a.size(); n > mostNetworks {
		return fmt.Errorf("%d networks, at most %d", n, mostNetworks)
	}
	return nil
}

// outermost sorts networks and leaves out those within another.
func outermost(all []netip.Prefix) []netip.Prefix {
	slices.SortFunc(all, netip.Prefix.Compare)
	left := all[:0]
	for _, n := range all {
		if len(left) == 0 || !left[len(left)-1].Contains(n.Addr()) {
			left = append(left, n)
		}
	}
	return left
}

func (a *Addresses) size() (n int) {
	for _, of := range a.of {
		n += len(of)
	}
	return n
}

// Deny reports whether an address is in none of the networks of a family. A family without a list denies
// nothing. O(log networks).
func (a *Addresses) Deny(family uint32, address netip.Addr) bool {
	if family&a.known == 0 {
		return false
	}
	of := a.of[bits.TrailingZeros32(family)]
	at, found := slices.BinarySearchFunc(of, address, func(n netip.Prefix, to netip.Addr) int { return n.Addr().Compare(to) })
	return !found && (at == 0 || !of[at-1].Contains(address))
}

// Mark returns a number for the networks, other than 0. No networks have the mark 0.
func (a *Addresses) Mark() uint32 {
	if a == nil || a.known == 0 {
		return 0
	}
	hash := fnv.New32a()
	for bit, of := range a.of {
		if len(of) > 0 {
			fmt.Fprintln(hash, bit, of)
		}
	}
	return max(1, hash.Sum32())
}
