// Package rule is a rule: one directed edit of mined strings within a scope, with its
// identity, its JSON and its application. Learners, trials, crawlers and exports share
// this type.
//
// # Kinds
//
// A [Substring] rule replaces an occurrence of From by To. A [Drop] removes parameters, and
// a [Set] gives a parameter a value. An [Order] sorts parameters by name. A [Syntax] rule
// writes one form of syntax in its normal way. A [Rewrite] edits the segments and parameters
// of the URLs of one shape, a [Template]. [Rule.Apply] is the meaning of a rule;
// package canon applies many rules at once, and its tests compare with a plain loop.
//
// Each kind is one file, which declares its members in JSON, how it applies, is validated and
// spelled, and by which texts its URLs are found. How members are read and refused, and the schema
// of published rules, follow from the declaration. The table of kinds is in kind.go.
//
// A [Scope] and an [Except] say which URLs a rule edits. A rule with other exceptions is
// another Rule, but has the same [ID].
//
// # JSON
//
// A [Wire] is the only written form of a rule, in lists, topics, state and audit files.
// [ID] is a hash of the rule and the site, but not of the exceptions. A rule of an unknown
// kind or member is an [UnknownError]: readers leave out the rule, and apply none of its
// site.
package rule
