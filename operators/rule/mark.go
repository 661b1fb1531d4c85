package rule

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Mark returns an id of a rule on a site, as a file of another tool names the rule. If the id does not tell all
// of the rule, since it has exceptions or an id of another origin, a hash of the whole rule follows behind a dot. So
// two rules with one mark edit the same URLs alike.
func Mark(site, id string, r *Rule) string {
	if r.Except == (Except{}) && id == ID(site, r) {
		return id
	}
	text, err := json.Marshal(NewWire(r))
	if err != nil {
		panic(err) // as in ID
	}
	sum := sha256.Sum256(text)
	return id + "." + hex.EncodeToString(sum[:4])
}

// Unmark returns the id in a mark.
func Unmark(mark string) string {
	at := len(mark) - 9
	if at > 0 && mark[at] == '.' {
		return mark[:at]
	}
	return mark
}

// Marks are the marks of the rules that are published for a site, by id.
type Marks map[string]string

// MarksOf returns the marks of the published rules of a site.
func MarksOf(records []Record) Marks {
	all := make(Marks, len(records))
	for i := range records {
		if r, err := records[i].Rule(); err == nil {
			all[records[i].ID] = Mark(records[i].Site, records[i].ID, &r)
		}
	}
	return all
}

// Outdated returns the ids of those of some marks whose rules are no longer published, and of those whose rules
// are published in another form.
func (m Marks) Outdated(marks []string) (retired, changed []string) {
	for _, mark := range marks {
		switch now, published := m[Unmark(mark)]; {
		case !published:
			retired = append(retired, Unmark(mark))
		case now != mark:
			changed = append(changed, Unmark(mark))
		}
	}
	return retired, changed
}
