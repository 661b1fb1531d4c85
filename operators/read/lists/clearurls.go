package lists

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// provider is what a list of ClearURLs says of some sites.
type provider struct {
	urlPattern string
	except     []text
	rules      []text // patterns of whole names
}

// text is a text of the list with its line.
type text struct {
	text string
	line int
}

// document reads JSON piece by piece, so that each text has its line.
type document struct {
	*json.Decoder
	text []byte
	seen int // bytes whose lines are counted
	line int
}

// next returns the next token.
func (d *document) next() (json.Token, error) {
	t, err := d.Token()
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", d.at(), err)
	}
	return t, nil
}

// at returns the line of the last token.
func (d *document) at() int {
	now := min(int(d.InputOffset()), len(d.text))
	d.line += bytes.Count(d.text[d.seen:now], []byte("\n"))
	d.seen = now
	return d.line
}

var errShape = errors.New(`the list is JSON, but not as that of ClearURLs, which is {"providers": {NAME: {"urlPattern": ..., "rules": [...]}}}`)

// readJSON adds the list of ClearURLs.
func (a *adder) readJSON(list []byte) error {
	d := &document{Decoder: json.NewDecoder(bytes.NewReader(list)), text: list, line: 1}
	found := false
	err := d.object(func(key string) error {
		if key != "providers" {
			return d.leaveOut()
		}
		found = true
		return d.object(func(string) error {
			p, err := d.provider()
			if err != nil {
				return err
			}
			return a.provider(p)
		})
	})
	if err == nil && !found {
		err = errShape
	}
	return err
}

// object calls member behind the key of each member.
func (d *document) object(member func(key string) error) error {
	t, err := d.next()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return fmt.Errorf("line %d: %w", d.at(), errShape)
	}
	for d.More() {
		key, err := d.next()
		if err != nil {
			return err
		}
		if err := member(key.(string)); err != nil { // keys are texts
			return err
		}
	}
	_, err = d.next()
	return err
}

func (d *document) leaveOut() error {
	var any json.RawMessage
	if err := d.Decode(&any); err != nil {
		return fmt.Errorf("line %d: %w", d.at(), err)
	}
	return nil
}

func (d *document) provider() (p provider, err error) {
	err = d.object(func(key string) error {
		switch key {
		case "urlPattern":
			t, err := d.next()
			pattern, is := t.(string)
			if err == nil && !is {
				err = fmt.Errorf("line %d: %w", d.at(), errShape)
			}
			p.urlPattern = pattern
			return err
		case "rules", "referralMarketing":
			return d.texts(&p.rules)
		case "exceptions":
			return d.texts(&p.except)
		}
		return d.leaveOut()
	})
	return p, err
}

func (d *document) texts(to *[]text) error {
	t, err := d.next()
	if err != nil {
		return err
	}
	if t != json.Delim('[') {
		return fmt.Errorf("line %d: %w", d.at(), errShape)
	}
	for d.More() {
		t, err := d.next()
		if err != nil {
			return err
		}
		one, is := t.(string)
		if !is {
			return fmt.Errorf("line %d: %w", d.at(), errShape)
		}
		*to = append(*to, text{one, d.at()})
	}
	_, err = d.next()
	return err
}

// provider adds the names of a provider. Its pattern must match the root of a site: https://HOST/.
func (a *adder) provider(p provider) error {
	if len(p.rules) == 0 {
		return nil
	}
	a.line = p.rules[0].line
	var on func(site string) bool
	if p.urlPattern != ".*" {
		where := a.compile("(?i)" + p.urlPattern)
		if where == nil {
			return nil
		}
		on = a.where(where, p.except)
	}
	to := a.to(on)
	for _, r := range p.rules {
		a.line = r.line
		switch {
		case regexp.QuoteMeta(r.text) == r.text && isName(r.text):
			if err := a.name(to, r.text, true); err != nil {
				return err
			}
		default:
			if err := a.pattern(to, "^(?i:"+r.text+")$", false); err != nil {
				return err
			}
		}
	}
	return nil
}

// where returns the test of a site by patterns of URLs.
func (a *adder) where(pattern *regexp.Regexp, except []text) func(site string) bool {
	var but []*regexp.Regexp
	for _, e := range except {
		a.line = e.line
		if re := a.compile("(?i)" + e.text); re != nil {
			but = append(but, re)
		}
	}
	return func(site string) bool {
		root := "https://" + site + "/"
		for _, re := range but {
			if re.MatchString(root) {
				return false
			}
		}
		return pattern.MatchString(root)
	}
}
