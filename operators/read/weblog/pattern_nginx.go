package weblog

import (
	"fmt"
	"strings"
)

// nginxVariables are the variables that fill a Hit, and variables that need more than "text up
// to the next literal". If two variables fill the same field, the greater rank wins: the body's
// size before the response's, the host that chose the server before what the client sent, the
// peer's address before a list that anybody can write.
var nginxVariables = map[string]variable{
	"request":         text(fieldRequest, 2),
	"request_method":  text(fieldMethod, 2),
	"request_uri":     path(fieldTarget, 2),
	"uri":             path(fieldPath, 2),
	"document_uri":    path(fieldPath, 1),
	"args":            text(fieldQuery, 2),
	"query_string":    text(fieldQuery, 1),
	"is_args":         {role: roleIsArgs},
	"host":            text(fieldHost, 6),
	"http_host":       text(fieldHost, 3),
	"server_name":     text(fieldHost, 1),
	"server_port":     port,
	"status":          statusCode,
	"body_bytes_sent": sizeFramed,
	"bytes_sent":      sizeTotal,
	"http_user_agent": text(fieldAgent, 2),
	"remote_addr":     text(fieldClient, 3),
	"remote_user":     userName,

	"realip_remote_addr":         text(fieldClient, 2),
	"http_x_forwarded_for":       clientList,
	"proxy_add_x_forwarded_for":  clientList,
	"sent_http_content_encoding": text(fieldEncoding, 2),
	"gzip_ratio":                 text(fieldGzipRatio, 1),
	"time_local":                 timeCommon,
	"time_iso8601":               timeISO,
	"msec":                       timeEpoch,
	"server_protocol":            protocol,
	"remote_port":                clientPort,

	// Not in nginx: used by the formats of this package.
	"skip_padded":   padded,
	"status_loose":  codeLoose,
	"request_whole": text(fieldWholeRequest, 2),
}

// nginxSkipped are the other variables of nginx's core and usual modules.
const nginxSkipped = " ancient_browser binary_remote_addr connection connection_requests" +
	" connection_time connections_active connections_reading connections_waiting connections_writing" +
	" content_length content_type date_gmt date_local document_root fastcgi_path_info" +
	" fastcgi_script_name geoip_city geoip_country_code hostname http2 http3 https invalid_referer" +
	" is_request_port limit_conn_status limit_rate limit_req_status memcached_key modern_browser" +
	" msie nginx_version pid pipe proxy_host proxy_port proxy_alternative_upstream_name realpath_root req_id" +
	" realip_remote_port request_body request_body_file request_completion" +
	" request_filename request_id request_length request_port request_time scheme secure_link" +
	" secure_link_expires server_addr session_log_id skip slice_range spdy uid_got uid_reset uid_set" +
	" userid_got "

// nginxFamilies are the prefixes of open-ended sets of variables.
var nginxFamilies = []string{
	"http_", "sent_http_", "sent_trailer_", "cookie_", "arg_", "ssl_", "geoip_", "geoip2_",
	"jwt_", "proxy_protocol_", "tcpinfo_", "otel_", "opentracing_", "namespace", "ingress_",
	"service_", "the_real_ip",
}

// nginxVariable returns the variable with a name without '$'.
func nginxVariable(name string) (variable, bool) {
	if v, ok := nginxVariables[name]; ok {
		return v, true
	}
	if strings.HasPrefix(name, "upstream_") || strings.HasPrefix(name, "proxy_upstream") {
		return skippedList, true
	}
	if strings.Contains(nginxSkipped, " "+name+" ") {
		return skipped, true
	}
	for _, family := range nginxFamilies {
		if strings.HasPrefix(name, family) {
			return skipped, true
		}
	}
	return variable{}, false
}

func splitNginx(s string) ([]variable, error) {
	var pieces []variable
	for i := 0; i < len(s); {
		name, n := nginxName(s[i:])
		if n == 0 {
			pieces = addLiteral(pieces, s[i:i+1], i)
			i++
			continue
		}
		v, ok := nginxVariable(name)
		if !ok {
			return nil, fmt.Errorf("unknown variable %q at byte %d%s (write $skip for a variable of your own)",
				"$"+name, i, didYouMean("$"+name, knownVariables()))
		}
		v.name, v.at = "$"+name, i
		pieces = append(pieces, v)
		i += n
	}
	return pieces, nil
}

// nginxName returns the name of the variable at the start of s and the length of $name or
// ${name}. The length is 0 if s begins with literal text.
func nginxName(s string) (name string, n int) {
	if len(s) < 2 || s[0] != '$' {
		return "", 0
	}
	if s[1] == '{' {
		end := strings.IndexByte(s, '}')
		if end > 2 {
			return s[2:end], end + 1
		}
		return "", 0
	}
	n = 1
	for n < len(s) && nameByte(s[n]) {
		n++
	}
	if n == 1 {
		return "", 0
	}
	return s[1:n], n
}

func nameByte(c byte) bool {
	return c == '_' || digit(c) || 'a' <= c|0x20 && c|0x20 <= 'z'
}
