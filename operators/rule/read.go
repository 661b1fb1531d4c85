package rule

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	jsonv2 "github.com/go-json-experiment/json"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// This file reads one rule from JSON. ReadPublished accepts a published list, whatever program wrote
// it, as docs/rules.md says. ReadRecord needs fewer members. Both read the object first, since a record
// may hold what this version does not know. Lines that this program wrote are read at once.

// ReadPublished reads a line of a published list, as docs/rules.md says in "Records". If
// this version does not know the rule, the error is an UnknownError, and the record has
// the members that all kinds of rules have. Any other error means that the list is to be
// refused. Of a record that is not valid, only Schema and State are read.
func ReadPublished(line []byte) (r Record, made Rule, err error) {
	var fast Record
	if readWritten(line, &fast) && fast.Schema == Schema {
		if fast.State != Valid {
			return Record{Schema: fast.Schema, State: fast.State}, made, nil
		}
		if made, err = fast.published(); err == nil {
			return fast, made, nil
		}
	}
	return readPublished(line)
}

// ReadRecord reads a record of any state, or a likely rule, as far as the members are there.
// The error of a rule of an unknown kind or member is an UnknownError; the record then holds
// schema, site and state. Unknown members of a verdict are ignored.
func ReadRecord(line []byte) (r Record, err error) {
	o, err := readObject(line)
	if err != nil {
		return r, err
	}
	schema, _ := whole(o["schema"])
	r.Schema = int(schema)
	readFigure(o["site"], &r.Site)
	readFigure(o["state"], &r.State)
	readFigure(o["kind"], &r.Kind)
	readFigure(o["op"], &r.Op)
	if _, err = r.kind(); err != nil {
		return r, err
	}
	if r.Schema != Schema {
		return r, errSchema(schema)
	}
	if what := unknownIn(o, likelyMembers...); what != "" {
		return r, &UnknownError{what}
	}
	return r, decode(o, &r)
}

// written are the options of a record that this program writes.
var written = jsonv2.JoinOptions(jsonv1.OmitEmptyWithLegacySemantics(true), jsonv2.RejectUnknownMembers(true), jsonv2.Deterministic(true))

// readWritten reads a line exactly as this program writes it, and gives up on all others: the
// record must be written as the same bytes, and U+FFFD stands for bytes that are no text. So readWritten takes a fifth of the time of readPublished.
func readWritten(line []byte, r *Record) bool {
	if jsonv2.Unmarshal(line, r, written) != nil || r.ID == "" || r.Rank < 0 || r.Rank >= 1<<53 || bytes.Contains(line, []byte("\uFFFD")) {
		return false
	}
	again, err := jsonv2.Marshal(r, written)
	return err == nil && bytes.Equal(again, bytes.TrimSpace(line))
}

// readPublished is ReadPublished without the fast path.
func readPublished(line []byte) (r Record, made Rule, err error) {
	o, err := readObject(line)
	if err != nil {
		return r, made, err
	}
	if err = r.readHead(o); err != nil || r.State != Valid {
		return r, made, err
	}
	if what := unknownIn(o); what != "" {
		return r, made, &UnknownError{what}
	}
	if made, err = r.readBody(o); err != nil {
		err = fmt.Errorf("rule %q: %s", r.ID, err.Error()) // not wrapped: what is unknown has been found above
	}
	return r, made, err
}

// readHead reads the members that do not depend on the kind of the rule.
func (r *Record) readHead(o object) error {
	schema, isNumber := whole(o["schema"])
	state, isText := o["state"].(string)
	switch {
	case isNumber && schema != Schema:
		return errSchema(schema)
	case o["schema"] != nil && !isNumber:
		return fmt.Errorf("schema %v is not a version", o["schema"])
	case o["state"] != nil && !isText:
		return fmt.Errorf("state %v is not a text", o["state"])
	}
	if r.Schema, r.State = int(schema), State(state); r.State != Valid {
		return nil
	}
	rank, hasRank := whole(o["rank"])
	r.Rank = int(rank)
	var hasSite, hasID bool
	r.Site, hasSite = o["site"].(string)
	r.ID, hasID = o["id"].(string)
	switch {
	case schema == 0:
		return errSchema(0)
	case !hasRank:
		return errors.New("its rank is not a whole number")
	case !hasSite || strings.ContainsRune(r.Site, utf8.RuneError):
		return errors.New("its site is not a text")
	case !hasID || r.ID == "" || strings.ContainsRune(r.ID, utf8.RuneError):
		return errors.New("its id is not a text, or is empty")
	}
	return r.readHosts(o)
}

func (r *Record) readHosts(o object) error {
	var isFlag, isList bool
	if r.ByDomain, isFlag = o["by_domain"].(bool); !isFlag && o["by_domain"] != nil {
		return errors.New("by_domain is neither true nor false")
	}
	if o["hosts"] == nil {
		return nil
	}
	hosts, isList := o["hosts"].([]any)
	if !isList || len(hosts) == 0 {
		return errors.New("hosts is not a list of hosts, or is empty")
	}
	for _, h := range hosts {
		host, is := h.(string)
		if !is {
			return fmt.Errorf("host %v is not a text", h)
		}
		r.Hosts = append(r.Hosts, host)
	}
	return nil
}

// whole returns a number that is whole and not too large to be exact, or false.
func whole(v any) (n int64, ok bool) {
	number, is := v.(json.Number)
	if !is {
		return 0, false
	}
	f, err := number.Float64()
	return int64(f), err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53
}

// readBody reads the rest of a record whose rule is known.
func (r *Record) readBody(o object) (made Rule, err error) {
	body := object{}
	for name, value := range o {
		if slices.Contains(ruleMembers, name) {
			body[name] = value
		}
	}
	_, hasScope := o["scope"].(object)
	pattern, hasPattern := o["pattern"].(object)
	switch {
	case !hasScope:
		return made, errors.New("it has no scope")
	case hasPattern && pattern["prefix"] == nil:
		return made, errors.New("a pattern of names has no prefix")
	case hasEmptyList(body):
		return made, errors.New("a list in it is empty")
	}
	for _, name := range slices.Sorted(maps.Keys(body)) {
		if err := checkMember(o, name); err != nil {
			return made, err
		}
	}
	if err := decode(body, &r.Wire); err != nil {
		return made, err
	}
	r.readFigures(o)
	return r.published()
}

// published returns the rule, or an error if a member is missing that published rules need.
func (r *Record) published() (made Rule, err error) {
	if made, err = r.Rule(); err != nil {
		return made, err
	}
	all := kinds[made.Kind()].members
	for i := range all {
		if m := &all[i]; m.need == published && isMissing(m.of(&r.Wire)) {
			return made, fmt.Errorf("it has no %s", m.name)
		}
	}
	return made, nil
}

// checkMember returns an error if the kind of a known rule has no member of a name.
func checkMember(o object, name string) error {
	kind, _ := o["kind"].(string)
	op, _ := o["op"].(string)
	w := Wire{Kind: kind, WireParameter: WireParameter{Op: op}}
	at, err := w.kind()
	switch {
	case err != nil:
		return err
	case !hasMember(kinds[at].members, name) && !slices.Contains(everyKind, name):
		return w.hasNo(name)
	}
	return nil
}

// readFigures reads the members that readers of lists do not look at.
func (r *Record) readFigures(o object) {
	readFigure(o["support"], &r.Support)
	readFigure(o["verdict"], &r.Verdict)
	readFigure(o["first_seen"], &r.FirstSeen)
	readFigure(o["validated_at"], &r.ValidatedAt)
	readFigure(o["separators"], &r.Separators)
}

// readFigure reads a member. A member that is not of its type is as if missing.
func readFigure[T any](member any, to *T) {
	var read T
	if decode(member, &read) == nil {
		*to = read
	}
}

// decode turns a value that was read from JSON into another type.
func decode(v, to any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// ruleMembers are the members of a record that say what the rule does.
var ruleMembers = func() (names []string) {
	for i := range members {
		names = append(names, members[i].name)
	}
	return append(names, everyKind...)
}()

// everyKind are the members that rules of every kind may have.
var everyKind = []string{"kind", "scope", "except"}

// otherMembers are the other known members of a record.
var otherMembers = []string{"schema", "site", "id", "rank", "state", "by_domain", "hosts", "support", "verdict", "first_seen", "validated_at", "separators"}

// likelyMembers are the members of likely rules that records lack: those of WireFigures.
var likelyMembers = []string{"support_high", "comparable", "learner", "secret", "pairs", "alike", "expected", "weight", "own", "meetings", "met", "urls", "hits", "bytes"}

// object is a JSON object without the members that are null. Numbers are json.Number.
type object = map[string]any

// mostDepth is the greatest number of objects and lists within each other in a record.
const mostDepth = 32

// readObject reads a JSON object. Of several members of one name, the last counts.
func readObject(text []byte) (o object, err error) {
	if !utf8.Valid(text) {
		return nil, errors.New("not UTF-8")
	}
	in := json.NewDecoder(bytes.NewReader(text))
	in.UseNumber()
	if err := in.Decode(&o); err != nil || o == nil {
		var other *json.UnmarshalTypeError
		if errors.As(err, &other) {
			err = errors.New(other.Value)
		}
		return nil, fmt.Errorf("not a rule (one JSON object): %w", cmp.Or(err, errors.New("null")))
	}
	if _, err := in.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not a rule (one JSON object): something follows it")
	}
	if !clean(o, mostDepth) {
		return nil, fmt.Errorf("more than %d objects and lists within each other", mostDepth)
	}
	return o, nil
}

// clean removes the members that are null from all objects of a value, or returns false if
// it is too deep.
func clean(v any, depth int) bool {
	var parts []any
	switch v := v.(type) {
	case object:
		for name, member := range v {
			if member == nil {
				delete(v, name)
			}
			parts = append(parts, member)
		}
	case []any:
		parts = v
	default:
		return true
	}
	return depth > 0 && !slices.ContainsFunc(parts, func(part any) bool { return !clean(part, depth-1) })
}

func hasEmptyList(v any) bool {
	switch v := v.(type) {
	case object:
		for _, member := range v {
			if hasEmptyList(member) {
				return true
			}
		}
	case []any:
		return len(v) == 0 || slices.ContainsFunc(v, hasEmptyList)
	}
	return false
}

// unknownIn returns what of a record this version does not know, or "". A part that is not of
// its type holds nothing that is unknown. others are members that the record may have as well.
func unknownIn(o object, others ...string) string {
	kind, _ := o["kind"].(string)
	scope, _ := o["scope"].(object)
	except, _ := o["except"].(object)
	scopes, _ := except["scopes"].([]any)
	if what := otherThan(o, slices.Concat(ruleMembers, otherMembers, others)...); what != "" {
		return what
	}
	if what := otherThan(except, "scopes", "urls"); what != "" {
		return what
	}
	for _, s := range append([]any{scope}, scopes...) {
		if what := unknownInScope(s); what != "" {
			return what
		}
	}
	w := Wire{Kind: kind}
	w.Op, _ = o["op"].(string)
	at, err := w.kind()
	switch {
	case err == nil:
	case isText(o["kind"]) && (kind != parameter || isText(o["op"])):
		return w.name()
	case kind != parameter:
		return ""
	default:
		at = int(KindOrder) // without an op, the rule has the members that all ops have
	}
	for _, m := range kinds[at].members {
		if what := m.unknownIn(o); what != "" {
			return what
		}
	}
	return ""
}

// otherThan returns a member of an object that has none of some names, or "".
func otherThan(o object, names ...string) string {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(names, name) {
			return fmt.Sprintf("member %q", name)
		}
	}
	return ""
}

// unknownWord returns a member of an object that is a text, but none of some words, or "".
func unknownWord(o object, name string, words ...string) string {
	if word, is := o[name].(string); is && !slices.Contains(words, word) {
		return fmt.Sprintf("%s %q", name, word)
	}
	return ""
}

func isText(v any) bool { _, is := v.(string); return is }

func unknownInScope(v any) string {
	scope, _ := v.(object)
	if what := otherThan(scope, "path", "prefix", "where"); what != "" {
		return what
	}
	where, _ := scope["where"].([]any)
	for _, c := range where {
		condition, _ := c.(object)
		if what := otherThan(condition, "param", "value", "valued", "own", "begins"); what != "" {
			return what
		}
	}
	return ""
}
