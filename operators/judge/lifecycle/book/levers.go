package book

// Levers switches levers of the trials off, to measure what each brings (make long NAME=ablation). A lever is a
// refinement without which the package would still work. In use all are on.
type Levers struct {
	EarlyForms     bool // forms are mined before the last candidates of the window are tried
	GivingWay      bool // a trial gives way to another when a pair differs
	KnownPairs     bool // documents already fetched change the order of candidates
	FirmNegatives  bool // where second looks confirm the first, a candidate is refuted after one look
	OddPairs       bool // pairs whose sizes differ unlike those of others are all tried
	Outliers       bool // where most pages are equal, a page that differs in many words is another
	OwnWords       bool // pages that are clearly alike are told apart by words of their own
	MovingPages    bool // pages that never stand still are compared by what lasts of them
	OtherPages     bool // mixed pairs are of different pages
	UnlikePages    bool // one exception for all pages that the log shows to be unlike
	EarlyNarrowing bool // a rule is refuted early if narrower scopes keep most of it
	LikelyDrops    bool // drops by the lengths of URLs are candidates
	General        bool // a drop is tried in place of a substring rule with the same moves
	TwoSteps       bool // a rule joins L provisionally after 20 outcomes without a negative, and is proved later
	OwnValues      bool // an exception may be a value of the parameter that the rule removes or sets
	SmallImages    bool // in strict trials, a small image counts if it is as large as the log says
	StandIns       bool // an invented URL is asked for in the place of a private one
	Names          bool // refused values of a name lower the chance of its others
	Doubts         bool // after three refusals for one reason, the other parts of an edit come last
	AlikeDrops     bool // a drop on one path whose pairs are all alike has better grounds than its weight
	LogScopes      bool // where no tried pair held, sizes in the log suggest narrower scopes
	UndecidedParts bool // a rule whose pages prove nothing is tried where they did
	LateParts      bool // parts of a rule that may have held by chance come last
	Chances        bool // verdicts and the log's grounds change the order of candidates
}
