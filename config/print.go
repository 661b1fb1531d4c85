package config

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Print writes a configuration as a file for Load, secrets masked. With sources, each value
// has its source in a comment.
func (c *Config) Print(w io.Writer, sources bool) error {
	const secrets = true
	return c.print(w, sources, !secrets)
}

func (c *Config) print(w io.Writer, sources, secrets bool) error {
	root := yaml.Node{Kind: yaml.MappingNode}
	sections := map[string]*yaml.Node{}
	for _, row := range c.settings() {
		section, name, _ := strings.Cut(row.key, ".")
		into := sections[section]
		if into == nil {
			into = &yaml.Node{Kind: yaml.MappingNode}
			sections[section] = into
			root.Content = append(root.Content, new(textNode(section)), into)
		}
		key, v := textNode(name), row.value.encode(secrets)
		if sources {
			comment(&key, &v, c.source(row.key))
		}
		into.Content = append(into.Content, &key, &v)
	}
	text, err := yaml.Dump(&root, yaml.WithIndent(2), yaml.WithLineWidth(-1))
	if err != nil {
		return fmt.Errorf("print config: %w", err)
	}
	if _, err = w.Write(text); err != nil {
		return fmt.Errorf("print config: %w", err)
	}
	return nil
}

func (c *Config) source(key string) string { return cmp.Or(c.sources[key], "default") }

// comment adds a comment behind a value, or over a value of several lines.
func comment(key, v *yaml.Node, what string) {
	what = "# " + strings.Map(func(r rune) rune {
		if r < ' ' {
			return '?'
		}
		return r
	}, what)
	if v.Kind == yaml.ScalarNode || v.Style == yaml.FlowStyle {
		v.LineComment = what
	} else {
		key.HeadComment = what
	}
}

// plain are texts that mean themselves in YAML without quotes, except numbers and the like,
// which the emitter knows.
var plain = regexp.MustCompile(`^[A-Za-z0-9_./]([A-Za-z0-9_./:-]*[A-Za-z0-9_./-])?$`)

func textNode(s string) yaml.Node {
	n := yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: escape(s)}
	if !plain.MatchString(s) {
		n.Style = yaml.DoubleQuotedStyle
	}
	return n
}

func textsNode(all []string) yaml.Node {
	n := yaml.Node{Kind: yaml.SequenceNode}
	for _, s := range all {
		n.Content = append(n.Content, new(textNode(s)))
	}
	return flowIfEmpty(n)
}

// flowIfEmpty writes an empty list or mapping as [] or {}.
func flowIfEmpty(n yaml.Node) yaml.Node {
	if len(n.Content) == 0 {
		n.Style = yaml.FlowStyle
	}
	return n
}
