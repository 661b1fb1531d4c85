package weblog

// tomcat is the format of the AccessLogValve in Tomcat's own server.xml.
var tomcat = Format{
	Name:        "tomcat",
	Description: "Tomcat's default",
	Pattern:     common.Pattern,
	Example:     common.Example,
	Size:        SizeBody,
	SizeNote:    common.SizeNote,
	Twin:        "common",
}
