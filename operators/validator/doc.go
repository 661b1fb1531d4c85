// Package validator is the life of one site's rules: which pair of URLs is to be
// fetched next, what the outcomes prove, and what is published. It is a state
// machine without input and output; fetching, saving and publishing are done by
// whoever drives it.
//
//	window, candidates ──Load──> Machine ──Next──> Test ──> fetch both, Judge
//	                               │  ^                              │
//	          Published, Held <────┤  └────────── Outcome <──────────┘
//	                               └── Acts ──> saved ──> Restore
//
// # Words
//
//	L           the ordered list of valid rules; it grows one rule at a time
//	form        a canonical form under L of the window's URLs; it stands for them,
//	            and a URL of the window represents it
//	gain        of a rule: how many forms it would merge
//	worth       of a trial: the gain that may be expected of it for each outcome
//	pair        (u, v): the URL that represents a form, and what the rule, and L
//	            after it, make of the form
//	attempt     the trial of one rule, on its pairs (package trial)
//	level       the mining of forms instead of URLs: what two edits together hide
//	sample      the trial of L as a whole, on URLs and their forms
//	round       one re-validation of what is published
//
// # What is state
//
// Outcomes, verdicts, what was learned from forms, the site's noise, the round and
// the publication are acts: they come out of Acts, and a machine that is given them
// again is the same machine. All else, forms, gains, the attempt under way and how
// far the sample is, follows from the acts, the window and the candidates, and is
// dropped and computed anew whenever one of them changes. So a crash at any place
// loses what was not saved and nothing else, and the candidate that is tried next
// never depends on the path that led here.
//
// # The order of work
//
// Next does the first of these that there is to do: publish, if it is time;
// re-validate; try the candidate of greatest worth; publish, as nothing is left to try;
// look at the forms. It stands still while verdicts wait for outcomes.
//
// A rule that is refuted leaves followers in its place: the scopes where it held,
// the other direction of its pair, the narrower scopes of a drop, and set. Scopes
// are paths, beginnings of URLs of whole tokens up to the edit, and for a drop or
// set the pages with a parameter or a value of it; five positives and no negative
// make one worth a trial. A rule with some negatives is refuted where such scopes
// keep nine tenths of its positives, or where its scope came of narrowing already:
// it was chosen for having no negative.
//
// The worth of a trial is gain · P / E: P the chance that the rule holds, E the
// outcomes that the verdict will take (trial.Prospect). Of a new candidate the site
// has taught how often such hold: a drop more often than an edit of text. Of a
// narrowed one the pairs that are known are counted. So a rule that is split costs
// no more of a small budget than it did whole.
//
// A trial ends undecided, for RetryUndecided, when five URLs that the rule makes are
// answered with 5xx: the server has a trouble that more requests make worse.
//
// That the pages of a pair look alike proves something only if other pages do not. Each
// trial therefore has a control: mixed pairs (u_i, v_j), i ≠ j, of the pages that it has
// fetched anyway, or, where the rule makes few different v, (u, decoy). Decoys are up to
// 20 forms of different kinds, fetched once a day; a text that many of them show is one
// that the server shows everywhere. What is kept of a pair is what was measured. Its
// outcome is derived for each rule under the rule's control (trial.Case), and derived
// anew when the control changes. A pair of the set is judged under the joint control of
// the rules of its chain.
//
// A negative is looked at twice, until five of the rule's are confirmed: some pages differ
// only before their first visit. The second look also tells how much the two pages differ
// from themselves. If more than a fifth of the pairs differ only once, or more than half
// prove nothing, the rule is undecided, and the reason is told.
//
// A pair is a fault of the rule only if L was right about u. Where L had a hand in
// a negative, its own part is tried as well, and if that is wrong, the rule in L is
// sent back, and the pair does not count.
//
// Beside the candidates that are given, drops are sought among the forms whenever L
// or the window is new: those that the sizes show when a page may repeat its own
// URL any number of times, so that two copies differ by a multiple of the
// difference in the length of their URLs. No tolerance shows those.
//
// A pair once tried counts for all rules and for the sample. The pairs of all rules
// are drawn in one random order, by what u and v have in common, so that rules that
// edit the same place share documents: give the fetcher a cache.
//
// The sample finds what rules do only together, and what the trials have missed. Half of
// it are URLs that several rules change, and a quarter those whose size is not that of the
// others of their form; its bound is that of strata. It is enough for a publication when ε
// is shown, or after 100 documents of which none was wrong. Re-validation goes on with it
// until the set's limit is shown; a machine without re-validation does so at once, with up
// to a quarter of all pairs.
//
// What goes out is L, or while that would change the form of more than a share of the
// URLs, the longest beginning of L that changes no more. The rest is held back until a
// person approves it, or the window makes its share small enough. Changes count from what
// was out before anything was held back: else all of L would go out beginning by
// beginning. A rule that is out and leaves L is taken back whatever that changes.
//
// All that is published is tested again every AgainEvery, and at once when somebody asks
// for it (Recheck), or when the newest sizes contradict a rule. They do if, of the URLs of
// the newest pane that the rule has a part in changing and whose form was seen there, too,
// with a size that compares, at least 3 and at least ε are not alike with their form, and
// at least twice the share that it was when the rule was found valid or last tested. For
// that a rule is tested at most once an hour. Pages that changed within the pane have both
// sizes in it, and speak in the next one. A window of one endless pane never contradicts.
//
// When a rule leaves L, those after it, which were tried in its company, are tested again:
// they are a round of their own.
//
// A URL whose form is wrong is traced before a rule is blamed. The forms between the
// steps u = f0 -> f1 -> ... -> C(u) are URLs: those in the middle are compared with u
// until a step is found that leads from u's page to another. The rule of that step is sent
// back to trial, with the step against it. If no step is wrong by itself, the rule of
// greatest rank is sent back, with (u, C(u)) against it. Each pair does so once to each
// rule. A rule against which only such pairs speak is not followed by its growing
// direction, since the fault may not be its own.
//
// When no fetches are left (Close), the sample ends with the outcomes there are, at least
// ten and all of them good, and the bound reached is published with the set.
//
// # What is never asked for
//
// A link that confirms an address, or sets a password, belongs to whoever was given it,
// and works once. URLs that may be such links (type guard) are left out of all pairs, and
// so are those that rules make: a rule with fewer pairs left than a verdict needs is not
// tried. Next looks at each test once more before it gives it out.
//
// # Bounds
//
// MaxPairs pairs of about 300 bytes, MaxTried + MaxRules verdicts of at most
// five pairs and at most 82 followers, MaxLearnt candidates; the window, its forms
// and an index of their tokens, 350 bytes for a URL of the site below. A new window or a
// new rule in L costs one pass over all URLs and one over the forms that the
// candidates touch: on a site of 18,546 URLs and 947 candidates 110 to 190 ms up to
// the next test (BenchmarkLoad, a busy 2-core EPYC).
package validator
