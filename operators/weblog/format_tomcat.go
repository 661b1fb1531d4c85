package weblog

// tomcat is what the AccessLogValve of Tomcat's own server.xml writes.
var tomcat = Format{
	Name:        "tomcat",
	Description: "Tomcat's default",
	Pattern:     common.Pattern,
	Example:     common.Example,
	Size:        SizeBody,
	SizeNote:    common.SizeNote,
	Twin:        "common",
}
