package book

import "dustbuster/operators/judge/trial"

// Ask is a stand-in that was asked for.
type Ask struct {
	URL  string `json:"u"`           // nobody's: its private pieces are invented
	Rule string `json:"r,omitempty"` // id of the rule for which it was; "": of a set, or a report
	At   int64  `json:"t"`           // Unix time
}

// Bounds of the stand-ins of a site.
const (
	mostStandIns   = 200     // in a day
	mostRefused    = 2       // of a rule, in restTerm
	mostRedirected = 3       // of a rule, in restTerm
	restTerm       = 7 * Day // without stand-ins, after so many
)

// StandIns counts the stand-ins that were asked for.
type StandIns struct {
	today               int
	refused, redirected map[string]int // by id of the rule, in restTerm
}

// StandIns returns the counts at a time. O(pairs).
func (m *Memory) StandIns(now int64) StandIns {
	s := StandIns{refused: map[string]int{}, redirected: map[string]int{}}
	for _, r := range m.Results() {
		if r.Ask == nil || r.Mixed || r.Ask.At <= now-restTerm { // the documents of a control were asked for already
			continue
		}
		if r.Ask.At > now-Day {
			s.today++
		}
		switch r.Reason {
		case trial.StandInRefused:
			s.refused[r.Ask.Rule]++
		case trial.StandInMoved:
			s.redirected[r.Ask.Rule]++
		}
	}
	return s
}

// May reports whether a rule may be given another stand-in: the site had few today, and its server neither refuses
// nor redirects those of the rule.
func (s *StandIns) May(rule string) bool {
	return s.today < mostStandIns && s.refused[rule] < mostRefused && s.redirected[rule] < mostRedirected
}
