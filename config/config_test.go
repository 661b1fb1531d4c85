package config

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"
)

// Every field of Config is one row of the table, and no field has two rows.
func TestTableIsComplete(t *testing.T) {
	var c Config
	n := 0
	for name, field := range leaves(reflect.ValueOf(&c).Elem(), "") {
		n++
		before := encodings(&c)
		change(t, field)
		var changed []string
		for key, text := range encodings(&c) {
			if text != before[key] {
				changed = append(changed, key)
			}
		}
		if len(changed) != 1 {
			t.Errorf("%s is in rows %v, want one", name, changed)
		}
	}
	if rows := len(c.settings()); rows != n {
		t.Errorf("%d rows, %d fields", rows, n)
	}
}

func encodings(c *Config) map[string]string {
	all := map[string]string{}
	for _, row := range c.settings() {
		n := row.value.encode(true)
		text, _ := yaml.Dump(&n)
		all[row.key] = string(text)
	}
	return all
}

// leaves returns the fields with values, by name.
func leaves(v reflect.Value, name string) map[string]reflect.Value {
	all := map[string]reflect.Value{}
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case !f.IsExported():
		case f.Type.Kind() == reflect.Struct:
			maps.Copy(all, leaves(v.Field(i), name+f.Name+"."))
		default:
			all[name+f.Name] = v.Field(i)
		}
	}
	return all
}

func change(t *testing.T, v reflect.Value) {
	switch at := v.Addr().Interface().(type) {
	case *string:
		*at = "x"
	case *Secret:
		*at = "x"
	case *Size:
		*at = 7 << 30
	case *int:
		*at = 7
	case *float64:
		*at = 0.5
	case *bool:
		*at = !*at
	case *time.Duration:
		*at = time.Minute
	case *[]string:
		*at = []string{"x"}
	case *map[string]string:
		*at = map[string]string{"x": "y"}
	case *map[string][]string:
		*at = map[string][]string{"x": {"y"}}
	case *[]Input:
		*at = []Input{{Paths: []string{"x"}}}
	default:
		t.Fatalf("no value of type %T", at)
	}
}

// Keys, variables and flags are unambiguous. No variable is a variable set by a container
// platform for a service.
func TestNamesAreUnique(t *testing.T) {
	c := Defaults()
	seen := map[string]bool{}
	for _, row := range c.settings() {
		for _, name := range []string{row.key, Variable(row.key), "--" + row.flag} {
			if seen[name] {
				t.Errorf("%s is used twice", name)
			}
			seen[name] = name != "--"
		}
		if strings.HasSuffix(Variable(row.key), "_PORT") || strings.Contains(Variable(row.key), "_SERVICE_") {
			t.Errorf("%s may be set by others", Variable(row.key))
		}
		if (row.flag == "") != row.secret || (row.usage == "") != row.secret || (row.ok == nil) != (row.want == "") {
			t.Errorf("%s: a flag has usage, a secret has none, what is checked says what is wanted", row.key)
		}
	}
}

// Defaults must themselves be allowed.
func TestDefaultsAreValid(t *testing.T) {
	for _, c := range []Config{Defaults(), MineDefaults()} {
		for _, row := range c.settings() {
			if what := row.problem(); what != "" {
				t.Error(row.key + what)
			}
		}
	}
}

const example = "../docs/config.example.yml"

// The example has every key in the order of the table, with its default and a comment.
func TestExample(t *testing.T) {
	data, err := os.ReadFile(example)
	must(t, err)
	got, err := load(example, data, nil, nil)
	if want := Defaults(); err != nil || !same(&got, &want) {
		t.Errorf("%v, %+v", err, got)
	}
	var titles, headings []string
	for _, g := range groups {
		titles = append(titles, g.title)
	}
	for _, heading := range regexp.MustCompile(`(?m)^# ---- (.*) ----$`).FindAllStringSubmatch(string(data), -1) {
		headings = append(headings, heading[1])
	}
	if !slices.Equal(headings, titles) {
		t.Errorf("the headings are %q, and the groups %q", headings, titles)
	}
	root, err := parse(example, data)
	must(t, err)
	keys := documented(root, "")
	for i, row := range got.settings() {
		if i >= len(keys) || keys[i].key != row.key {
			t.Fatalf("got %v, want %s next", keys, row.key)
		}
		if keys[i].comment == "" {
			t.Errorf("%s has no comment", row.key)
		}
		if row.live != strings.Contains(keys[i].comment, "Live.") {
			t.Errorf("%s: the comment must say Live. if and only if it can change while running", row.key)
		}
	}
	if len(keys) != len(got.settings()) {
		t.Errorf("%d keys, want %d", len(keys), len(got.settings()))
	}
}

type documentation struct{ key, comment string }

// documented returns the keys with values, and the comments above them.
func documented(n *yaml.Node, above string) (all []documentation) {
	for i := 0; i < len(n.Content); i += 2 {
		key, v := n.Content[i], n.Content[i+1]
		if v.Kind == yaml.MappingNode && len(v.Content) > 0 {
			all = append(all, documented(v, key.Value+".")...)
		} else {
			all = append(all, documentation{above + key.Value, key.HeadComment})
		}
	}
	return all
}

// The values in the example's comments must be right as well.
func TestExampleInputs(t *testing.T) {
	data, err := os.ReadFile(example)
	must(t, err)
	_, text, found := strings.Cut(string(data), "For example:\n  #\n")
	text, _, _ = strings.Cut(text, "  inputs: []")
	c, err := load(example, []byte("read:\n"+strings.ReplaceAll(text, "# ", "")), nil, nil)
	if !found || err != nil || len(c.Read.Inputs) != 3 || c.Read.Inputs[2].Paths[0] != "/srv/shop/logs/access*.log" {
		t.Errorf("%v, %+v", err, c.Read.Inputs)
	}
}

func TestFiles(t *testing.T) {
	c := Defaults()
	c.Keep.State = "s"
	if c.RulesFile() != "s/rules.jsonl" || c.EventsFile() != "s/events.jsonl" {
		t.Error(c.RulesFile(), c.EventsFile())
	}
	c.Write.Rules, c.Write.Events = "-", "/e"
	if c.RulesFile() != "-" || c.EventsFile() != "/e" {
		t.Error(c.RulesFile(), c.EventsFile())
	}
}

func TestReloadable(t *testing.T) {
	old := Defaults()
	for _, c := range []struct {
		name    string
		change  func(*Config)
		changed string
		err     string
	}{
		{"nothing", func(*Config) {}, "[]", ""},
		{"null as none", func(c *Config) { c.Read.Inputs = []Input{}; c.Site.Groups = map[string][]string{} }, "[]", ""},
		{"log level", func(c *Config) { c.Write.LogLevel = "debug" }, "[write.log_level]", ""},
		{"inputs and how often", func(c *Config) {
			c.Read.Inputs, c.Pace.RefineInterval, c.Site.Host = []Input{{Paths: []string{"a"}, Site: "b"}}, time.Second, "c"
		}, "[read.inputs site.host pace.refine_interval]", ""},
		{"support", func(c *Config) { c.Rule.MinSupport = 4 }, "[]", "reload config: only a restart can change rule.min_support"},
		{"one that can and two", func(c *Config) { c.Write.LogLevel, c.Keep.State, c.Keep.HashKey = "warn", "x", "y" }, "[]", "reload config: only a restart can change keep.state, keep.hash_key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := Defaults()
			c.change(&now)
			changed, err := Reloadable(old, now)
			if fmt.Sprint(changed) != c.changed || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
				t.Errorf("%v, %v", changed, err)
			}
		})
	}
}
