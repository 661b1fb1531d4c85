package weblog

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// One parser reads many lines of one server like encoding/json, whatever the order of their members, and whichever
// lines came before. A parser without lines before reads each like it.
func FuzzJSONMembers(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, uint8(seed))
	}
	formats := []string{"caddy", "traefik_json", "cloudflare"}
	f.Fuzz(func(t *testing.T, seed uint64, at uint8) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := mustNew(t, formats[int(at)%len(formats)])
		plain := &plainReader{format: p.Format().Name}
		var example map[string]any
		d := json.NewDecoder(strings.NewReader(p.Format().Example))
		d.UseNumber()
		must(t, d.Decode(&example))
		order := func(keys []string) { slices.Sort(keys) }
		for i := range 50 {
			if i%10 == 0 { // another server
				mix := r.Uint64()
				order = func(keys []string) {
					rand.New(rand.NewPCG(mix, uint64(len(keys)))).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
				}
			}
			line := scrambled(r, example, order)
			var h, fresh Hit
			err, err2 := p.Parse(&h, line), p.Fresh().Parse(&fresh, line)
			if (err == nil) != (err2 == nil) || err == nil && !same(&h, &fresh) || err != nil && err.Error() != err2.Error() {
				t.Fatalf("%s:\n after others %+v, %v\n alone        %+v, %v", line, found(&h), err, found(&fresh), err2)
			}
			want, plainly := plain.read(string(line))
			must(t, plainly)
			if err == nil && found(&h) != want {
				t.Fatalf("%s:\n got %+v\nwant %+v", line, found(&h), want)
			}
		}
	})
}

// scrambled encodes a value: members come in an order, with blanks and escapes here and there, some are missing, and some
// are new.
func scrambled(r *rand.Rand, v any, order func([]string)) []byte {
	blank := []string{"", "", "", "", "", "", " ", "\t"}[r.IntN(8)]
	switch v := v.(type) {
	case string:
		b, _ := json.Marshal(v + []string{"", "", "", `<"x`, `\é`}[r.IntN(5)*r.IntN(2)])
		if v == "gzip" || strings.Count(v, ":") > 1 {
			b, _ = json.Marshal(v)
		}
		return append(b, blank...)
	case []any:
		list := [][]byte{}
		for _, e := range v {
			list = append(list, scrambled(r, e, order))
		}
		return fmt.Appendf(nil, "[%s%s]%s", blank, strings.Join(texts(list), ","), blank)
	case map[string]any:
		keys := slices.Collect(maps.Keys(v))
		slices.Sort(keys)
		order(keys)
		members := [][]byte{}
		for _, key := range keys {
			switch r.IntN(40) {
			case 0:
				if key != "ClientHost" { // the plain reader knows no other
					continue
				}
			case 1:
				members = append(members, fmt.Appendf(nil, `"new %d":[{"status":[1,"]\""]},%d]`, r.IntN(3), r.IntN(9)))
			case 2:
				members = append(members, fmt.Appendf(nil, `%s"%s_" :%s"%d"`, blank, key, blank, r.IntN(9)))
			}
			members = append(members, fmt.Appendf(nil, `%s"%s"%s:%s%s`, blank, key, blank, blank, scrambled(r, v[key], order)))
		}
		return fmt.Appendf(nil, "{%s}%s", strings.Join(texts(members), ","), blank)
	}
	return fmt.Appendf(nil, "%v%s", v, blank)
}

func texts(list [][]byte) (all []string) {
	for _, b := range list {
		all = append(all, string(b))
	}
	return all
}
