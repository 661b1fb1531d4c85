package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// Of two miners that are asked to act on a site, one owns the site, and the other one says
// which member that is.
func TestMinerNamesTheOwner(t *testing.T) {
	t.Parallel()
	c, k := sharedKafka(t)
	s := newTopics(t, c, k, 4)
	miners := []*running{startMiner(t, c, s, "one"), startMiner(t, c, s, "two")}
	for _, m := range miners {
		await(t, patience, "two partitions", func() (string, bool) {
			status := m.get("/api/v1/status")
			return status, strings.Count(status, `"partition":`) == 2 && m.get("/readyz") != ""
		}, m)
	}
	names := map[*running]map[string]bool{miners[0]: {}, miners[1]: {}} // by who named them
	for n := range 20 {
		body, own := fmt.Sprintf(`{"site": "site%d.example", "mark": "m"}`, n), 0
		for _, m := range miners {
			code, text := post(m.admin, "/api/v1/approve", strings.NewReader(body), "Content-Type", "application/json")
			var why struct{ Field, Reason, Owner, Host string }
			must(t, json.Unmarshal([]byte(text), &why))
			switch {
			case code == http.StatusNotFound && why.Field == "mark" && why.Owner == "":
				own++
			case code == http.StatusMisdirectedRequest && why.Field == "site" && why.Owner != "" && why.Host == "127.0.0.1":
				names[m][why.Owner] = true
			default:
				t.Errorf("site %d at %s: %d, %s", n, m.name, code, text)
			}
		}
		if own != 1 {
			t.Errorf("site %d: %d miners own it", n, own)
		}
	}
	if one, two := names[miners[0]], names[miners[1]]; len(one) != 1 || len(two) != 1 || fmt.Sprint(one) == fmt.Sprint(two) {
		t.Errorf("named %v and %v", one, two)
	}
	end(t, miners...)
}
