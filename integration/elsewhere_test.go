package integration

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"dustbuster/internal/kafkatest"
	"dustbuster/stream/kafka"
)

// Of two miners that are asked to act on a site, one owns the site, and the other one says
// which member that is.
func TestMinerNamesTheOwner(t *testing.T) {
	t.Parallel()
	c := kafkatest.Shared(t)
	k := openKafka(t, kafka.Options{Brokers: c.Brokers})
	s := newTopics(t, c, k, 4)
	miners := []*member{startMiner(t, c, s, "one"), startMiner(t, c, s, "two")}
	var settled bool
	for deadline := time.Now().Add(patience); !settled && time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		settled = true
		for _, m := range miners {
			settled = settled && strings.Count(m.get("/api/v1/status"), `"partition":`) == 2 && m.get("/readyz") != ""
		}
	}
	names := map[*member]map[string]bool{miners[0]: {}, miners[1]: {}} // by who named them
	for n := range 20 {
		body, own := fmt.Sprintf(`{"site": "site%d.example", "mark": "m"}`, n), 0
		for _, m := range miners {
			answer, err := http.Post("http://"+m.admin+"/api/v1/approve", "application/json", strings.NewReader(body))
			must(t, err)
			var why struct{ Field, Reason, Owner, Host string }
			err = json.NewDecoder(answer.Body).Decode(&why)
			answer.Body.Close()
			switch {
			case err != nil:
				t.Fatal(err)
			case answer.StatusCode == http.StatusNotFound && why.Field == "mark" && why.Owner == "":
				own++
			case answer.StatusCode == http.StatusMisdirectedRequest && why.Field == "site" && why.Owner != "" && why.Host == "127.0.0.1":
				names[m][why.Owner] = true
			default:
				t.Errorf("site %d at %s: %s, %+v", n, m.name, answer.Status, why)
			}
		}
		if own != 1 {
			t.Errorf("site %d: %d miners own it", n, own)
		}
	}
	if one, two := names[miners[0]], names[miners[1]]; !settled || len(one) != 1 || len(two) != 1 || fmt.Sprint(one) == fmt.Sprint(two) {
		t.Errorf("settled %v; named %v and %v", settled, one, two)
	}
	for _, m := range miners {
		m.end(t)
	}
}
