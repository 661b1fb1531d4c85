package weblog

// jetty is Jetty's extended NCSA format. Releases before 10 wrote more blanks,
// and a latency after it.
var jetty = Format{
	Name:        "jetty",
	Description: "Jetty's extended NCSA format",
	Pattern:     combined.Pattern,
	Example:     combined.Example,
	Size:        SizeBody,
	SizeNote:    "Jetty writes %O here, which counts the body in Jetty and not, as in Apache, the headers too.",
	Twin:        "combined",
}
