// Package lifecycle manages the life of one site's rules. It decides which pair of URLs is fetched next,
// which verdict the outcomes prove, and which rules are published. The central type, [Machine], is a state
// machine without input and output. The caller fetches, saves and publishes.
//
//	window, candidates ──Load──> Machine ──Next──> Look ──> fetch both, Measure
//	                               │  ^                                 │
//	 Published, PendingUpdate <────┤  └─────────── Outcome <────────────┘
//	                               └── Acts ──> saved ──> Restore
//
// # The life of a rule
//
// A shop has 200 pages /item/N. Its log has most of them as /item/N?sid=X as well, and the learners say
// that the parameter sid is likely to mean nothing.
//
//  1. Load brings the window and the candidates. Dropping sid would merge most URLs for each document
//     requested, so it is tried first. An attempt begins.
//  2. Next gives out a pair: /item/17?sid=9, a URL of the log, and /item/17, what the rule makes of it. The
//     caller fetches both and compares them. The outcome is an act, and no crash makes the caller fetch
//     the pair again.
//  3. After five pairs that are alike, decoys and mixed pairs show how alike pages are that the rule does
//     not join. They set the threshold.
//  4. /item/cart?sid=9 shows another page than /item/cart. The pair is fetched a second time, and differs
//     again: a negative. It would refute the rule, but an exception for the path /item/cart explains it. The
//     attempt goes on with pairs that did not suggest the exception.
//  5. 20 of these pairs are alike and none differs. The rule is provisional and joins the list L. Now one form
//     stands for /item/17 and all its sids. The other candidates are tried on forms.
//  6. L is tried as a set and published. The rule waits, since a trial gave it an exception.
//  7. No candidate is worth more than the proof of the rule. The proof takes its pairs up to 72, and none
//     differs, so at most 5 % of all pairs differ with a confidence of 97.5 %. The rule is proved, and is
//     published with the next list.
//  8. A day later a round of rechecks tries some pairs of each published rule again.
//  9. The shop begins to show a basket by sid. A crawler reports a pair of pages that differ, which is
//     fetched anew, twice. The first two such pairs become exceptions. The third sends the rule back
//     to trial, where only outcomes since the report count. The trial refutes the rule, which leaves L, is
//     withdrawn from the publication, and is followed by its narrower scopes as candidates.
//
// # Words
//
//	L           the ordered list of valid rules; it grows one rule at a time
//	form        a canonical form under L of the window's URLs; it stands for
//	            those URLs, and one of them represents it
//	gain        of a rule: the number of forms that the rule would merge
//	worth       of a trial: the expected gain for each document requested
//	pair        (u, v): the URL that represents a form, and the text into which the
//	            rule, and L after it, turn the latter
//	attempt     a trial under way, on the rule's pairs
//	proof       the rest of the trial of a provisional rule: see proof.go
//	level       the mining of forms instead of URLs, which finds rules hidden by
//	            two simultaneous edits
//	set         L as a whole, whose trial compares URLs with their forms
//	round       one recheck of the published rules
//	update      what a publication changes; an update that changes too much waits
//	            for an operator (PendingUpdate)
//
// # Parts
//
// A machine is four packages, each of which knows only those before it.
//
//   - Package book holds the acts and what they add up to. Nothing else is saved.
//   - Package forms derives from the window and L what does not change until one of them does: forms,
//     gains, moves, decoys, and the URLs that may be fetched.
//   - Package attempt is one trial: its pairs, control, outcomes and exceptions.
//   - This package is the planner, which decides what comes next. Its parts answer one question each:
//     the chooser, which candidate is tried; the publisher, which rules of L are published, and when; the
//     rechecker, which published rules are tested again.
//
// All acts are done in one place, the type life, which drops what an act makes outdated: the view and
// the attempts follow from the book and the window. A crash therefore loses only unsaved acts, and the
// choice of the next candidate never depends on the history of the process.
//
// The order of work is the list states in planner.go, and for a candidate stages in try.go.
// While a state waits for outcomes, Next gives out no look. When it gives out none, Status says why (Now): the
// site has one reason from a closed list. Detail says of each likely rule that has no verdict why it is not
// tried (Untried).
//
// # Bounds
//
// A machine keeps at most MaxPairs pairs of about 460 bytes, MaxTried + MaxRules verdicts of at most five
// pairs and at most 146 followers, MaxLearnt candidates, 128 changes of the published list and 128 points of
// the curve of coverage; and the window, its forms and an index of their tokens, 350 bytes for a URL of
// the site below. A new window, or another rule in L, costs one pass over all URLs and one over the forms
// touched by the candidates. On a site of 18,546 URLs and 947 candidates, Load and the search for the next
// look take 110 to 190 ms (BenchmarkLoad, a busy 2-core EPYC).
//
// # Rejected
//
//   - Rules of syntax first, since they nearly always hold: 1,000 requests covered .387 of docs instead of .493.
//   - An exception for one unlike pair in ten instead of one in twenty: .541 instead of .511 of twenty made-up sites
//     after 1,000 fetches, but a tenth of the URLs that come later may be merged falsely.
//   - Outcomes from pages that are known already: a rule would be proved on the pages of the rules before it.
//   - A share of changes counted since the first publication: clients that invent values of a parameter whose rule
//     is out would hold all later rules.
//   - The outcomes of the last set in full: new rules would go out untried.
package lifecycle
