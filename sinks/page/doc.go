// Package page is the common look of the pages for people: the report of a log and the pages
// of the daemon. The package has one style sheet, one layout, and pictures in SVG.
//
// Pages are written by html/template. Pages need no script. A strict Content-Security-Policy
// refuses nothing of them: no element has a style attribute, and [Policy] allows the style
// sheet by its hash. The style sheet follows the reader's choice of light or dark, and has
// rules for print.
//
// # Pictures
//
// A picture is a value of type [Shares], [Histogram] or [Curve]. A template draws a picture with
//
//	{{template "shares" .}}  {{template "histogram" .}}  {{template "curve" .}}
//
// Among words, "spark" draws a Curve and "bar" a [Row]. An SVG holds shapes only and is stretched to
// the width of the page. All words stand beside the SVG in HTML, so words keep their size on a
// narrow screen. Each SVG has a title, and where the shapes say more than the words, a
// description for screen readers.
//
// # Foreign text
//
// Text from a log or from a site is hostile. Package html/template keeps foreign text from
// becoming markup. [Visible] shows the characters that would change how other text is read,
// such as characters that turn a line around, and [Cut] bounds the length. Callers pass all
// foreign text through both, or through the functions of the same names in templates.
package page
