package weblog

// heroku is the line of Heroku's router, which stands in the wrapper syslog.
var heroku = Format{
	Name:        "heroku",
	Description: "Heroku's router, behind its time (syslog/heroku)",
	Pattern: `at=info method=$request_method path="$request_uri" host=$host request_id=$skip fwd="$http_x_forwarded_for"` +
		` dyno=$skip connect=$skip service=$skip status=$status bytes=$body_bytes_sent protocol=$skip`,
	Example: `at=info method=GET path="/a?b=1" host=www.example.org request_id=8601b555-6a83-4c12-8269-97c8e32cdb22 fwd="192.0.2.7"` +
		` dyno=web.1 connect=1ms service=18ms status=200 bytes=5120 protocol=https`,
	Size:      SizeUnknown,
	SizeNote:  "The field is bytes. Its documentation says only: bytes transferred from the server to the client.",
	escaping:  &raw,
	plausible: anything,
}
