// Package notes says what the log of a site cannot tell about its pages. A [Note] is a property
// of the log, with figures, that makes likely rules less certain. [Of] is a function of the
// window alone.
//
// # Thresholds
//
// Each threshold is the meaning of a word, and is not fitted to any log.
//
//   - Most is more than half. From there on, a URL drawn from the window has the property
//     rather than not.
//   - Nearly all is at least nine tenths. A busy crawler asks for most URLs of a small site.
//     With nine tenths, all other clients together can hardly support a rule.
//   - Several encodings are noted from one tenth of the URLs. A few URLs with several
//     encodings are normal behind every cache. With one tenth, comparisons between the
//     encodings are lost for a visible share of the rules.
//   - Sizes are far apart if the smallest size is less than 95 % of the largest. Cookies,
//     advertisements and dates change a page by less.
//   - A window of fewer than 50 URLs has no notes. The standard error of one half is 7 % at
//     50 URLs, and a smaller window says too little about the log.
package notes
