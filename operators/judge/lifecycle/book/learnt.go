package book

import (
	"dustbuster/operators/rule"
)

// Learnt is the result of the last mining of the forms.
type Learnt struct {
	At     int64        `json:"at"`
	Stage  int          `json:"stage"`  // 1: with the tolerance t; 2: with ten times that
	List   string       `json:"list"`   // the ids of L at that time
	Window uint64       `json:"window"` // mark of the URLs at that time
	Rules  []LearntRule `json:"rules,omitempty"`
	Forms  int          `json:"forms,omitempty"` // their number at that time
}

// LearntRule is a candidate with its support.
type LearntRule struct {
	Rule    rule.Rule `json:"rule"`
	Support int       `json:"support"`
	Grounds Grounds   `json:"grounds,omitempty"`
}
