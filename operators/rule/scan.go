package rule

import (
	"slices"
	"strconv"

	"dustbuster/operators/url/urlnorm"
)

// This file reads a record in one pass over its line. It reads the lines that this program
// writes, several times faster than encoding/json, and gives up on every other line:
// unknown and missing members, members that stand twice, escapes in texts, null, empty lists
// and words. ReadPublished then reads the line again with encoding/json, which is the oracle
// of the tests.

// scanRecord reads a record, or returns false. The record is then not to be used.
func scanRecord(line []byte, r *Record) bool {
	s := scanner{text: line, ok: true}
	var most [48]field
	fields := append(most[:0], []field{{"schema", &r.Schema}, {"site", (*mayBeEmpty)(&r.Site)}, {"id", &r.ID}, {"kind", &r.Kind}}...)
	for i := range members {
		fields = append(fields, field{members[i].name, members[i].of(&r.Wire)})
	}
	fields = append(fields, []field{
		{"scope", &r.Scope}, {"except", &r.Except}, {"rank", &r.Rank}, {"state", &r.State}, {"support", &r.Support}, {"verdict", &r.Verdict},
		{"first_seen", &r.FirstSeen}, {"validated_at", &r.ValidatedAt}, {"by_domain", &r.ByDomain}, {"hosts", &r.Hosts}, {"separators", &r.Separators},
	}...)
	s.object(fields, "schema", "site", "id", "kind", "scope", "rank", "state")
	s.blanks()
	return s.ok && s.at == len(line)
}

// field is a member of an object and the place of its value.
type field struct {
	name string // "": the member has been read
	to   any
}

// scanner reads JSON from left to right. After something that it does not read, ok is
// false and at is the end of the text.
type scanner struct {
	text []byte
	at   int
	ok   bool
}

func (s *scanner) fail() { s.ok, s.at = false, len(s.text) }

func (s *scanner) blanks() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t' || s.text[s.at] == '\r' || s.text[s.at] == '\n') {
		s.at++
	}
}

// next reports whether the next byte but blanks is c, and skips it if so.
func (s *scanner) next(c byte) bool {
	s.blanks()
	if s.at == len(s.text) || s.text[s.at] != c {
		return false
	}
	s.at++
	return true
}

// need fails unless the next byte is c.
func (s *scanner) need(c byte) {
	if !s.next(c) {
		s.fail()
	}
}

// list reads what stands between two brackets, item by item. A list in square brackets must
// not be empty.
func (s *scanner) list(opens, closes byte, item func()) {
	s.need(opens)
	first := true
	for ; s.ok && !s.next(closes); first = false {
		if !first {
			s.need(',')
		}
		item()
	}
	if first && closes == ']' {
		s.fail()
	}
}

// mayBeEmpty is a text that may be empty, unlike the words of a record.
type mayBeEmpty string

// object reads an object that has the required members. Members mostly stand in the order of
// the fields, so the search for a field begins behind the last.
func (s *scanner) object(fields []field, required ...string) {
	from := 0
	s.list('{', '}', func() {
		name := s.plain()
		s.need(':')
		for n := range fields {
			if f := &fields[(from+n)%len(fields)]; f.name == string(name) && len(name) > 0 {
				from, f.name = from+n+1, ""
				s.value(f.to)
				return
			}
		}
		s.fail()
	})
	for i := range fields {
		if fields[i].name != "" && slices.Contains(required, fields[i].name) {
			s.fail()
		}
	}
}

// value reads a value of the type of its place.
func (s *scanner) value(to any) {
	switch to := to.(type) {
	case *string:
		if *to = s.string(); *to == "" {
			s.fail()
		}
	case *mayBeEmpty:
		*to = mayBeEmpty(s.string())
	case **string:
		*to = text(s.string())
	case *State:
		*to = State(s.string())
	case *Step:
		*to = Step(s.string())
	case *int:
		*to = int(s.int())
	case *int64:
		*to = s.int()
	case *float64:
		*to = s.float()
	case *bool:
		*to = s.bool()
	case **bool:
		is := s.bool()
		*to = &is
	case *[]string:
		*to = []string{}
		s.list('[', ']', func() { *to = append(*to, s.string()) })
	default:
		s.part(to)
	}
}

// part reads a value that is not plain.
func (s *scanner) part(to any) {
	switch to := to.(type) {
	case **WireScope:
		*to = &WireScope{}
		w := *to
		s.object([]field{{"path", &w.Path}, {"prefix", &w.Prefix}, {"where", &w.Where}})
	case *[]WireCondition:
		*to = []WireCondition{}
		s.list('[', ']', func() {
			var c WireCondition
			s.object([]field{{"param", &c.Param}, {"value", &c.Value}, {"valued", &c.Valued}, {"own", &c.Own}, {"begins", &c.Begins}})
			*to = append(*to, c)
		})
	case **WirePattern:
		*to = &WirePattern{}
		s.object([]field{{"prefix", (*mayBeEmpty)(&(*to).Prefix)}, {"class", &(*to).Class}}, "prefix", "class")
	case *Verdict:
		s.object([]field{
			{"samples", &to.Samples}, {"positives", &to.Positives}, {"negatives", &to.Negatives}, {"skipped", &to.Skipped}, {"bound", &to.Bound},
			{"threshold", &to.Threshold}, {"control", &to.Control}, {"time", &to.Time}, {"reason", (*mayBeEmpty)(&to.Reason)}, {"step", &to.Step},
		})
	case *Control:
		s.object([]field{{"mixed", &to.Mixed}, {"equal", &to.Equal}, {"quantile", &to.Quantile}, {"lasts", &to.Lasts}, {"lasting", &to.Lasting}, {"strict", &to.Strict}})
	case **urlnorm.Separators:
		*to = new(urlnorm.Separators)
		if (*to).UnmarshalText(s.plain()) != nil {
			s.fail()
		}
	case **WireExcept:
		*to = &WireExcept{}
		s.object([]field{{"scopes", &(*to).Scopes}, {"urls", &(*to).URLs}})
	case *[]WireScope:
		*to = []WireScope{}
		s.list('[', ']', func() {
			var w *WireScope
			s.value(&w)
			*to = append(*to, *w)
		})
	case *map[string]string:
		*to = valuesByName(s, s.string)
	case *map[string]WireEdit:
		*to = valuesByName(s, s.edit)
	default:
		s.fail()
	}
}

// valuesByName reads an object of any members, each once.
func valuesByName[T any](s *scanner, value func() T) map[string]T {
	values := map[string]T{}
	s.list('{', '}', func() {
		name := s.string()
		s.need(':')
		if _, again := values[name]; again {
			s.fail()
		}
		values[name] = value()
	})
	return values
}

func (s *scanner) edit() (e WireEdit) {
	if s.blanks(); s.at < len(s.text) && s.text[s.at] == '"' {
		if e.Drop = string(s.plain()) == "drop"; !e.Drop {
			s.fail()
		}
		return e
	}
	s.object([]field{{"set", &e.Set}, {"copy", &e.Copy}})
	if (e.Set == nil) == (e.Copy == nil) {
		s.fail()
	}
	return e
}

// plain reads a text of printable ASCII without escapes. The text aliases the line.
func (s *scanner) plain() []byte {
	s.need('"')
	for from := s.at; s.at < len(s.text); s.at++ {
		switch c := s.text[s.at]; {
		case c == '"':
			s.at++
			return s.text[from : s.at-1]
		case c == '\\' || c < ' ' || c > '~':
			s.fail()
			return nil
		}
	}
	s.fail()
	return nil
}

// string reads a text. Common words need no memory.
func (s *scanner) string() string {
	text := s.plain()
	switch string(text) {
	case "substring":
		return "substring"
	case "parameter":
		return "parameter"
	case "form":
		return "form"
	case "template":
		return "template"
	case "drop":
		return "drop"
	case "valid":
		return "valid"
	case "alpha_to_beta":
		return "alpha_to_beta"
	case "beta_to_alpha":
		return "beta_to_alpha"
	}
	return string(text)
}

func (s *scanner) bool() bool {
	s.blanks()
	for _, word := range [...]string{"true", "false"} {
		if hasPrefix(s.text[s.at:], word) {
			s.at += len(word)
			return word == "true"
		}
	}
	s.fail()
	return false
}

// Greatest numbers of digits: every type of a number holds mostDigits.
const (
	mostDigits   = 15
	mostFraction = 30
)

// digits reads digits, and fails if there are none or too many.
func (s *scanner) digits(most int) {
	from := s.at
	for s.at < len(s.text) && '0' <= s.text[s.at] && s.text[s.at] <= '9' {
		s.at++
	}
	if n := s.at - from; n == 0 || n > most {
		s.fail()
	}
}

// number reads a number without sign, fraction and exponent.
func (s *scanner) number() []byte {
	s.blanks()
	from := s.at
	s.digits(mostDigits)
	if s.ok && s.text[from] == '0' && s.at > from+1 {
		s.fail()
	}
	return s.text[from:s.at]
}

func (s *scanner) int() (n int64) {
	for _, c := range s.number() {
		n = 10*n + int64(c-'0')
	}
	return n
}

func (s *scanner) float() float64 {
	s.blanks()
	from := s.at
	s.number()
	if s.ok && s.at < len(s.text) && s.text[s.at] == '.' {
		s.at++
		s.digits(mostFraction)
	}
	if !s.ok {
		return 0
	}
	f, err := strconv.ParseFloat(string(s.text[from:s.at]), 64)
	if err != nil {
		s.fail()
	}
	return f
}
