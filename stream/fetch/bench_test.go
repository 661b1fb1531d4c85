package fetch

import (
	"strings"
	"testing"
)

// Measures the cost of a hostile robots.txt of full length: of reading it, and of
// matching a URL.
func BenchmarkHostileRobots(b *testing.B) {
	for name, text := range map[string]string{
		"lines":  "User-agent: *\n" + strings.Repeat("Allow:*a$\n", maxRobots/10),
		"stars":  "User-agent: *\nDisallow: /" + strings.Repeat("*a", maxRobots/2),
		"pieces": "User-agent: *\n" + strings.Repeat("Allow:*aaaaaaaaaaaaaaaaaaab\n", maxRobots/28),
		"agents": strings.Repeat("User-agent: a\n", maxRobots/28) + strings.Repeat("Disallow: /x\n", maxRobots/26),
	} {
		b.Run(name+"/parse", func(b *testing.B) {
			for b.Loop() {
				parseRobots([]byte(text))
			}
		})
		r, path := parseRobots([]byte(text)), "/"+strings.Repeat("a", maxTarget-1)
		b.Run(name+"/allowed", func(b *testing.B) {
			for b.Loop() {
				r.allowed(path)
			}
		})
	}
}
