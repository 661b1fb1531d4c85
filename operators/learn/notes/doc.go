// Package notes says what the log of a site cannot tell about its pages. A [Note] is a property
// of the log, with figures, that makes likely rules less certain. [Of] is a function of the
// window alone, and of the hits where they are counted.
//
// # Catch-all pages
//
// Some sites answer names that do not exist with an ordinary page: every /shop/NAME is the
// front page of the shop. Pairs of such URLs are alike, so rules seem to follow. The last
// segment of a path is an invented name if no other URL of the window has it, if it is no number,
// and if the URL does not end like a file of content: pictures of one format, or notes of one
// line, may have one size by nature. A content that many invented names show is the page of a catch-all.
//
// # Scanners
//
// A scanner tries names: /page?nsextt=1, /page?redirect_uri=1. A visitor and a crawler follow
// the site's links, so their names are the names of others too. A client, as far as bits tell
// clients apart, is taken for a scanner if it alone uses many names of parameters, and many
// more than most other clients do. Names of catch-all pages count as well. A scanner may also try
// values: /page?id=1%27--. So a client is taken for one, too, if it alone requested many URLs that
// differ in more than numbers, and nearly all of them show one of few contents, which others see
// seldom. A URL is scanned if scanners alone requested it.
//
// # Thresholds
//
// Each threshold is the meaning of a word, and is not fitted to any log.
//
//   - Most is more than half. From there on, a URL or hit drawn from the window has the
//     property rather than not.
//   - Nearly all is at least nine tenths. A busy crawler asks for most URLs of a small site.
//     With nine tenths, all other clients together can hardly support a rule.
//   - Several encodings are noted from one tenth of the URLs. A few URLs with several
//     encodings are normal behind every cache. With one tenth, comparisons between the
//     encodings are lost for a visible share of the rules.
//   - The sizes of a URL are apart if the smallest is below the largest by more than the
//     tolerance with which pages are compared. Such a page may be alike to itself and to
//     pages that are not alike to each other.
//   - A size is crowded if ten URLs and one in a hundred have it. Ten URLs make 45 pairs, and
//     three may make a rule.
//   - A catch-all answers for twenty invented names, with contents that each are crowded among
//     invented names. An entry of a blog that alone has ten tags shows one list under ten
//     names; twenty such tags of equal length are unlikely.
//   - A scanner alone uses twenty names, and four times as many as the median client. Search
//     words as names (/search?apollo) are spread evenly over the clients.
//   - A scanner of values alone requested fifty URLs, and four times as many as the median
//     client. Few contents are five: an error page, a login page and the like, in two lengths.
//   - Scanners are looked for if the log has eight of the sixteen bits of clients. With fewer,
//     a name of one client is nothing special.
//   - A window of fewer than 50 URLs has no notes. The standard error of one half is 7 % at
//     50 URLs, and a smaller window says too little about the log.
package notes
