package weblog

// elb is the access log of AWS Classic Load Balancers with HTTP listeners.
var elb = Format{
	Name:        "elb",
	Description: "AWS Classic Load Balancer",
	Pattern: `$time_iso8601 $skip $remote_addr:$remote_port $skip $skip $skip $skip $status_loose $skip $skip $body_bytes_sent` +
		` "$request" "$http_user_agent" $skip $skip`,
	Example: `2006-01-02T22:04:05.123456Z my-loadbalancer 192.0.2.7:51234 192.0.2.80:80 0.000086 0.001048 0.001337 200 200 0 5120` +
		` "GET http://www.example.org:80/a?b=1 HTTP/1.1" "Mozilla/5.0" - -`,
	Size:      SizeBody,
	plausible: hasClient,
}
