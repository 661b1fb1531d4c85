// Package public tells which URLs the public asks for. A GET that changes something is
// seldom asked for by many clients: an administrator restarts a job, one client confirms an
// order. No list of words holds all such URLs, so only URLs that many clients ask for, and
// URLs like them, are fetched.
//
// # Pages, parts and kinds
//
// The page of a URL is its path, in which "#" stands for a number and "~" for a title, without
// empty segments and path parameters. The parts of a URL are its parameters, in the query or
// behind ";" in the path. A value that reads like a word may be a command, so it belongs to its
// part, and so does every value of a name by which programs dispatch (dispatch.txt). A page and
// its parts make a kind:
//
//	URL                          page       parts
//	/story/12/                   /story/#
//	/list?page=2&by=id           /list      by=id page
//	/a-long-title-of-it;v=3      /~         v
//	/?do=17                      /          do=17
//	/style.css?q9x2k             /style.css ?
//
// A kind is public if its URLs together have [Least] clients in the window. A page is public for a URL
// if its URLs with no other parts than that URL's have as many: that many ask for /order?dry=1 does not
// make /order public. It is public as well if it is bare, or if it lies in a long tail: in a directory of
// many pages, of which few are asked for by many. Numbers and titles of a public kind need no tail, and do not count. A part is public if many clients ask for it on several
// pages. A URL may be asked for if its kind is public, or is one with some public parts left out, or if its
// page and all its parts are public.
//
// # URLs that nobody asked for
//
// A rule may turn a URL that is fetched into a URL that nobody asked for. [Kinds.Leads] reports
// whether that URL can do no more than the first: it differs in syntax alone, or lacks a value in
// the path to which the public gives several values, or lacks parameters that guard nothing. A
// parameter of few values may guard an action, such as dry=1.
//
// # Clients that are not told
//
// Agents do not tell of every client of a URL: once the URL is settled (see [Crowd]), one client more changes nothing
// here. Decisions that look at the clients of single URLs count a settled URL as asked for by all ([Settle]).
//
// # Cost
//
// [New] reads the URLs of a window six times, O(bytes · log), and keeps hashes: 10 bytes for each
// kind, and less for all else together. While it reads it needs at most 100 bytes a URL. A flood of
// names and values does not change that: what one client alone asked for leaves first, and what is in
// no table is not public.
package public
