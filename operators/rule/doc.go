// Package rule is a rule: one directed edit of mined strings within a scope, with its
// identity, its JSON and its application. Learners, trials, crawlers and exports share
// this type.
//
// # Kinds
//
// A [Substring] rule replaces an occurrence of From by To. A [Drop] removes a parameter,
// and a [Set] gives a parameter a value. [Rule.Apply] is the meaning of a rule; package
// canon applies many rules at once, and its tests compare with a plain loop over Apply.
//
// # JSON
//
// A [Wire] is the only written form of a rule, in lists, topics, state and audit files.
// [ID] is a hash of the Wire and of the site.
package rule
