package weblog

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
)

// benchLines returns lines shaped like real lines: 100 to 300 bytes, with long agents.
// Each format has several lines, so that branch prediction does not learn one line.
func benchLines(format string) [][]byte {
	var lines [][]byte
	for i := range 64 {
		clf := fmt.Sprintf(`192.0.2.%d - - [02/Jan/2006:15:%02d:05 -0700] "GET /articles/2006/%d/how-to-%d.html?ref=feed&page=%d HTTP/1.1" 200 %d`,
			i*3, i%60, i%12, i*977, i%7, 3000+i*i*31)
		combined := clf + ` "https://www.example.org/articles/2006/" "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0.0.0 Safari/537.36"`
		line := map[string]string{
			"combined": combined, "vhost_combined": "www.example.org:443 " + combined, "combinedio": combined + " 512 9313",
			"common": clf, "common_vhost": "www.example.org:443 " + clf,
			"nginx_json": fmt.Sprintf(`{"time":"2006-01-02T15:%02d:05-07:00","host":"www.example.org","remote_addr":"192.0.2.%d","request":"GET /articles/2006/%d/how-to-%d.html?ref=feed HTTP/1.1",`+
				`"status":"200","body_bytes_sent":%d,"http_referer":"https://www.example.org/","http_user_agent":"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36","request_time":0.004}`,
				i%60, i, i%12, i*977, 3000+i*i*31),
			"cdx": fmt.Sprintf("org,example)/articles/2006/%d/how-to-%d.html?page=%d&ref=feed 20060102150405 https://www.example.org/articles/2006/%d/how-to-%d.html?ref=feed&page=%d text/html 200 3EM7YXZBXQVTYUZUSJDYWBX6PSZX%04d - - %d %d a.warc.gz",
				i%12, i*977, i%7, i%12, i*977, i%7, i, 3000+i, i*7919),
			"cdxj": fmt.Sprintf(`org,example)/articles/2006/%d/how-to-%d.html?page=%d&ref=feed 20060102150405 {"url":"https://www.example.org/articles/2006/%d/how-to-%d.html?ref=feed&page=%d","mime":"text/html","status":"200","digest":"3EM7YXZBXQVTYUZUSJDYWBX6PSZX%04d","length":"%d","offset":"%d","filename":"a.warc.gz"}`,
				i%12, i*977, i%7, i%12, i*977, i%7, i, 3000+i, i*7919),
			"urllist": fmt.Sprintf("/articles/2006/%d/how-to-%d.html?ref=feed&page=%d\t200\t%d\t%016x", i%12, i*977, i%7, 3000+i*i*31, i*7919),
		}[format]
		if line == "" {
			line = benchExample(format, i)
		}
		lines = append(lines, []byte(line))
	}
	return lines
}

// benchExample returns a format's example with a longer URL and agent, and headers as
// browsers send them.
func benchExample(format string, i int) string {
	for _, f := range table {
		if f.Name != format {
			continue
		}
		path := fmt.Sprintf("/articles/2006/%d/how-to-%d.html", i%12, i*977)
		agent := "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/108.0.0.0 Safari/537.36"
		switch format {
		case "w3c":
			agent = strings.ReplaceAll(agent, " ", "+")
		case "cloudfront":
			agent = strings.ReplaceAll(agent, " ", "%20")
		case "caddy":
			agent += `"],"Accept":["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],"Accept-Language":["en-US,en;q=0.5"],"Referer":["https://www.example.org/`
		}
		return strings.NewReplacer("/a", path, "Mozilla/5.0", agent, "5120", strconv.Itoa(3000+i*i*31), ":05", fmt.Sprintf(":%02d", i%60)).Replace(f.Example)
	}
	return ""
}

func BenchmarkParse(b *testing.B) {
	for _, f := range Formats() {
		b.Run(f.Name, func(b *testing.B) { benchmarkLines(b, mustNew(b, f.Name), benchLines(f.Name)) })
	}
	b.Run("combined_slow_path", func(b *testing.B) { benchmarkLines(b, slow(mustNew(b, "combined")), benchLines("combined")) })
	b.Run("malformed", func(b *testing.B) {
		p, line := mustNew(b, "combined"), benchLines("combined")[0][:120]
		b.ReportAllocs()
		var h Hit
		for b.Loop() {
			if p.Parse(&h, line) == nil {
				b.Fatal("parsed")
			}
		}
	})
}

func benchmarkLines(b *testing.B, p *Parser, lines [][]byte) {
	total := 0
	for _, line := range lines {
		total += len(line)
	}
	b.SetBytes(int64(total / len(lines)))
	b.ReportAllocs()
	var h Hit
	for i := 0; b.Loop(); i++ {
		if err := p.Parse(&h, lines[i%len(lines)]); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseLogs parses whole real logs, so the time includes reading the bytes from
// memory.
func BenchmarkParseLogs(b *testing.B) {
	for _, name := range []string{"bplogs", "nspw", "nasa95"} {
		b.Run(name, func(b *testing.B) {
			lines := readLines(b, "logs/"+name+".log.gz")
			best, _ := Detect(lines[:1000]).Best()
			benchmarkLines(b, mustNew(b, best.Format.Name), lines)
		})
	}
}
