package weblog

import (
	"bytes"
	"strings"
)

// nginxJSON is one JSON object a line, under the names that people give to
// nginx's variables. Names of one's own are mapped by giving the log_format
// itself, or only the part of it that matters: {"my_uri":"$request_uri"}.
var nginxJSON = Format{
	Name:        "nginx_json",
	Description: "one JSON object a line (nginx with escape=json), common field names",
	Example: `{"time":"2006-01-02T15:04:05-07:00","host":"www.example.org","remote_addr":"192.0.2.7",` +
		`"request":"GET /a?b=1 HTTP/1.1","status":"200","body_bytes_sent":5120,"http_user_agent":"Mozilla/5.0"}`,
	SizeNote: "A field named body_bytes_sent is taken before bytes_sent and size.",
	scanner: func() scanner {
		return &jsonScanner{root: usualNames, has: HasHost | HasRequest | HasStatus | HasSize |
			HasAgent | HasClient | HasTime | HasEncoding, size: SizeUnknown}
	},
	plausible: func(_ *Hit, line []byte) bool { return !bytes.HasPrefix(line, wholeIndex) }, // whose length is no page's
}

// The ranks of keys that say what the key host is not.
const (
	rankHost   = 3 // of a virtual host beside which host is none
	rankClient = 2 // of a client beside which host is none
)

// usualNames maps the keys. Ranks decide between keys of one line; among
// equals the last wins. Single letters are those of the log_format that the
// documentation recommends; "s", the scheme there and the status elsewhere, is
// left out.
var usualNames = usual(map[string]variable{
	"request request_line r first_request":     text(fieldRequest, 2),
	"request_method method http_method verb m": text(fieldMethod, 2),
	"request_uri u":                          text(fieldTarget, 2),
	"url uri path document_uri request_path": text(fieldPath, 2),
	"args query_string query":                text(fieldQuery, 2),
	"vhost virtual_host h":                   text(fieldHost, rankHost),
	"host":                                   text(fieldHostOrClient, 0),
	"http_host domain":                       text(fieldHost, 2),
	"server_name":                            text(fieldHost, 1),
	"status status_code response_code http_status st": text(fieldStatus, 2),
	"response code":                                                  text(fieldStatus, 1),
	"body_bytes_sent body_bytes body_size b":                         text(fieldSize, 3),
	"size bytes length response_size":                                text(fieldSize, 2),
	"bytes_sent bytes_out":                                           text(fieldSize, 1),
	"http_user_agent user_agent agent useragent userAgent ua":        text(fieldAgent, 2),
	"remote_addr remote remote_ip client_ip client clientip ip addr": text(fieldClient, rankClient),
	"http_x_forwarded_for x_forwarded_for xff":                       text(fieldClient, 1),
	"sent_http_content_encoding content_encoding encoding ce":        text(fieldEncoding, 2),
	"gzip_ratio": text(fieldGzipRatio, 1),
	"time_local time_iso8601 timestamp @timestamp time ts t": text(fieldTime, 2),
	"msec time_msec": text(fieldTime, 2),
	"date datetime":  text(fieldTime, 1),
})

// usual makes an object of keys, several with blanks between sharing one
// meaning.
func usual(meanings map[string]variable) *jsonObject {
	o := &jsonObject{keys: jsonKeys{}}
	for keys, v := range meanings {
		for _, key := range strings.Fields(keys) {
			o.keys[key] = &jsonValue{field: v.field, rank: v.rank}
		}
	}
	return o
}
