package compare

import (
	"testing"

	"dustbuster/internal/worlds"
)

// What the learners of templates cover of sites as applications lay them out, at 20, 50 and 100 %
// of the labels. Each learner covers as much as its plain definition (TestShapes of its package); the
// figures say that the definitions fit the sites. Fan-out changes one key, so it covers only what one key
// tells. At less than all labels the one login page is not among them.
func TestShapes(t *testing.T) {
	urls := 2_000
	if *worlds.Long {
		urls = 20_000
	}
	least := map[string]map[string][3]float64{
		"trailing slashes": {"tree": {.99, .99, .99}, "fanout": {.05, .6, .95}},
		"front controller": {"tree": {.99, .99, .99}, "fanout": {.73, .73, .73}},
		"login addresses":  {"tree": {0, 0, .99}, "fanout": {0, 0, .74}},
		"comment pages":    {"tree": {.99, .99, .99}, "fanout": {.86, .86, .86}},
		"amp":              {"tree": {.65, .65, .65}, "fanout": {.32, .32, .32}},
		"blog":             {"tree": {.79, .79, .79}, "fanout": {0, 0, .6}},
		"wiki":             {"tree": {.99, .99, .99}, "fanout": {.99, .99, .99}},
		"bare numbers":     {"tree": {.21, .21, .21}, "fanout": {.21, .21, .21}},
	}
	for _, s := range worlds.Shapes {
		clusters := s.Clusters(1, urls)
		for i, share := range []float64{.2, .5, 1} {
			results, err := Run(clusters, Options{Learners: []string{"tree", "fanout"}, Share: share, Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range results {
				t.Logf("%-16s %3.0f %% %-6s coverage %.3f, false merges %.1f, %d rules", s.Name, 100*share, r.Learner, r.Coverage(), r.FalseMerges(), r.Deployed)
				if want := least[s.Name][r.Learner][i]; r.Coverage() < want || r.FalseMerges() > 5 {
					t.Errorf("%s, %.0f %%: %s covers %.3f with %.1f false merges, want at least %.2f and at most 5", s.Name, 100*share, r.Learner, r.Coverage(), r.FalseMerges(), want)
				}
			}
		}
	}
}
