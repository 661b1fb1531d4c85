package weblog

import (
	"bytes"
	"strings"
)

// nginxJSON is one JSON object a line, under the usual names for nginx's variables. For
// other names, give the log_format itself, or only the needed part:
// {"my_uri":"$request_uri"}.
var nginxJSON = Format{
	Name:        "nginx_json",
	Description: "one JSON object a line (nginx with escape=json), common field names",
	Example: `{"time":"2006-01-02T15:04:05-07:00","host":"www.example.org","remote_addr":"192.0.2.7",` +
		`"request":"GET /a?b=1 HTTP/1.1","status":"200","body_bytes_sent":5120,"http_user_agent":"Mozilla/5.0"}`,
	SizeNote: "The field body_bytes_sent is preferred to bytes_sent and size.",
	scanner: func() scanner {
		const has = HasHost | HasRequest | HasStatus | HasSize | HasAgent | HasClient | HasTime | HasEncoding
		return &jsonScanner{root: usualNames, filling: filling{has, SizeUnknown}}
	},
	plausible: func(_ *Hit, line []byte) bool { return !bytes.HasPrefix(line, wholeIndex) }, // the length of an index is not the length of a page
}

// Ranks of keys that decide the meaning of the key host.
const (
	rankHost   = 3 // of a virtual host; the key host is then ignored
	rankClient = 2 // of a client; the key host is then not the client
)

// usualNames maps the keys. Ranks decide between keys of one line; among equal ranks the
// last key wins. The single letters are the keys of the log_format in the documentation.
// "s" is left out: "s" is the scheme there and the status elsewhere.
var usualNames = usual(map[string]variable{
	"request request_line r first_request":                text(fieldRequest, 2),
	"request_method method http_method httpMethod verb m": text(fieldMethod, 2),
	"request_uri u":                          text(fieldTarget, 2),
	"url uri path document_uri request_path": text(fieldAddress, 2),
	"args query_string query":                text(fieldQuery, 2),
	"vhost virtual_host h":                   text(fieldHost, rankHost),
	"host":                                   text(fieldHostOrClient, 0),
	"@version":                               text(fieldShipped, 0),
	"http_host domain domainName authority :authority": text(fieldHost, 2),
	"server_name": text(fieldHost, 1),
	"status status_code response_code http_status st": text(fieldStatus, 2),
	"response code":                                                           text(fieldStatus, 1),
	"body_bytes_sent body_bytes body_size b":                                  text(fieldSize, 3),
	"size bytes length response_size responseLength":                          text(fieldSize, 2),
	"bytes_sent bytes_out":                                                    text(fieldSize, 1),
	"http_user_agent user_agent agent useragent userAgent ua":                 text(fieldAgent, 2),
	"remote_addr remote remote_ip client_ip client clientip ip sourceIp addr": text(fieldClient, rankClient),
	"downstream_remote_address":                                               text(fieldClient, 1),
	forwardedKeys:                                                             text(fieldForwarded, 1),
	"sent_http_content_encoding content_encoding encoding ce":                 text(fieldEncoding, 2),
	"gzip_ratio": text(fieldGzipRatio, 1),
	"time_local time_iso8601 timestamp @timestamp time ts t requestTime start_time": text(fieldTime, 2),
	"msec time_msec": text(fieldTime, 2),
	"date datetime":  text(fieldTime, 1),
})

// forwardedKeys are the usual names of X-Forwarded-For.
const forwardedKeys = "http_x_forwarded_for x_forwarded_for xff x-forwarded-for X-Forwarded-For X_FORWARDED_FOR HTTP_X_FORWARDED_FOR" +
	" forwarded_for forwarded-for forwardedFor x_forwarded xForwardedFor XForwardedFor http_xff proxy_add_x_forwarded_for request_X-Forwarded-For"

// usual returns an object of keys. Keys separated by blanks share one meaning.
func usual(meanings map[string]variable) *jsonObject {
	o := &jsonObject{keys: map[string]*jsonValue{}}
	for keys, v := range meanings {
		for _, key := range strings.Fields(keys) {
			o.keys[key] = &jsonValue{variable: v, list: v.field == fieldForwarded}
		}
	}
	return o
}
