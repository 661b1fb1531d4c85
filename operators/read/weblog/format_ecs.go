package weblog

import "strings"

// ecs is a request in the fields of the Elastic Common Schema, as Filebeat's modules nginx and
// apache make them, or of OpenTelemetry's semantic conventions, which took up the schema. A field
// is one key with dots, nested objects, or anything between. The site is the host that the client
// asked for. host.name is the machine that ran the shipper, and source.address is the client.
var ecs = Format{
	Name:        "ecs",
	Description: "Elastic Common Schema (Filebeat's nginx and apache modules) and OpenTelemetry's semantic conventions, one JSON object a line",
	Example: `{"@timestamp":"2006-01-02T22:04:05.000Z","event":{"module":"nginx","dataset":"nginx.access"},"host":{"name":"web-1"},` +
		`"http":{"request":{"method":"GET"},"response":{"body":{"bytes":5120},"status_code":200},"version":"1.1"},` +
		`"source":{"address":"192.0.2.7","ip":"192.0.2.7"},"url":{"domain":"www.example.org","original":"/a?b=1","path":"/a","query":"b=1"},"user_agent":{"original":"Mozilla/5.0"}}`,
	Size:     SizeBodyOrTotal,
	SizeNote: "http.response.body.bytes (or .size) is preferred to http.response.bytes. host.name is the machine of the shipper, and never the site.",
	scanner: func() scanner {
		const has = HasHost | HasRequest | HasStatus | HasSize | HasAgent | HasClient | HasTime | HasEncoding
		return &jsonScanner{root: ecsNames, anyCase: true, filling: filling{has, SizeBodyOrTotal}}
	},
}

// ecsNames maps the fields of both conventions, the old names of OpenTelemetry's included.
var ecsNames = dotted(map[string]variable{
	"http.request.method http.method":                  text(fieldMethod, 2),
	"url.full http.url":                                text(fieldTarget, 3), // names the host
	"url.original http.target":                         text(fieldTarget, 2),
	"url.path":                                         text(fieldPath, 2),
	"url.query":                                        text(fieldQuery, 2),
	"url.domain":                                       text(fieldHost, 4),
	"destination.domain http.host":                     text(fieldHost, 3),
	"http.request.header.host":                         text(fieldHost, 3),
	"server.address server.domain net.host.name":       text(fieldHost, 2),
	"server_name":                                      text(fieldHost, 1),
	"http.response.status_code http.status_code":       text(fieldStatus, 2),
	"http.response.body.bytes http.response.body.size": text(fieldSize, 3),
	"http.response_content_length":                     text(fieldSize, 2),
	"http.response.bytes http.response.size":           text(fieldSize, 1),
	"http.response.header.content-encoding":            text(fieldEncoding, 2),
	"user_agent.original http.user_agent":              text(fieldAgent, 2),
	"network.peer.address net.sock.peer.addr":          text(fieldClient, 3),
	"source.address source.ip":                         text(fieldClient, 2),
	"http.request.header.x-forwarded-for":              text(fieldForwarded, 2),
	"client.address client.ip http.client_ip":          text(fieldForwarded, 1), // OpenTelemetry takes it from X-Forwarded-For
	"@timestamp":                                       text(fieldTime, 2),
})

// dotted returns an object of fields whose names have dots. Each dot of a field may be within a
// key, or stand between an object and its key. A value may be the first of a list.
func dotted(meanings map[string]variable) *jsonObject {
	root := &jsonObject{keys: map[string]*jsonValue{}}
	for names, v := range meanings {
		for _, name := range strings.Fields(names) {
			root.put(strings.Split(name, "."), v)
		}
	}
	return root
}

func (o *jsonObject) put(words []string, v variable) {
	for n := 1; n <= len(words); n++ {
		key := strings.Join(words[:n], ".")
		value := o.keys[key]
		if value == nil {
			value = &jsonValue{}
			o.keys[key] = value
		}
		if n == len(words) {
			value.variable, value.list = v, true
			return
		}
		if value.object == nil {
			value.object = &jsonObject{keys: map[string]*jsonValue{}}
		}
		value.object.put(words[n:], v)
	}
}
