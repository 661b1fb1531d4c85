package canon

import (
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/rule"
)

// readRules reads rules from any text. A line is a rule: a byte for the kind, the anchors
// and the members of the scope, and then the texts, separated by blanks. After a '!', the
// texts are of an exception: a URL, and the path, prefix and parameter of a scope.
func readRules(text string) (rules []rule.Rule) {
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" || line[0] == '!' {
			continue
		}
		line, but, _ := strings.Cut(line, "!")
		flags, f := line[0], append(strings.Split(line[1:], " "), make([]string, 6)...)
		var r rule.Rule
		switch form := rule.Form(len(f[0]) % 6); {
		case flags&3 == 0:
			r.Edit = rule.Substring{From: f[0], To: f[1], AtStart: flags&4 > 0, AtEnd: flags&8 > 0}
		case flags&3 == 1:
			r.Edit = readDrop(f[0], f[1], flags)
		case flags&3 == 2:
			r.Edit = rule.Set{Param: f[0], Value: f[1]}
		case form > 0:
			r.Edit = rule.Syntax{Form: form}
		case f[0] != "":
			r.Edit = rule.Rewrite{Template: readTemplate(f[1], f[0])}
		default:
			r.Edit = rule.Order{}
		}
		if r.Scope.HasPath = flags&16 > 0; r.Scope.HasPath {
			r.Scope.Path = f[2]
		}
		r.Scope.Where[0].Param, r.Scope.Prefix = f[3], f[5]
		if c := &r.Scope.Where[0]; flags&32 > 0 {
			c.Value, c.HasValue = f[4], true
		} else if f[4] > f[3] {
			c.Valued, r.Scope.Where[1].Param = true, f[4]
		}
		r.Except = readExcept(append(strings.Split(but, " "), make([]string, 4)...))
		if r.Validate() == nil && len(rules) < 20 {
			rules = append(rules, r)
		}
	}
	return rules
}

// readTemplate reads a template of the shape of a URL. The letters of edits stand for the
// edits of its keys, and capitals for keys with any value. A template that is not valid
// becomes none.
func readTemplate(url, edits string) (t rule.Template) {
	_, segments, names, values, _, ok := naiveParts(url)
	if !ok {
		return t
	}
	all := append(segments, names...)
	var keys []rule.Key
	for i, name := range append(slices.Clip(all), "new") {
		e := edits[i%len(edits)]
		k := rule.Key{Name: name, Any: e < 'a', Absent: i == len(all)}
		if v := values[name]; !k.Any && v != nil {
			k.Value = *v
		}
		switch e | 0x20 {
		case 'd':
			k.Edit = rule.DropKey
		case 's':
			k.Edit, k.To = rule.SetKey, "a"
		case 'c':
			k.Edit, k.To = rule.CopyKey, all[(i+1)%len(all)]
		default:
			if k.Absent {
				continue
			}
		}
		keys = append(keys, k)
	}
	t, _ = rule.NewTemplate(keys)
	return t
}

// readExcept reads a URL and a scope. An Except that is not valid becomes none.
func readExcept(f []string) rule.Except {
	var urls []string
	if f[0] != "" {
		urls = f[:1]
	}
	s := rule.Scope{Path: f[1], HasPath: f[1] != "", Prefix: f[2], Where: rule.With(f[3])}
	var scopes []rule.Scope
	if s != (rule.Scope{}) {
		scopes = append(scopes, s)
	}
	e, err := rule.NewExcept(scopes, urls)
	if err != nil {
		return rule.Except{}
	}
	return e
}

// readDrop reads a drop: of a name, of a name and a value or a second name, or of a pattern.
func readDrop(first, second string, flags byte) rule.Drop {
	d := rule.Drop{Param: first, InPath: flags&64 > 0}
	switch flags & 12 {
	case 4:
		d.Value, d.HasValue = second, true
	case 8:
		d.Other = second
	case 12:
		d.Param, d.Pattern = "", rule.Pattern{Prefix: first, Class: rule.Digits + rule.Class(len(second)%2)}
	}
	return d
}

// For any rules and URL, the canonizer equals the plain loop.
func FuzzCanon(f *testing.F) {
	f.Add("@a b\n@b c d\nD/a /\nH.html", "/a/b.html")
	f.Add("Asid\nBsort 0\nQh   a\nq/ / h a 1", "/?sid=1&a=1;h=2&sort=3&h")
	f.Add("@abcdefghi x\n@abcdefgh y\n@ijk ijklmnop", "/abcdefgh/abcdefghi/ijklmnopq")
	f.Add("@41 x\n@%41 y\n@%C3%A9 e\n@x z   /a%\n@%4 %41", "/a%41%2F41/%C3%A9-%C3%A9a?%4=%4&x")
	f.Add("\x45v 1\nIv w\nMv\n\x01sid\nA", "/?v1234=&w&v=1;sid=2&sid")
	f.Add("Cabc\nCa\nCab\nCabcd\nCabcde\nC", "/A//b%41%c3;n=1?b=&a=%2f;")
	f.Add("\x81n\nQn  /a/*/b", "/a;n=1;m;n/;n/b?n")
	f.Add("@a b!/a\nAsid! / \n\x81n! /a  m\n@x y!  /x", "/a;n=1?sid=1&m=2")
	f.Add("CkKdCcC /a/b?id=1&s=2\nCcsDkkk /?a=1;b", "/a/c?s=2&id=7")
	f.Fuzz(func(t *testing.T, text, url string) {
		rules := readRules(text)
		same(t, compile(t, rules), rules, url, nil)
	})
}
