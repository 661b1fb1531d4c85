package files

import (
	"path/filepath"
	"regexp"
	"strings"

	"dustbuster/operators/url/urlnorm"
)

// hostsOf returns the hosts that the paths of logs name, by path: domains/a.example.log,
// vhosts/a.example/logs/access_ssl_log. It is empty unless the paths name at least two hosts, since one
// name may be that of a machine. The name of a file counts before those of its folders, and the inner
// folder before the outer.
func hostsOf(paths []string) map[string]string {
	hosts, different := map[string]string{}, map[string]bool{}
	for _, path := range paths {
		words := strings.Split(filepath.ToSlash(path), "/")
		for i := len(words) - 1; i >= 0; i-- {
			if host, ok := hostIn(words[i], i == len(words)-1); ok {
				hosts[path], different[host] = host, true
				break
			}
		}
	}
	if len(different) < 2 {
		return nil
	}
	return hosts
}

// hostIn returns the host in the name of a file or folder. Of a file, the date, the number, the
// endings and the words around the host are cut: access, log, ssl and their like.
func hostIn(name string, isFile bool) (host string, ok bool) {
	if isFile {
		l, _ := parseName(name)
		name = monthly.ReplaceAllString(l.family, "")
	}
	name = strings.ToLower(name)
	for cut := true; cut; {
		name, cut = cutWord(name)
	}
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	if len(labels) < 2 || len(last) < 2 || strings.Trim(last, "abcdefghijklmnopqrstuvwxyz") != "" && !strings.HasPrefix(last, "xn--") || isIn(insideNames, last) {
		return "", false
	}
	for _, label := range labels {
		if label == "" || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" {
			return "", false
		}
	}
	return urlnorm.Host(name)
}

// monthly is the end of the names of cPanel's archives.
var monthly = regexp.MustCompile(`-[A-Z][a-z][a-z]-(?:19|20)\d\d$`)

const (
	aroundHosts = "access log logs ssl tls http https combined common vhost other nginx apache apache2 httpd requests www_access txt json jsonl csv tsv gz bytes"
	insideNames = "internal local localdomain lan home d conf bak old orig log txt json" // of machines, and endings of files
)

// cutWord removes a word that is no part of a host from an end of a name.
func cutWord(name string) (rest string, cut bool) {
	if i := strings.LastIndexAny(name, ".-_"); i >= 0 && isIn(aroundHosts, name[i+1:]) {
		return name[:i], true
	}
	if i := strings.IndexAny(name, ".-_"); i >= 0 && isIn(aroundHosts, name[:i]) {
		return name[i+1:], true
	}
	return name, false
}

// isIn reports whether a list has a word.
func isIn(list, word string) bool { return strings.Contains(" "+list+" ", " "+word+" ") }
