module dustbuster/integration/browser

go 1.26.0

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.23.0
)

require (
	dustbuster v0.0.0
	github.com/go-json-experiment/json v1.27.2 // indirect
)

replace dustbuster => ../..
