package canon_test

import (
	"fmt"
	"log"

	"dustbuster/operators/rule"
	"dustbuster/operators/rule/canon"
)

// A crawler maps every URL to its canonical form.
func ExampleSites() {
	sites, err := canon.NewSites([]canon.Site{{
		Name: "www.example.org",
		Rules: []rule.Rule{
			{Edit: rule.Drop{Param: "sid"}},
			{Edit: rule.Substring{From: "/story?id=", To: "/story_", AtStart: true}},
		},
	}})
	if err != nil {
		log.Fatal(err)
	}
	for _, url := range []string{
		"http://www.example.org/story?id=7&sid=9f3c",
		"http://www.example.org/about",
		"http://elsewhere.example/story?id=7",
	} {
		canonical, changed := sites.Canonical(url)
		fmt.Println(canonical, changed)
	}
	// Output:
	// http://www.example.org/story_7 true
	// http://www.example.org/about false
	// http://elsewhere.example/story?id=7 false
}

// Steps explains a canonical form, edit by edit.
func ExampleSites_Steps() {
	sites, err := canon.NewSites([]canon.Site{{
		Name: "www.example.org",
		Rules: []rule.Rule{
			{Edit: rule.Drop{Param: "sid"}},
			{Edit: rule.Substring{From: "/index.html", To: "/", AtEnd: true}},
		},
	}})
	if err != nil {
		log.Fatal(err)
	}
	for step := range sites.Steps("http://www.example.org/docs/index.html?sid=9f3c") {
		fmt.Println(step.URL)
	}
	// Output:
	// http://www.example.org/docs/index.html
	// http://www.example.org/docs/
}

// A Canonizer has the rules of one site. Its URLs are paths with queries.
func ExampleCompile() {
	c, err := canon.Compile([]rule.Rule{
		{Edit: rule.Set{Param: "lang", Value: "en"}},
		{Edit: rule.Drop{Param: "ref"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	var buffer [rule.MaxBytes]byte
	canonical, outcome := c.Canon(buffer[:0], []byte("/a?lang=de&ref=mail"))
	fmt.Printf("%s %t\n", canonical, outcome.Changed())
	// Output:
	// /a?lang=en true
}
