package weblog

// azureFrontDoor is Azure Front Door's FrontDoorAccessLog. Azure takes clientIp from X-Forwarded-For
// if the client sends one. The address of the connection is socketIp.
var azureFrontDoor = Format{
	Name:        "azure_front_door",
	Description: "Azure Front Door access log, one JSON record a line",
	Pattern: `{"time":"$time_iso8601","properties":{"httpMethod":"$request_method","requestUri":"$request_uri","httpStatusCode":"$status",` +
		`"responseBytes":"$bytes_sent","userAgent":"$http_user_agent","socketIp":"$remote_addr","clientIp":"$http_x_forwarded_for"}}`,
	Example: `{"time":"2006-01-02T22:04:05.123Z","category":"FrontDoorAccessLog","operationName":"Microsoft.Cdn/Profiles/AccessLog/Write",` +
		`"properties":{"trackingReference":"0abc","httpMethod":"GET","httpVersion":"2.0","requestUri":"https://www.example.org:443/a?b=1",` +
		`"requestBytes":"412","responseBytes":"5120","userAgent":"Mozilla/5.0","clientIp":"192.0.2.7","httpStatusCode":"200","cacheStatus":"MISS"}}`,
	Size:     SizeUnknown,
	SizeNote: "The field is responseBytes. Its documentation says only: the bytes of the response.",
}
