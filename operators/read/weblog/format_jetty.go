package weblog

// jetty is Jetty's extended NCSA format. Releases before 10 have more blanks, and append
// the latency.
var jetty = Format{
	Name:        "jetty",
	Description: "Jetty's extended NCSA format",
	Pattern:     combined.Pattern,
	Example:     combined.Example,
	Size:        SizeBody,
	SizeNote:    "Jetty writes %O here. In Jetty, %O counts the body only; in Apache, %O includes the headers.",
	Twin:        "combined",
}
