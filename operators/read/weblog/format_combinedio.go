package weblog

// combinedio is Apache's combined with mod_logio's two fields. The size is %b, the body,
// and not %O, which includes the headers and so differs between equal responses.
var combinedio = Format{
	Name:        "combinedio",
	Description: "Apache's combined with bytes received and sent (mod_logio) at the end",
	Pattern:     combined.Pattern + ` %I %O`,
	Example:     combined.Example + ` 412 5489`,
	Size:        SizeBody,
	SizeNote:    "The size is %b, the body. %O includes the headers, which differ between equal responses, and is not used.",
}
