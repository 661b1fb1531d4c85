package integration

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"dustbuster/sinks/page"

	"golang.org/x/net/html"
)

// oddFolders are names made to break out of what a report advises: out of an attribute, a
// shell's command, a file of nginx or Apache, and an expression.
var oddFolders = []string{
	"old", "$1$x${a}$", "(a)*+.[b]", "{2}|^~", "it's", "%22%3E%3Cb%3E", `back\slash\1`, "%5C%24", "%E2%80%AE%E2%80%AEx", "a%0A%0D%09b", "x%20%20y",
	"%25{ENV:PATH}", "&amp;&quot;", ",;=@!", "`id`$(id)",
}

// oddPages is the number of pages of each site.
const oddPages = 40

func oddHost(i int) string { return fmt.Sprintf("h%d.example", i) }

// oddSite serves pages at /new/N and at /FOLDER/N, whose folder is that of the host.
func oddSite(w http.ResponseWriter, r *http.Request) {
	host, err := strconv.Atoi(strings.TrimSuffix(strings.TrimPrefix(r.Host, "h"), ".example"))
	folder, number := r.RequestURI, ""
	if at := strings.LastIndexByte(folder, '/'); at >= 0 {
		folder, number = folder[:at], folder[at+1:]
	}
	n, notNumber := strconv.Atoi(number)
	if err != nil || host >= len(oddFolders) || folder != "/new" && folder != "/"+oddFolders[host] || notNumber != nil || n >= oddPages {
		http.NotFound(w, r)
		return
	}
	story(w, "story", number)
}

// oddLog returns the log of a crawl of the sites.
func oddLog(t *testing.T, origin string) []byte {
	t.Helper()
	var b strings.Builder
	for i, folder := range oddFolders {
		for n := range oddPages {
			for k, f := range []string{"new", folder} {
				target := fmt.Sprintf("/%s/%d", f, n)
				size := len(oddPage(t, origin, oddHost(i), target))
				fmt.Fprintf(&b, "%s 10.0.%d.%d - - [20/Nov/2026:10:00:00 +0000] \"GET %s HTTP/1.1\" 200 %d \"-\" \"Googlebot/2.1\"\n", oddHost(i), n, k, strings.ReplaceAll(target, `\`, `\\`), size)
			}
		}
	}
	return []byte(b.String())
}

// oddPage returns a page of a site, asked for byte for byte.
func oddPage(t *testing.T, origin, host, target string) string {
	t.Helper()
	u, err := url.Parse(origin)
	must(t, err)
	u.Opaque = target
	answer, err := http.DefaultClient.Do(&http.Request{Method: http.MethodGet, URL: u, Host: host})
	must(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %s, %v", host, target, answer.Status, err)
	}
	return string(body)
}

// advised returns the texts of a report that are to be pasted, by line.
func advised(t *testing.T, report []byte) (all []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(string(report)))
	must(t, err)
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "pre" {
			for line := range strings.Lines(n.FirstChild.FirstChild.Data) {
				all = append(all, strings.TrimSuffix(line, "\n"))
			}
		}
	}
	return all
}

// What a report of valid rules advises works as it is pasted: with its texts a real nginx
// and a real Apache name the canonical URL of each page, and its canonical links
// lead to pages of the log. From likely rules a report advises neither.
func TestAdvice(t *testing.T) {
	t.Parallel()
	origin := serve(t, http.HandlerFunc(oddSite))
	log := write(t, "access.log", oddLog(t, origin.URL))
	likely := outputOf(t, "mine", "--output", "html", log)
	checkWaste(t, string(likely), "This is an estimate by ")
	for _, line := range advised(t, likely) {
		if strings.Contains(line, "dustbuster export") || strings.HasPrefix(line, "<link ") {
			t.Errorf("from likely rules, the report advises %s", line)
		}
	}
	report := outputOf(t, "validate", "--origin", origin.URL, "--fetch-delay", "0", "--output", "html", log)
	checkWaste(t, string(report), "Counted by ")
	lines := advised(t, report)
	checkLinks(t, lines)
	for _, server := range []string{"nginx", "apache"} {
		texts, named := textsToCopy(t, report, server), 0
		for i := range oddFolders {
			k := slices.IndexFunc(texts, func(text string) bool { return strings.Contains(text, oddHost(i)) })
			if k < 0 {
				t.Errorf("the report has no text of %s for %s", server, oddHost(i))
				continue
			}
			named += tryNames(t, server, write(t, server+".conf", []byte(texts[k])), i)
		}
		if t.Logf("%s: of %d URLs the canonical form is named", server, named); named != len(oddFolders)*oddPages {
			t.Errorf("%s names the canonical form of %d URLs, want %d", server, named, len(oddFolders)*oddPages)
		}
	}
}

// textsToCopy returns the texts that a report has for a server, one for each site.
func textsToCopy(t *testing.T, report []byte, server string) (texts []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(string(report)))
	must(t, err)
	for n := range root.Descendants() {
		if n.Type != html.ElementNode || n.Data != "details" || !strings.HasPrefix(n.FirstChild.FirstChild.Data, server+": ") {
			continue
		}
		for pre := range n.ChildNodes() {
			if pre.Data == "pre" {
				texts = append(texts, pre.FirstChild.FirstChild.Data)
			}
		}
	}
	return texts
}

// checkWaste reports a report that does not begin with what duplicates cost the only crawler.
func checkWaste(t *testing.T, report, by string) {
	t.Helper()
	urls, pages := 2*len(oddFolders)*oddPages, len(oddFolders)*oddPages
	want := fmt.Sprintf(`were duplicates; Googlebot fetched all of them\. %s\d+ `, by)
	asked := regexp.MustCompile(fmt.Sprintf(`Search engines and bots fetched %s URLs but saw only (about )?%d different pages\. 50 %% of the URLs \(%d, `, page.Number(urls), pages, urls-pages))
	if !regexp.MustCompile(want).MatchString(report) || !asked.MatchString(report) {
		t.Errorf("the report does not say %s … %s", asked, want)
	}
}

// checkLinks reports canonical links that lead to no page, as a reader of the page resolves
// them.
func checkLinks(t *testing.T, lines []string) {
	t.Helper()
	all := 0
	for _, line := range lines {
		if !strings.HasPrefix(line, "<link ") {
			continue
		}
		all++
		z := html.NewTokenizer(strings.NewReader(line))
		z.Next()
		href := ""
		for _, a := range z.Token().Attr {
			if a.Key == "href" {
				href = a.Val
			}
		}
		if folder, number, _ := strings.Cut(strings.TrimPrefix(href, "/"), "/"); !slices.Contains(append(oddFolders, "new"), folder) || !regexp.MustCompile(`^\d+$`).MatchString(number) {
			t.Errorf("%s leads to %q, which is no page", line, href)
		}
	}
	if t.Logf("%d canonical links", all); all < len(oddFolders)/2 {
		t.Errorf("%d canonical links only", all)
	}
}

// tryNames asks a server with a file for all pages of a host, and returns of how many URLs it names the
// canonical form.
func tryNames(t *testing.T, server, file string, host int) (named int) {
	t.Helper()
	address := exportServers[server](t, file)
	for n := range oddPages {
		for _, folder := range []string{"new", oddFolders[host]} {
			answer := asked(t, address, oddHost(host), fmt.Sprintf("/%s/%d", folder, n))
			if answer == nil {
				continue
			}
			want := "" // the canonical form
			if folder != "new" {
				want = fmt.Sprintf("</new/%d>; rel=\"canonical\"", n)
			}
			link := answer.Header.Get("Link")
			if link != want {
				t.Errorf("%s of page %d of %s in %s: Link %q, want %q", server, n, oddHost(host), folder, link, want)
			}
			if link != "" {
				named++
			}
		}
	}
	return named
}
