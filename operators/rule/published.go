package rule

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// ReadPublished reads a line of a published list, as docs/rules.md says in "Records". If
// this version does not know the rule, the error is an UnknownError, and the record has
// the members that all kinds of rules have. Any other error means that the list is to be
// refused. Of a record that is not valid, only Schema and State are read.
func ReadPublished(line []byte) (r Record, made Rule, err error) {
	var fast Record
	if scanRecord(line, &fast) && fast.Schema == Schema {
		if fast.State != Valid {
			return Record{Schema: fast.Schema, State: fast.State}, made, nil
		}
		if made, err = fast.published(); err == nil {
			return fast, made, nil
		}
	}
	return readPublished(line)
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
	text, err := json.Marshal(body)
	if err == nil {
		err = json.Unmarshal(text, &r.Wire)
	}
	if err != nil {
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
	all := kinds[made.Kind].members
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
	if text, err := json.Marshal(member); err == nil && json.Unmarshal(text, &read) == nil {
		*to = read
	}
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
