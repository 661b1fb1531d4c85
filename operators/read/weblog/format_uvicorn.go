package weblog

// uvicorn is the access log of uvicorn: no time, no size, no user agent.
var uvicorn = Format{
	Name:        "uvicorn",
	Description: "uvicorn's default: client, request, status",
	Pattern:     `INFO:     $remote_addr:$remote_port - "$request" $status $skip`,
	Example:     `INFO:     192.0.2.7:51234 - "GET /a?b=1 HTTP/1.1" 200 OK`,
}
