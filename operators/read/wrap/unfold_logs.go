package wrap

import "slices"

// siteNames are the names of labels and attributes that hold the host that the client asked for,
// the best last. The labels of Loki have no dots. host, hostname, instance and host.name are the
// machine of the shipper.
var siteNames = []string{"server_name", "server_address", "server.address", "net.host.name", "http_host", "http.host",
	"virtual_host", "vhost", "destination_domain", "destination.domain", "url_domain", "url.domain"}

// named is the site that labels or attributes name.
type named struct {
	host []byte
	rank int // 1 more than the index in siteNames; 0: none
}

func (n *named) see(name, value []byte) {
	if rank := slices.Index(siteNames, string(name)) + 1; rank > 0 && rank >= n.rank {
		if host := siteName(value); host != nil {
			n.host, n.rank = host, rank
		}
	}
}

// stream unfolds a stream of Loki's push API. An entry is [time, line], perhaps with an object of
// labels of its own, or, in the older form, an object with the key line.
func (u *Unfolder) stream(stream []byte) bool {
	var labels named
	var entries []byte
	if !object(stream, func(key, value []byte) bool {
		switch string(key) {
		case "stream":
			object(value, func(name, value []byte) bool { labels.see(name, value); return true })
		case "values", "entries":
			entries = value
		}
		return true
	}) {
		return false
	}
	return each(entries, func(entry []byte) bool {
		own, line, n := labels, entry, 0
		if entry[0] == '{' {
			if line = member(entry, "line"); line == nil {
				line = entry
			}
		}
		each(entry, func(value []byte) bool {
			if n++; n == 2 {
				line = value
			} else if n == 3 {
				object(value, func(name, value []byte) bool { own.see(name, value); return true })
			}
			return true
		})
		u.value(own.host, line)
		return true
	})
}

// resource unfolds the records of a resource of OTLP.
func (u *Unfolder) resource(resource []byte) bool {
	var site named
	var scopes []byte
	if !object(resource, func(key, value []byte) bool {
		switch string(key) {
		case "resource":
			each(member(value, "attributes"), func(kv []byte) bool {
				name, value := attribute(kv)
				site.see(name, member(value, "stringValue"))
				return true
			})
		case "scopeLogs":
			scopes = value
		}
		return true
	}) {
		return false
	}
	return each(scopes, func(scope []byte) bool {
		return each(member(scope, "logRecords"), func(record []byte) bool { u.logRecord(site, record); return true })
	})
}

// attribute returns the name, without quotes, and the value of an attribute.
func attribute(kv []byte) (name, value []byte) {
	object(kv, func(key, v []byte) bool {
		switch string(key) {
		case "key":
			name = v
		case "value":
			value = v
		}
		return true
	})
	if len(name) < 2 || name[0] != '"' {
		return nil, nil
	}
	return name[1 : len(name)-1], value
}

// logRecord unfolds a record of OTLP. If its attributes say the URL and the status of a request,
// the line is an object of them. Otherwise it is the body, text or an object, and without a body
// the object of the attributes.
func (u *Unfolder) logRecord(site named, record []byte) {
	var time, observed, body, attributes []byte
	object(record, func(key, value []byte) bool {
		switch string(key) {
		case "timeUnixNano":
			time = value
		case "observedTimeUnixNano":
			observed = value
		case "body":
			body = value
		case "attributes":
			attributes = value
		}
		return true
	})
	if time == nil || string(time) == `"0"` {
		time = observed
	}
	hasURL, hasStatus := false, false
	each(attributes, func(kv []byte) bool {
		name, value := attribute(kv)
		switch string(name) {
		case "url.path", "url.full", "url.original", "http.target", "http.url":
			hasURL = true
		case "http.response.status_code", "http.status_code":
			hasStatus = true
		}
		site.see(name, member(value, "stringValue"))
		return true
	})
	text, fields := member(body, "stringValue"), member(member(body, "kvlistValue"), "values")
	switch {
	case hasURL && hasStatus:
		u.fields(site.host, time, attributes)
	case len(text) > len(`""`) && text[0] == '"':
		u.value(site.host, text)
	case fields != nil:
		u.fields(site.host, time, fields)
	case body != nil && member(body, "bytesValue") != nil && u.base64(member(body, "bytesValue")):
	case len(attributes) > len("[]"):
		u.fields(site.host, time, attributes)
	default:
		u.value(site.host, record)
	}
}

// fields adds a line that is an object of attributes.
func (u *Unfolder) fields(site, time, attributes []byte) {
	u.begin(site)
	u.out = append(u.out, '{')
	if time != nil {
		u.out = append(append(u.out, `"@timestamp":`...), time...)
	}
	u.members(attributes, 0)
	u.out = append(u.out, '}')
	u.end()
}

// maxValues bounds values within values of an attribute.
const maxValues = 16

// members appends attributes as members of an object.
func (u *Unfolder) members(attributes []byte, depth int) {
	each(attributes, func(kv []byte) bool {
		name, value := attribute(kv)
		if name == nil {
			return true
		}
		if u.out[len(u.out)-1] != '{' {
			u.out = append(u.out, ',')
		}
		u.out = append(append(append(u.out, '"'), name...), `":`...)
		u.any(value, depth)
		return true
	})
}

// any appends a value of OTLP in plain JSON.
func (u *Unfolder) any(value []byte, depth int) {
	kind, inner := "", []byte(nil)
	object(value, func(key, value []byte) bool { kind, inner = string(key), value; return false })
	switch {
	case depth == maxValues || inner == nil:
		u.out = append(u.out, "null"...)
	case kind == "kvlistValue":
		u.out = append(u.out, '{')
		u.members(member(inner, "values"), depth+1)
		u.out = append(u.out, '}')
	case kind == "arrayValue":
		u.out = append(u.out, '[')
		first := true
		each(member(inner, "values"), func(value []byte) bool {
			if !first {
				u.out = append(u.out, ',')
			}
			first = false
			u.any(value, depth+1)
			return true
		})
		u.out = append(u.out, ']')
	default:
		u.out = append(u.out, inner...)
	}
}
