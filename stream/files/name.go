package files

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// log is the name of a log file, split into its parts.
type log struct {
	name   string
	family string // the name without date, number and compression
	date   []int  // yyyymmdd, then the numbers after the date, which count up; empty: no date, newer than any date
	number int    // counts down; 0: no number, newer than 1
}

var (
	compressed = regexp.MustCompile(`\.(?:gz|zst|zstd|bz2|xz|lz4|Z|zip)$`)
	dated      = regexp.MustCompile(`(^|[-_.]|[A-Za-z])((?:199|20\d)\d)[-_.]?(0[1-9]|1[0-2])[-_.]?(0[1-9]|[12]\d|3[01])((?:[-_.:T]?\d+)*)`)
	epoch      = regexp.MustCompile(`[-_.](1\d{9})$`)
	numbered   = regexp.MustCompile(`\.(\d{1,5})((?:\.[a-z]+)?)$`)
	digits     = regexp.MustCompile(`\d+`)

	archiveName = regexp.MustCompile(`(?i)^[^.].*\.(?:warc(?:\.gz|\.zst|\.zstd|\.bz2)?|parquet)$`)

	logName   = regexp.MustCompile(`(?i)(?:^|[-_.])(?:log|access|accesslog)(?:\.(?:txt|json|jsonl|csv|tsv))?$`)
	processed = regexp.MustCompile(`\.processed$`)
	errorName = regexp.MustCompile(`(?i)(?:^|[^a-z])err(?:or)?s?(?:[^a-z]|$)`)
)

// IsLog reports whether a file in a directory of logs is a log, by the rule for names
// in Expand.
func IsLog(name string) bool {
	_, ok := parseName(name)
	return ok
}

// parseName splits the name of a file and reports whether it is a log.
func parseName(name string) (log, bool) {
	l := log{name: name}
	rest := compressed.ReplaceAllString(name, "")
	rest = l.takeDate(rest)
	rest = l.takeNumber(rest)
	rest = l.takeProcessed(rest)
	l.family = rest
	access := strings.Contains(strings.ToLower(rest), "access")
	return l, !strings.HasPrefix(name, ".") && logName.MatchString(rest) && (access || !errorName.MatchString(rest))
}

// takeDate removes a date, or a time in seconds since 1970, from a name.
func (l *log) takeDate(name string) string {
	if at := dated.FindStringSubmatchIndex(name); at != nil {
		part := func(group int) string { return name[at[2*group]:at[2*group+1]] }
		day, _ := strconv.Atoi(part(2) + part(3) + part(4))
		l.date = append([]int{day}, numbers(part(5))...)
		return name[:at[0]] + strings.Trim(part(1), "-_.") + name[at[1]:]
	}
	if at := epoch.FindStringSubmatchIndex(name); at != nil {
		seconds, _ := strconv.ParseInt(name[at[2]:at[3]], 10, 64)
		t := time.Unix(seconds, 0).UTC()
		l.date = []int{t.Year()*10000 + int(t.Month())*100 + t.Day(), t.Hour()*3600 + t.Minute()*60 + t.Second()}
		return name[:at[0]]
	}
	return name
}

// takeNumber removes a number at the end, or before the last ending, from a name.
func (l *log) takeNumber(name string) string {
	at := numbered.FindStringSubmatchIndex(name)
	if at == nil {
		return name
	}
	l.number, _ = strconv.Atoi(name[at[2]:at[3]])
	return name[:at[0]] + name[at[4]:at[5]]
}

// takeProcessed removes Plesk's mark from a name. The file access_ssl_log.processed
// holds the lines of access_ssl_log up to the last run of statistics.
func (l *log) takeProcessed(name string) string {
	plain := processed.ReplaceAllString(name, "")
	if plain != name {
		l.number++
	}
	return plain
}

// numbers returns the numbers in text. A number with too many digits is cut.
func numbers(text string) []int {
	var all []int
	for _, word := range digits.FindAllString(text, -1) {
		n, _ := strconv.Atoi(word[:min(len(word), 18)])
		all = append(all, n)
	}
	return all
}

// compare orders logs by family and by age, the oldest first. Names decide between logs
// with equal marks, so the order is total.
func compare(a, b log) int {
	return cmp.Or(
		strings.Compare(a.family, b.family),
		cmp.Compare(min(1, len(b.date)), min(1, len(a.date))), // those with a date first
		slices.Compare(a.date, b.date),
		cmp.Compare(b.number, a.number),
		strings.Compare(a.name, b.name),
	)
}
