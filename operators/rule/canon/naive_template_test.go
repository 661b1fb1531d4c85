package canon

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"dustbuster/operators/rule"
)

// naiveParts splits a text into the values of its keys, as docs/rules.md defines them. The
// value of a bare name is nil. ok is false if the text fits no template.
func naiveParts(text string) (head string, segments, names []string, values map[string]*string, separator string, ok bool) {
	path, query, has := strings.Cut(text, "?")
	head, path, ok = strings.Cut(path, "/")
	if !ok || strings.Contains(query, "&") && strings.Contains(query, ";") {
		return "", nil, nil, nil, "", false
	}
	values = map[string]*string{}
	for i, s := range strings.Split(path, "/") {
		segments = append(segments, naiveSegment(i))
		values[naiveSegment(i)] = &s
	}
	separator = "&"
	if strings.Contains(query, ";") {
		separator = ";"
	}
	if !has {
		return head, segments, nil, values, separator, true
	}
	for _, piece := range regexp.MustCompile("[&;]").Split(query, -1) {
		name, value, valued := strings.Cut(piece, "=")
		if _, again := values[name]; name == "" || name[0] == '/' || again {
			return "", nil, nil, nil, "", false
		}
		names = append(names, name)
		if values[name] = nil; valued {
			values[name] = &value
		}
	}
	return head, segments, names, values, separator, true
}

func naiveSegment(i int) string {
	digits := ""
	for ; digits == "" || i > 0; i /= 10 {
		digits = string(rune('0'+i%10)) + digits
	}
	return "/" + digits
}

// naiveRewrite applies a template.
func naiveRewrite(t rule.Template, text string) string {
	head, segments, names, old, separator, ok := naiveParts(text)
	if !ok {
		return text
	}
	now, fitting := map[string]*string{}, 0
	for k := range t.Keys() {
		value, is := old[k.Name]
		switch {
		case k.Absent && is:
			return text
		case !k.Absent && (!is || !k.Any && (value == nil || *value != k.Value)):
			return text
		case !k.Absent:
			fitting++
		}
		switch {
		case k.Edit == rule.KeepKey:
			now[k.Name] = value
		case k.Edit == rule.DropKey:
		case is && value == nil:
			return text
		case k.Edit == rule.SetKey:
			now[k.Name] = &k.To
		default:
			value = old[k.To]
			if value == nil || strings.ContainsAny(*value, "/?;&") || *value == "" && k.Name[0] == '/' {
				return text
			}
			now[k.Name] = value
		}
		if k.Absent {
			names = append(names, k.Name)
		}
	}
	if fitting != len(old) {
		return text
	}
	var path, query []string
	for _, k := range segments {
		if v, is := now[k]; is {
			path = append(path, *v)
		}
	}
	for _, k := range names {
		if v, is := now[k]; is && v == nil {
			query = append(query, k)
		} else if is {
			query = append(query, k+"="+*v)
		}
	}
	made := head + "/" + strings.Join(path, "/")
	if len(query) > 0 {
		made += "?" + strings.Join(query, separator)
	}
	return made
}

// shaped returns a URL of one of few shapes.
func (w world) shaped() string {
	url := "/" + strings.Repeat("a/", w.IntN(2)) + []string{"a", "b", "", "1"}[w.IntN(4)]
	if w.IntN(9) == 0 {
		url = "a.b" + url
	}
	for i := range w.IntN(4) {
		url += []string{"?", "&", "&"}[i] + []string{"a", "b", "a1"}[w.IntN(3)] + []string{"=1", "=a", "=a", "=/", "=", ""}[w.IntN(6)]
	}
	if w.IntN(9) == 0 {
		url = strings.ReplaceAll(url, "&", ";")
	}
	return url
}

// template returns a template of the shape of a URL, or of another shape, or none.
func (w world) template() (t rule.Template) {
	_, segments, names, values, _, ok := naiveParts(w.shaped())
	if !ok {
		return t
	}
	all := append(segments, names...)
	var keys []rule.Key
	for _, name := range all {
		k := rule.Key{Name: name, Any: w.IntN(3) > 0}
		if v := values[name]; !k.Any && v != nil {
			k.Value = *v
		}
		w.edit(&k, all)
		keys = append(keys, k)
	}
	if w.IntN(3) == 0 {
		k := rule.Key{Name: w.name(), Absent: true}
		w.edit(&k, all)
		keys = append(keys, k)
	}
	t, _ = rule.NewTemplate(slices.Clip(keys))
	return t
}

func (w world) edit(k *rule.Key, all []string) {
	switch w.IntN(6) {
	case 0:
		k.Edit = rule.DropKey
	case 1:
		k.Edit, k.To = rule.SetKey, strings.NewReplacer("&", "", ";", "", "/", "", "?", "").Replace(w.text(1))
	case 2:
		k.Edit, k.To = rule.CopyKey, all[w.IntN(len(all))]
	}
}

// Templates over the URLs of few shapes.
func TestRewriteRandom(t *testing.T) {
	changed := map[bool]int{}
	for seed := range uint64(20000) {
		w := newWorld(seed)
		r := rule.Rule{Edit: rule.Rewrite{Template: w.template()}}
		if r.Validate() != nil {
			continue
		}
		c := compile(t, []rule.Rule{r})
		for range 10 {
			url := w.shaped()
			applySame(t, r, []string{url})
			same(t, c, []rule.Rule{r}, url, nil)
			changed[naiveRewrite(r.Rewrite().Template, url) != url]++
		}
	}
	if t.Logf("changed: %v", changed); changed[true] < 1000 {
		t.Error("few templates fit")
	}
}
