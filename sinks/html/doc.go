// Package html writes a report of a log as one page: what the log can and cannot tell, how many
// of the URLs are duplicates, the rules with examples and verdicts, and what to do with them.
//
// The page needs no other file, no script and no network. The look is that of package page. All
// texts of the log pass through a veil, which masks secrets, and are shown as package page shows
// foreign text. The page of the same log is the same.
package html
