package weblog

// azureAppGateway is the access log of Azure Application Gateway.
var azureAppGateway = Format{
	Name:        "azure_app_gateway",
	Description: "Azure Application Gateway's access log, one JSON object a line",
	Pattern: `{"time":"$time_iso8601","timeStamp":"$time_iso8601","properties":{"clientIP":"$remote_addr","httpMethod":"$request_method",` +
		`"originalRequestUriWithArgs":"$request_uri","requestUri":"$uri","requestQuery":"$args","userAgent":"$http_user_agent",` +
		`"httpStatus":"$status","sentBytes":"$bytes_sent","originalHost":"$host","host":"$http_host"}}`,
	Example: `{"timeStamp":"2006-01-02T22:04:05+00:00","resourceId":"/x","operationName":"ApplicationGatewayAccess","category":"ApplicationGatewayAccessLog",` +
		`"properties":{"instanceId":"appgw_0","clientIP":"192.0.2.7","httpMethod":"GET","requestUri":"/a","requestQuery":"b=1","userAgent":"Mozilla/5.0",` +
		`"httpStatus":200,"httpVersion":"HTTP/1.1","receivedBytes":184,"sentBytes":5120,"host":"10.0.0.7","originalHost":"www.example.org"}}`,
	SizeNote: "The field is sentBytes, which counts the headers.",
}
