package oracle

// titles are the words that generated URLs share.
var titles = []string{
	"about", "access", "backup", "build", "cache", "client", "cluster", "config", "crawl", "debug", "deploy",
	"design", "disk", "editor", "error", "export", "filter", "format", "graph", "grep", "hardware", "history",
	"import", "index", "install", "kernel", "keyboard", "language", "linux", "log", "mail", "memory", "monitor",
	"network", "notes", "package", "parser", "patch", "performance", "plugin", "project", "python", "query",
	"release", "report", "review", "router", "ruby", "screen", "script", "search", "security", "server", "shell",
	"storage", "system", "testing", "thread", "time", "tools", "travel", "update", "video", "window",
}

const (
	consonants = "bdfgklmnprstvz" // 14
	vowels     = "aeiou"
	syllables  = uint64(len(consonants) * len(vowels))
)

// word spells a number in syllables, the least significant first, at least two syllables.
// Different numbers have different words.
func word(n uint64) string {
	var b []byte
	for len(b) < 4 || n > 0 {
		s := n % syllables
		b = append(b, consonants[s/5], vowels[s%5])
		n /= syllables
	}
	return string(b)
}

func twoDigits(n uint64) string { return string([]byte{'0' + byte(n/10), '0' + byte(n%10)}) }
