// Package public tells which URLs the public asks for. A GET that changes something is
// seldom asked for by many clients: an administrator restarts a job, one client confirms an
// order. No list of words holds all such URLs, so only URLs that many clients ask for, and
// URLs like them, are fetched.
//
// # Kinds
//
// URLs that differ in numbers and titles alone are of one kind:
//
//	/story/12            /story/#
//	/story/12/           /story/#
//	/list?page=2&by=id   /list ?by&page
//	/a-long-title-of-it  /~
//
// A kind is public if its URLs together have [Least] clients in the window. A URL is bare if
// it has no query and its path is / or ends like a file of content: a bare URL does nothing
// but show a page.
//
// A rule may turn a URL that is fetched into a URL that nobody asked for. [Follows] reports
// whether that URL can do no more than the first. [Kinds.Without] reports the same of a URL that
// lacks a value in the path, such as a session, if the public asks for URLs of the first kind with
// several values.
package public
