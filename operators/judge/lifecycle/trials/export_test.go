package trials

// What tests from outside need and no caller asks for: which scopes a rule is narrowed to, and whether it is.
var (
	Narrowed  = narrowed
	Keeps     = keeps
	Held      = (*Trial).held
	Promising = (*Trial).promising
)
