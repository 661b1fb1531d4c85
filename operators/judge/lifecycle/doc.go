// Package lifecycle manages the life of one site's rules. The package decides which pair of
// URLs is fetched next, which verdict the outcomes prove, and which rules are published.
// The central type, Machine, is a state machine without input and output. The caller
// fetches, saves and publishes.
//
//	window, candidates ──Load──> Machine ──Next──> Test ──> fetch both, Judge
//	                               │  ^                              │
//	 Published, PendingUpdate <────┤  └────────── Outcome <──────────┘
//	                               └── Acts ──> saved ──> Restore
//
// # Words
//
//	L           the ordered list of valid rules; L grows one rule at a time
//	form        a canonical form under L of the window's URLs; the form stands for
//	            those URLs, and one URL of the window represents the form
//	gain        of a rule: the number of forms that the rule would merge
//	worth       of a trial: the expected gain for each document requested
//	pair        (u, v): the URL that represents a form, and the text into which the
//	            rule, and L after the rule, turn the form
//	attempt     the trial of one rule, on the rule's pairs (package trial)
//	level       the mining of forms instead of URLs, which finds rules hidden by
//	            two simultaneous edits
//	set         L as a whole, whose trial compares URLs with their forms
//	round       one recheck of the published rules
//	update      what a publication changes; an update that changes too much waits
//	            for an operator (PendingUpdate)
//
// # Parts
//
// A Machine is a book and a planner.
//
// The book is what the acts add up to: outcomes, verdicts, rules learned from forms, the
// site's noise, the round, and the publication. The book is the only part that is saved.
// The method Acts returns the acts since the last call. A machine that is given the same
// acts again has the same book.
//
// The view is what follows from the window and L: the forms, the canonizer, an index of the
// forms' tokens, the gains of candidates, and the drops that are likely among the forms. A
// view never changes. When the window or L changes, the planner throws the view away and
// derives another.
//
// The planner decides what comes next. Its parts answer one question each, from the book
// and the view: the chooser, which candidate is tried; the publisher, which rules of L are
// published, and when; the rechecker, which published rules are tested again. The judge derives the
// outcome of a pair. The trials under way (attempts, and the trial of the set) follow from
// the book and the view, and are dropped with the view. All acts are done in one place, the
// type derived, which drops what an act makes outdated. A crash therefore loses only unsaved
// acts, and the choice of the next candidate never depends on the history of the process.
//
// # The order of work
//
// Next does the first possible item of this list: publish, if a publication is due;
// recheck; try the candidate of greatest worth; publish, if nothing is left to try; mine
// the forms. The forms are mined earlier, which takes no request, if the best candidate merges
// few forms and L has grown. The learners of whole windows are then told which of the pages
// that trials have fetched are near-duplicates. While the current item waits for outcomes, Next gives out no
// test. The first publication is due PublishFirst after the first valid rule, later ones
// PublishEvery after the last. A publication is early, PublishAgain after the last, if it merges a
// tenth more URLs. The trials of its set take a fifth of the requests at most.
//
// A trial that would refute a rule may end with an exception instead (package except): the
// few negatives have a path, a condition, a prefix or one URL in common that hardly any
// positive has. The rule with the exception keeps its id and is tried before all others.
// What suggested the exception cannot prove the rule: the verdict comes from pairs tried
// since (Looks.Number, Entry.After), or from all pairs. A narrower scope, which is chosen for
// its positives, needs at least 30 outcomes of other pairs, or all. A rule found valid in
// spite of some negatives is published with exceptions for these. A negative found later, by a recheck, by
// the trial of the set or by a report, is excepted too; the third sends the rule back.
// If the log shows the few pages of which sizes differ, and all negatives are among these, all of them
// are excepted, and the outcomes of the other pairs count on: see withoutUnlike.
// Exceptions come before followers. A narrower follower keeps the exceptions in its scope.
//
// A refuted rule is replaced by followers: the scopes where the rule held, the other
// direction of the rule's pair, the narrower scopes of a drop, and set. Scopes are paths,
// beginnings of URLs of whole tokens up to the edit, and for a drop or set the pages with a
// parameter or a value of the parameter. Five positives and no negative make a scope worth
// a trial. A rule with some negatives is refuted if such scopes keep nine tenths of the
// rule's positives, or if the rule's scope is itself the result of narrowing: such a scope
// was chosen because the scope had no negative.
//
// Equivalent rules, which turn the same forms into the same texts, are tried once: two scopes
// of one edit, or one edit with more or less of the text around it. Followers are distinct, and
// candidates equivalent to a refuted rule are refuted with the rule (Entry.Same). Of a substring
// rule and a drop with the same moves the drop is tried, which holds for new values, too.
//
// Of candidates of equal worth, forms of syntax are tried first. They are not tried before
// candidates of greater worth: forms that merge few pages would take the first fetches of a
// small budget.
//
// A drop of the learner drops has late followers as well (drops.Followers): the likely
// narrower scopes without a wider likely scope that is not refuted. They are computed with
// the verdict, kept in the entry, and tried when nothing else has gain left. A drop that a
// recheck retires has none.
//
// The worth of a trial is gain · P / E. P is the probability that the rule holds. E is the
// number of documents that the trial will request (trial.Price): the pairs that the trial
// draws first are known, and so are the documents that other trials requested within the last
// hour. A document that another candidate needs as well costs less: see needs. For a new candidate, P
// comes from the candidate's grounds (what the log says for the rule) and from the site's
// verdicts on candidates of the same kind and grounds. P is lower if documents that are known
// already show that pairs of the candidate differ (shownPairs). For a narrowed candidate, the known
// pairs are counted. When a pair of the rule on trial differs, the choice is made again, unless other
// rules wait for the refutation (hasSuccessors). A rule that is split therefore costs no more of a
// small budget than the undivided rule did.
//
// A trial ends undecided, for RetryUndecided, if five URLs made by the rule are answered
// with 5xx. More requests would add to the server's trouble. The same holds if five URLs are
// refused, and more than are shown.
//
// The pairs whose sizes differ unlike those of the rule's other pairs are a stratum, and are
// all tried: see odd. A random sample would miss a few wrong pages among many. Where most pages
// of a rule show equal texts, pages that differ in many words, or are hardly more alike than the
// threshold, are other pages. So are such pages of forms that a rule of L excepts: see judgeOutliers.
//
// Similar pages of a pair prove something only if other pages are not similar. Each trial
// therefore has a control: mixed pairs (u_i, v_j), i ≠ j, of pages already fetched by the
// trial, or (u, decoy) if the rule makes few different v. Decoys are up to 20 forms of
// different kinds, fetched once a day, and where possible pages that trials fetch anyway: five at
// the start of a trial, the others before the verdict. A
// text shown by many decoys is a text that the
// server shows everywhere. The machine keeps the measurements of a pair. The outcome of a
// pair is derived for each rule under the rule's control (trial.Case), and derived again
// when the control changes. A pair of the set is judged under the joint control of the
// rules in the pair's chain.
//
// Chance decides a trial of pages that are about as alike as the threshold. If the median of
// the first five pairs is that near (Options.Near), the trial ends undecided. Pages that are
// hardly more alike than the threshold are also judged by the words in which they differ
// (trial.Differences). The same words in every pair, or words of the one URL, make no other
// page: a printed page says so. Words of the page's own, such as the name in "Reply to X",
// make another page. Pages that each show their own name prove nothing. Pages that differ
// from themselves at a second look are judged by their resemblance alone.
//
// A negative is fetched a second time until five negatives of the rule are confirmed, since
// some pages differ only before their first visit. If the second looks of the site have
// confirmed the first, a candidate with too few positives for an exception is refuted after
// one look. The second look also measures how much
// the two pages differ from themselves. If more than a fifth of the pairs differ only once,
// or if more than half prove nothing, the rule is undecided and the verdict gives the
// reason.
//
// A wrong pair is a fault of the rule only if L was right about u. If L took part in a
// negative, L's own part is tried as well. If L's part is wrong, the responsible rule in L
// is given an exception or sent back, and the pair does not count.
//
// Besides the given candidates, the machine looks for drops among the forms whenever L or
// the window is new. These drops become likely if a page may repeat its own URL any number
// of times, so that the sizes of two copies differ by a multiple of the difference in the
// length of their URLs. No size tolerance reveals such drops.
//
// An outcome counts for all rules and for the set. The pairs of all rules are drawn in one
// random order of the site's pages (type turn). Rules that edit other places of the same
// pages therefore share documents, so the fetcher should have a cache.
//
// The trial of the set finds errors of rules in combination and errors missed by the
// attempts. Half of its URLs are changed by several rules, and a quarter are URLs whose size
// differs from the sizes of the other URLs of the same form. Its bound is the bound of a
// stratified sample. The trial suffices for a publication when ε is shown, or after 100
// documents without a wrong one. Rechecks continue the trial until the set's limit is shown.
// A machine without rechecks continues the trial at once, with at most a quarter of all
// pairs.
//
// The machine publishes L without the rules that are held back: those that alone would change the
// form of more than a share of the URLs, and, in order of rank, those with which all would. They are
// pending until an operator approves them, or until the window makes the share small enough. What is
// left is tried as a set of its own. Changes are counted against the publication. While
// rules are held back together, they are counted against the publication before that; otherwise all
// of L would be published step by step. A published rule that leaves L is withdrawn, however many URLs
// change, before anything else is published.
//
// All published rules are tested again every RecheckEvery. They are tested at once on request
// (Recheck), or if the newest sizes contradict a rule. The newest sizes are counted over
// the URLs of the newest pane that the rule takes part in changing and whose form was seen
// in the same pane with a comparable size. The sizes contradict the rule if at least 3 of
// these URLs, and at least the share ε, are not similar to their form, and if this share is
// at least twice the share at the time the rule was found valid or last tested. Contradictions
// cause at most one test of a rule within an hour. Pages that changed within the pane have
// both sizes in the pane, and count in the next pane. A window of one endless pane never
// contradicts a rule.
//
// Operators decide about rules (Wish, and the options, which win). A veto takes a rule and its
// core, the rule in any direction and scope, out of L and of the candidates. A pinned rule that
// was valid is valid again after a trial that decides nothing. A preferred text decides which
// direction of a pair is tried first. Where nobody prefers a direction and the first direction
// holds, the pages' canonical pages, or else redirects, may turn the rule (leadsBack).
//
// A crawler may report a URL whose page differs from the page of the URL's form (Propose).
// The pair is fetched, and seen twice if it is wrong. A wrong pair is excepted by the rule of
// the wrong step. The third sends the rule back to trial. In that trial only outcomes from the
// time of the report on count, since the site may have changed. Older outcomes of the rule's
// pages are forgotten, so that no other rule is proved by them (forgetPages). The same holds if
// a recheck ends a rule. A pair that is not wrong enters no estimate. At most 64 pairs wait, and
// at most 60 are tried in an hour.
//
// When a rule leaves L, the rules after it, which were tried together with the rule, are
// tested again in a round of their own.
//
// If the form of a URL is wrong, the machine traces the fault before a rule is blamed. The
// forms between the steps u = f0 -> f1 -> ... -> C(u) are URLs. They are compared with u by
// bisection until a step is found that leads from u's page to another page. The rule of
// that step is given an exception or sent back to trial, with the step as a negative. If no
// step is wrong by itself, the fault is that of the rule of greatest rank, with (u, C(u)) as
// a negative. A pair counts against a given rule only once. A rule with no other negatives than such pairs is not
// followed by its growing direction, since the fault may belong to another rule.
//
// When no fetches are left (Close), the trial of the set ends with the outcomes so far, if
// there are at least ten and all are good. The bound reached is published with the set.
//
// When Next gives out no test, Status says why (Now): the site has one reason from a closed list. Detail
// says of each likely rule that has no verdict why it is not tried (Untried).
//
// # URLs that are never fetched
//
// A link that confirms an address or sets a password belongs to one client and works once.
// URLs that may be such links (type guard) are left out of all pairs, as are such URLs made
// by rules, and URLs of kinds that the public does not ask for (package public). A rule with fewer
// remaining pairs than a verdict needs, or than were left out since nobody asks for them, is not tried. Next
// checks each test once more before Next returns the test.
//
// # Bounds
//
// The machine keeps at most MaxPairs pairs of about 300 bytes, MaxTried + MaxRules verdicts
// of at most five pairs and at most 146 followers, MaxLearnt candidates, 128 changes of the
// published list and 128 points of the curve of coverage; and the window,
// the window's forms and an index of their tokens, 350 bytes for a URL of the site below. A
// new window or a new rule in L costs one pass over all URLs and one pass over the forms
// touched by the candidates. On a site of 18,546 URLs and 947 candidates, Load and the
// search for the next test take 110 to 190 ms (BenchmarkLoad, a busy 2-core EPYC).
package lifecycle
