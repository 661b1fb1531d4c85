package crawler

import (
	_ "embed"
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

//go:embed domains.txt
var domains string

// domainsOf are the domains of the families, by the bit.
var domainsOf = func() (of [32][]string) {
	for line := range rows(domains) {
		fields := strings.Fields(line)
		bit := slices.Index(names[:], fields[0])
		if bit < 0 || len(fields) < 3 || of[bit] != nil {
			panic(fmt.Sprintf("domains.txt: %q: want a family, its domains and a source", line))
		}
		of[bit] = fields[1 : len(fields)-1]
	}
	return of
}()

// HasDomains reports whether it is known what names the addresses of a family have in the DNS.
func HasDomains(family uint32) bool {
	return family&Named != 0 && domainsOf[bits.TrailingZeros32(family)] != nil
}

// IsName reports whether a name in the DNS is below a domain of a family. Names have no case, and may end
// with a dot.
func IsName(family uint32, name string) bool {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	return HasDomains(family) && slices.ContainsFunc(domainsOf[bits.TrailingZeros32(family)], func(domain string) bool {
		return strings.HasSuffix(name, "."+domain)
	})
}
