package config

import (
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v4"
)

// list is a value of several texts: with commas between, or each by itself.
type list struct{ at *[]string }

// Set adds texts.
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

// parsePairs parses name=text, or several of these with commas between.
func parsePairs(text string) (pairs map[string]string, err error) {
	parse := pflag.NewFlagSet("", pflag.ContinueOnError) // pflag's own parser has no name
	parse.StringToStringVar(&pairs, "x", nil, "")
	err = parse.Lookup("x").Value.Set(text)
	return pairs, err
}

// hostLists is a value that joins several hosts to a site.
type hostLists struct{ at *map[string][]string }

// Set adds name="host host", or several of these with commas between.
func (g *hostLists) Set(text string) error {
	pairs, err := parsePairs(text)
	if err != nil {
		return err
	}
	if *g.at == nil {
		*g.at = map[string][]string{}
	}
	for name, hosts := range pairs {
		(*g.at)[name] = strings.Fields(hosts)
	}
	return nil
}

func (g *hostLists) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(*g.at)) {
		parts = append(parts, fmt.Sprintf("%s=%q", name, strings.Join((*g.at)[name], " ")))
	}
	return strings.Join(parts, ",")
}

func (g *hostLists) Type() string    { return "stringToString" }
func (g *hostLists) Expects() string { return `such as name="host host"` }
func (g *hostLists) clear()          { *g.at = nil }

func (g *hostLists) decode(r *reader, p place) {
	*g.at = map[string][]string{}
	r.mapping(p, "names of sites, each with a list of its hosts", func(p place) { (*g.at)[p.name] = r.texts(p, nil) })
}

func (g *hostLists) encode(bool) yaml.Node {
	n := yaml.Node{Kind: yaml.MappingNode}
	for _, name := range slices.Sorted(maps.Keys(*g.at)) {
		n.Content = append(n.Content, pointer(textNode(name)), pointer(textsNode((*g.at)[name])))
	}
	return flowIfEmpty(n)
}

// names is a value that maps names to texts.
type names struct{ at *map[string]string }

// Set adds name=text, or several of these with commas between.
func (n *names) Set(text string) error {
	pairs, err := parsePairs(text)
	if err != nil {
		return err
	}
	if *n.at == nil {
		*n.at = map[string]string{}
	}
	maps.Copy(*n.at, pairs)
	return nil
}

func (n *names) String() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(*n.at)) {
		parts = append(parts, name+"="+(*n.at)[name])
	}
	return strings.Join(parts, ",")
}

func (n *names) Type() string    { return "stringToString" }
func (n *names) Expects() string { return "such as www.example.org=http://10.0.0.7" }
func (n *names) clear()          { *n.at = nil }

func (n *names) decode(r *reader, p place) {
	*n.at = map[string]string{}
	r.mapping(p, "names, each with a text", func(p place) {
		if s, ok := r.text(p, "a text"); ok {
			(*n.at)[p.name] = s
		}
	})
}

func (n *names) encode(bool) yaml.Node {
	node := yaml.Node{Kind: yaml.MappingNode}
	for _, name := range slices.Sorted(maps.Keys(*n.at)) {
		node.Content = append(node.Content, pointer(textNode(name)), pointer(textNode((*n.at)[name])))
	}
	return flowIfEmpty(node)
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
		add := func(key string, v yaml.Node) { one.Content = append(one.Content, pointer(textNode(key)), &v) }
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
