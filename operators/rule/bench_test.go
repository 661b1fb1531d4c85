package rule_test

import (
	"testing"

	"dustbuster/internal/expect"
	"dustbuster/operators/rule"
)

// BenchmarkApply applies one rule to one URL.
func BenchmarkApply(b *testing.B) {
	except, err := rule.NewExcept([]rule.Scope{{HasPath: true, Path: "/a"}, {Prefix: "/b/"}, {Where: rule.Where("a", "2")}}, []string{"/c?sid=1", "/d?sid=2", "/e?sid=3"})
	expect.NoError(b, err)
	template, err := rule.NewTemplate([]rule.Key{{Name: "/0", Value: "show"}, {Name: "/1", Any: true, Edit: rule.CopyKey, To: "id"}, {Name: "id", Any: true, Edit: rule.DropKey},
		{Name: "lang", Any: true}, {Name: "v", Value: "1", Edit: rule.DropKey}})
	expect.NoError(b, err)
	for _, c := range []struct {
		name string
		rule rule.Rule
		url  string
	}{
		{"substring", rule.Rule{Edit: rule.Substring{From: "/index.html", To: "/", AtEnd: true}}, "/news/2024/index.html"},
		{"drop", rule.Rule{Edit: rule.Drop{Param: "sid"}}, "/news/story?a=1&sid=0a1b2c"},
		{"drop with six exceptions", rule.Rule{Edit: rule.Drop{Param: "sid"}, Except: except}, "/news/story?a=1&sid=0a1b2c"},
		{"template of five keys", rule.Rule{Edit: rule.Rewrite{Template: template}}, "/show/x?id=77&lang=en&v=1"},
	} {
		b.Run(c.name, func(b *testing.B) {
			url, dst := []byte(c.url), make([]byte, 0, 256)
			for b.Loop() {
				if _, changed := c.rule.Apply(dst, url); !changed {
					b.Fatal("unchanged")
				}
			}
		})
	}
}
