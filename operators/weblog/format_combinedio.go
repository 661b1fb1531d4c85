package weblog

// combinedio is Apache's combined with mod_logio's two fields. Its size is
// taken from %b, the body, and not from %O, which counts the headers too and
// so differs between equal answers.
var combinedio = Format{
	Name:        "combinedio",
	Description: "Apache's combined with bytes received and sent (mod_logio) at the end",
	Pattern:     combined.Pattern + ` %I %O`,
	Example:     combined.Example + ` 412 5489`,
	Size:        SizeBody,
	SizeNote:    "The size is %b, the body; %O, which counts the headers too, is not used, since headers differ between equal answers.",
}
