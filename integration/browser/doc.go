// Package browser opens the pages of a real daemon in a real browser: Debian's Chromium, driven
// from Go. It is a module of its own, so that no other module needs the driver.
//
// The tests need the program chromium, and are skipped without it. The check of accessibility
// needs axe-core, which make deps puts into bin/axe. DUSTBUSTER_SCREENSHOTS names a directory
// for pictures of all pages; without it the pictures go to a temporary directory.
package browser
