package sketch

import (
	"bytes"
	"slices"
)

// Bounds of a page that asks its reader to prove to be human: longer pages ask for it beside their content.
const (
	mostWallWords = 400
	mostWallBytes = 256 << 10
)

// wallMarks are what services that keep robots out put into their pages, and what such pages say, in small letters.
var wallMarks = split(`captcha|cf-turnstile|challenge-form|arkoselabs|geetest|awswaf|datadome|_incapsula_|checking your browser|unusual traffic|proof of work|
not a robot|not robot|no robot|not a bot|you a robot|you a bot|you are human|you&#39;re human|you're human|you’re human|you are a human|you human|be human|a human being|you are a real person|automated access|automated requests|automated queries|
kein roboter|keine roboter|un robot|não é um robô|geen robot|не робот|не являетесь роботом|不是机器人|不是機器人|ロボットではありません|로봇이 아닙니다`)

func split(list string) [][]byte {
	return bytes.Split(bytes.ReplaceAll([]byte(list), []byte("\n"), nil), []byte("|"))
}

// isWall reports whether a page of some words asks for a proof that its reader is human.
func isWall(words int, body []byte) bool {
	if words > mostWallWords || len(body) > mostWallBytes {
		return false
	}
	text := withoutScripts(bytes.ToLower(body))
	return slices.ContainsFunc(wallMarks, func(mark []byte) bool { return bytes.Contains(text, mark) })
}

// withoutScripts returns a document in small letters without its scripts: many sites load those of a service on each
// page.
func withoutScripts(body []byte) (rest []byte) {
	for {
		before, after, more := bytes.Cut(body, []byte("<script"))
		rest = append(rest, before...)
		if !more {
			return rest
		}
		_, body, _ = bytes.Cut(after, []byte("</script"))
	}
}
