package config

import (
	"encoding/csv"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"
)

// list is a value of several texts: with commas between, or each by itself.
type list struct{ at *[]string }

func (l *list) Set(text string) error {
	fields, err := commas(text)
	*l.at = append(*l.at, fields...)
	return err
}

// commas splits a text at commas; a comma in double quotes is part of the text.
func commas(text string) ([]string, error) {
	if text == "" {
		return nil, nil
	}
	return csv.NewReader(strings.NewReader(text)).Read()
}

func (l *list) String() string            { return strings.Join(*l.at, ",") }
func (l *list) Type() string              { return "stringSlice" }
func (l *list) Expects() string           { return "a list, with commas between" }
func (l *list) clear()                    { *l.at = nil }
func (l *list) decode(r *reader, p place) { *l.at = r.texts(p, nil) }
func (l *list) encode(bool) yaml.Node     { return textsNode(*l.at) }

// pairs is a value that maps names to texts, or to lists of texts.
type pairs[V any] struct {
	at      *map[string]V
	expects string // of a text
	wants   string // of YAML
	parse   func(text string) V
	print   func(V) string
	read    func(*reader, place) (V, bool)
	node    func(V) yaml.Node
}

// hostLists is a value that joins several hosts to a site.
func hostLists(at *map[string][]string) *pairs[[]string] {
	return &pairs[[]string]{at, `such as name="host host"`, "names of sites, each with a list of its hosts",
		strings.Fields,
		func(hosts []string) string { return strconv.Quote(strings.Join(hosts, " ")) },
		func(r *reader, p place) ([]string, bool) { return r.texts(p, nil), true }, textsNode}
}

// names is a value that maps names to texts.
func names(at *map[string]string) *pairs[string] {
	same := func(text string) string { return text }
	return &pairs[string]{at, "such as www.example.org=http://10.0.0.7", "names, each with a text", same, same,
		func(r *reader, p place) (string, bool) { return r.text(p, "a text") }, textNode}
}

// Set adds name=text, or several of these with commas between.
func (v *pairs[V]) Set(text string) error {
	var texts map[string]string
	parse := pflag.NewFlagSet("", pflag.ContinueOnError) // pflag's own parser has no name
	parse.StringToStringVar(&texts, "x", nil, "")
	if err := parse.Lookup("x").Value.Set(text); err != nil {
		return err
	}
	if *v.at == nil {
		*v.at = map[string]V{}
	}
	for name, text := range texts {
		(*v.at)[name] = v.parse(text)
	}
	return nil
}

func (v *pairs[V]) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(*v.at)) {
		parts = append(parts, name+"="+v.print((*v.at)[name]))
	}
	return strings.Join(parts, ",")
}

func (v *pairs[V]) Type() string    { return "stringToString" }
func (v *pairs[V]) Expects() string { return v.expects }
func (v *pairs[V]) clear()          { *v.at = nil }

func (v *pairs[V]) decode(r *reader, p place) {
	*v.at = map[string]V{}
	r.mapping(p, v.wants, func(p place) {
		if one, ok := v.read(r, p); ok {
			(*v.at)[p.name] = one
		}
	})
}

func (v *pairs[V]) encode(bool) yaml.Node {
	n := yaml.Node{Kind: yaml.MappingNode}
	for _, name := range slices.Sorted(maps.Keys(*v.at)) {
		n.Content = append(n.Content, new(textNode(name)), new(v.node((*v.at)[name])))
	}
	return flowIfEmpty(n)
}

// inputs is the value of all inputs. As text, inputs are paths alone.
type inputs struct{ at *[]Input }

// Set adds an input of one path.
func (in *inputs) Set(text string) error {
	*in.at = append(*in.at, Input{Paths: []string{text}})
	return nil
}

func (in *inputs) String() string {
	var paths []string
	for _, i := range *in.at {
		paths = append(paths, i.Paths...)
	}
	return strings.Join(paths, ",")
}

func (in *inputs) Type() string    { return "stringArray" }
func (in *inputs) Expects() string { return "paths, with commas between" }
func (in *inputs) clear()          { *in.at = nil }

func (in *inputs) decode(r *reader, p place) {
	*in.at = nil
	r.sequence(p, "a list of inputs, each with paths", func(p place) {
		*in.at = append(*in.at, in.one(r, p))
	})
}

func (in *inputs) one(r *reader, at place) (i Input) {
	before := len(r.errs)
	r.mapping(at, "paths, and perhaps a format and a site", func(p place) {
		switch p.name {
		case "paths":
			i.Paths = r.texts(p, wrongPath)
		case "format":
			text(&i.Format).decode(r, p)
			r.failIf(p, wrongFormat(i.Format))
		case "site":
			text(&i.Site).decode(r, p)
			r.failIf(p, wrongSite(i.Site))
		default:
			r.unknown(p, []string{"paths", "format", "site"})
		}
	})
	if len(i.Paths) == 0 && len(r.errs) == before {
		r.fail(at, " must have paths, such as [/var/log/nginx/access.log]")
	}
	return i
}

func (in *inputs) encode(bool) yaml.Node {
	n := yaml.Node{Kind: yaml.SequenceNode}
	for _, i := range *in.at {
		one := yaml.Node{Kind: yaml.MappingNode}
		add := func(key string, v yaml.Node) { one.Content = append(one.Content, new(textNode(key)), &v) }
		add("paths", textsNode(i.Paths))
		if i.Format != "" {
			add("format", textNode(i.Format))
		}
		if i.Site != "" {
			add("site", textNode(i.Site))
		}
		n.Content = append(n.Content, &one)
	}
	return flowIfEmpty(n)
}
