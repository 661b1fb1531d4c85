package rules

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// equalLists reports whether two lists are equal, but for the canonizers.
func equalLists(a, b *List) bool {
	plain := func(l *List) []Site {
		sites := slices.Clone(l.Sites)
		for i := range sites {
			sites[i].compiled = nil
		}
		return sites
	}
	return reflect.DeepEqual(plain(a), plain(b)) && a.Other == b.Other && a.Unknown == b.Unknown && fmt.Sprint(a.Why) == fmt.Sprint(b.Why)
}

// sameRead reads a text with a memory, and compares with the reading line by line.
func sameRead(t *testing.T, m *memory, text string) *List {
	t.Helper()
	got, err := m.read(strings.NewReader(text))
	want, wantErr := readLines([]byte(text))
	if (err == nil) != (wantErr == nil) || err == nil && !equalLists(got, want) {
		t.Fatalf("%s\n%+v (%v), want %+v (%v)", text, got, err, want, wantErr)
	}
	return got
}

// Lists that change, with errors and without, are read as line by line.
func TestReadChanged(t *testing.T) {
	outcomes := map[bool]int{}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var lines []string
		for i := range 12 {
			site := fmt.Sprint("s", i/3, ".example")
			lines = append(lines, record(site, fmt.Sprint(i), "valid", i, "/xx", "/x"))
		}
		m := remembering()
		for range 10 {
			switch i := r.IntN(len(lines)); r.IntN(9) {
			case 0:
				lines[i] = strings.Replace(lines[i], "/xx", "/xxx", 1)
			case 1:
				lines[i] = strings.Replace(lines[i], "valid", "refuted", 1)
			case 2:
				lines[i] = strings.Replace(lines[i], `"site":"s1`, `"site":"s\u0031`, 1)
			case 3:
				lines[i] = strings.Replace(lines[i], `"scope":{}`, `"scope":{"new":1}`, 1)
			case 4:
				lines[i] = "\n" + lines[i]
			case 5:
				lines = append(slices.Delete(slices.Clone(lines), i, i+1), lines[i])
			case 6:
				lines = slices.Delete(lines, i, i+1)
			case 7:
				lines[i] = strings.Replace(lines[i], `{`, `{"unknown":"\"site\":\"",`, 1)
			}
			text := strings.Join(lines, "")
			if seed%20 == 0 {
				text = strings.TrimSuffix(text, "}\n")
			}
			l := sameRead(t, &m, text)
			outcomes[l == nil]++
			if len(lines) < 4 {
				break
			}
		}
	}
	if outcomes[true] < 50 || outcomes[false] < 500 {
		t.Errorf("lists with and without an error: %v", outcomes)
	}
}

// Sites whose lines have not changed are neither parsed nor compiled again.
func TestReadOnlyNew(t *testing.T) {
	m := remembering()
	text := string(manySites(t, 20))
	before := sameRead(t, &m, text)
	after := sameRead(t, &m, strings.Replace(text, `"samples":59`, `"samples":60`, 1)+record("new.example", "1", "valid", 1, "/xx", "/x"))
	if len(after.Sites) != 21 {
		t.Fatalf("%d sites", len(after.Sites))
	}
	old := map[string]*Site{}
	for i := range before.Sites {
		old[before.Sites[i].Name] = &before.Sites[i]
	}
	for i := range after.Sites {
		s := &after.Sites[i]
		isNew := s.Name == "new.example" || s.Name == "www.site0.example"
		if was := old[s.Name]; isNew == (was != nil && was.compiled == s.compiled && &was.Rules[0] == &s.Rules[0]) || s.compiled == nil {
			t.Errorf("%s: shared with the last list: %v", s.Name, !isNew)
		}
	}
	if len(m.blocks) != 21 {
		t.Errorf("%d blocks are kept", len(m.blocks))
	}
}

// BenchmarkFollow reads the list of BenchmarkOpen again after one rule of one site has
// changed.
func BenchmarkFollow(b *testing.B) {
	texts := [2][]byte{manySites(b, 10000)}
	texts[1] = bytes.Replace(texts[0], []byte(`"samples":59`), []byte(`"samples":60`), 1)
	m := remembering()
	var l Live
	read := func(text []byte) {
		list, err := m.read(bytes.NewReader(text))
		if err == nil {
			err = l.Set(list)
		}
		must(b, err)
	}
	read(texts[0])
	for i := 1; b.Loop(); i++ {
		read(texts[i%2])
	}
}
