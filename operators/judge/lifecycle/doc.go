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
//     requested, so it is tried first. Its trial begins.
//  2. Next gives out a pair: /item/17?sid=9, a URL of the log, and /item/17, what the rule makes of it. The
//     caller fetches both and compares them. The outcome is an act, and no crash makes the caller fetch
//     the pair again.
//  3. After five pairs that are alike, decoys and mixed pairs show how alike pages are that the rule does
//     not join. They set the threshold.
//  4. /item/cart?sid=9 shows another page than /item/cart. The pair is fetched a second time, and differs
//     again: a negative. It would refute the rule, but an exception for the path /item/cart explains it. The
//     trial goes on with pairs that did not suggest the exception.
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
// A rule is tried no wider than its evidence: see forms.Reach. Narrower scopes come from tried pairs and from the sizes in
// the log: see trials.Trial.Followers, and Held for rules whose pages prove nothing.
//
// # Words
//
//	trial       all that is done to judge one rule, or L as a whole: its pairs, their
//	            control, their outcomes, and the verdict. To try a rule is to hold its trial
//	dialogue    all that is done to learn the outcome of one pair: is it known? Is a look
//	            awaited? Was a negative seen twice? If not, the pair is given out
//	look        a pair given out: both pages are fetched and compared once
//	L           the ordered list of valid rules; it grows one rule at a time
//	form        a canonical form under L of the window's URLs; it stands for
//	            those URLs, and one of them represents it
//	gain        of a rule: the number of forms that the rule would merge
//	worth       of a trial: the expected gain for each document requested
//	pair        (u, v): the URL that represents a form, and the text into which the
//	            rule, and L after it, turn the latter
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
//   - Package forms derives from the window and L the View, which does not change until one of them does:
//     forms, gains, moves, decoys, and the URLs that may be fetched.
//   - Package trials is one trial: its pairs, control, outcomes and exceptions.
//   - This package decides what comes next. It has a type for each subject, and none knows a later one:
//
// The subjects, in this order:
//
//	publisher   which rules of L go out, and when
//	rechecker   which published rules are tested again
//	ongoing     the trials under way, and the looks given out
//	life        the book, the window, the view, and the three above
//	asks        what is fetched for a URL: itself, or a stand-in
//	Dialogue    what is asked of two pages, and what they answer
//	learner     when the forms are mined
//	chooser     which candidate is tried next
//	faults      which rule is at fault for a wrong pair, and what becomes of it
//	prover      which provisional rule is proved next
//	verdicts    what becomes of a rule at the end of its trial
//	sets        the trial of L, before and after its publication
//	trier       the trials of candidates, and proofs
//	rechecks    the trials of published rules
//	Reports     the dialogues for which crawlers ask
//	Operator    what people decide
//	Answers     what people and callers ask
//	Machine     the states, in order: which of these subjects has something to do
//
// The publisher, the rechecker and the chooser only read: they decide over the view and the book, and do no
// act. All acts are done by the life, which drops what an act makes outdated: the view and the trials follow
// from the book and the window. A crash therefore loses only unsaved acts, and the choice of the next candidate
// never depends on the history of the process.
//
// The order of work is the list states in machine.go, and for a candidate stages in trier.go. While a state
// waits for outcomes, Next gives out no look. A trial that waits for a second look makes way for others (ongoing.go), and a
// server that fails is left alone (failing.go). A state that has nothing to do says why. If all have nothing to do,
// Status tells the reason that weighs most (Now), one of a closed list. Detail says of each likely rule that has
// no verdict why it is not tried (Untried).
//
// A page that arrives is an answer in a dialogue (Dialogue.Outcome). It becomes an act, and each trial
// that waits for the pair takes it in. The next Next judges these trials anew.
//
// # Bounds
//
// A machine keeps at most MaxPairs pairs of about 460 bytes, MaxTried + MaxRules verdicts of at most five
// pairs and at most 162 followers, MaxLearnt candidates, 128 changes of the published list and 128 points of
// the curve of coverage; and the window, its forms and an index of their tokens, 350 bytes for a URL of
// the site below, and of the candidates' moves at most 24 for each URL, about 130 bytes each, which the next view takes
// over (forms.View.Inherit). A new window costs one pass over all URLs and one over the forms touched by the candidates;
// another rule in L one over all URLs, and over the forms that the rule changes. On a site of 18,546 URLs and 947 candidates, Load and the search for the next
// look take 110 to 190 ms (BenchmarkLoad, a busy 2-core EPYC).
//
// # Rejected
//
//   - Rules of syntax first, since they nearly always hold: 1,000 requests covered .387 of docs instead of .493.
//   - An exception for one unlike pair in ten instead of one in twenty: .541 instead of .511 of twenty made-up sites
//     after 1,000 fetches, but a tenth of the URLs that come later may be merged falsely.
//   - Doubts about all substitutions of a name of which three were refuted: the crawl of docs had .444 after 1,000 fetches
//     instead of .623. Doubts where other values of the name do as well: one of three seeds of gitweb .388 instead of .512.
//   - Outcomes from pages that are known already: a rule would be proved on the pages of the rules before it.
//   - A share of changes counted since the first publication: clients that invent values of a parameter whose rule
//     is out would hold all later rules.
//   - The outcomes of the last set in full: new rules would go out untried.
package lifecycle
