package weblog

import (
	"maps"
	"strings"
)

// heed makes a scanner read the header that client.Proxies names. It counts before X-Forwarded-For.
func heed(s scanner, header string) {
	switch s := s.(type) {
	case *jsonScanner:
		s.root = s.root.with(header)
	case *consoleScanner:
		s.root = s.root.with(header)
	case *w3cScanner:
		s.header = strings.ToLower(header)
	}
}

// with returns a copy of an object that has the keys of a header as well.
func (o *jsonObject) with(header string) *jsonObject {
	all := &jsonObject{keys: maps.Clone(o.keys), headers: o.headers}
	for key, v := range all.keys {
		if v.object != nil {
			inner := *v
			inner.object = v.object.with(header)
			all.keys[key] = &inner
		}
	}
	lower := strings.ToLower(header)
	under := strings.ReplaceAll(lower, "-", "_")
	value := &jsonValue{field: fieldForwarded, rank: 3, list: true}
	for _, key := range []string{header, lower, under, "http_" + under, "request_" + header, "http.request.header." + lower} {
		all.keys[key] = value
	}
	return all
}
