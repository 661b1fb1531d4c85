// Package planted has secrets of each form as URLs hold them, for tests that look for them in what
// the program says, and routes that act, for tests that look for them in what the program requests.
package planted

import (
	"math/rand/v2"
	"strings"
)

// Secrets are named by their forms. The tokens are drawn at random, so no
// scanner takes this file for a leak.
var Secrets = func() map[string]string {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(alphabet string, n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte(alphabet[random.IntN(len(alphabet))])
		}
		return b.String()
	}
	const upper, lower, digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789"
	return map[string]string{
		"hexadecimal":        text(digits+"abcdef", 32),
		"letters":            "qzxw" + text(lower, 24) + "kjqv",
		"letters and digits": text(upper+lower+digits, 40),
		"AWS":                "AKIA" + text(upper+"234567", 16),
		"GitHub":             "ghp_" + text(upper+lower+digits, 36),
		"card":               "4111111111111111",
		"account":            "GB82WEST12345698765432",
		"phone":              "%2B4915112345678",
		"address":            "jane.doe%2540example.org",
		"password":           "1;pass=plughxyzzy",
		"birth":              "1;dob=1980-05-01",
		"group":              "XK7P-9QMD-2R4T",
		"short":              "k7vq2m0c9p",
		"hardware":           "00:1a:2b:3c:4d:5e",
	}
}()

// In returns the names of the secrets found in a text, in any escaping.
func In(text string) (names []string) {
	for name, s := range Secrets {
		if strings.Contains(text, s) || strings.Contains(text, strings.NewReplacer("%2540", "@", "%2B", "+").Replace(s)) {
			names = append(names, name)
		}
	}
	return names
}
