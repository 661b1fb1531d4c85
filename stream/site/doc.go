// Package site holds what the log tells of one site: its window with the learners, the list of its likely
// rules, and what the last look at the whole window found. A [Site] has no goroutine, no lock and no clock.
// Its host calls it: see package loop. Whatever takes long is a value of its own, a [View] or a [Look], that
// works on a copy on another goroutine, and whose result the Site takes.
//
//	observation ──> window ──View──> Refine ──> list ──> events, trials
//	                   └────Look───> Run ─────> rules that no learner keeps up to date, notes, waste
//
// # The list
//
// The list has the rules of the learners that are always up to date, best first, and behind them those that
// the last look has found. The result of a refinement is that of the batch algorithm over the window at the
// time of the View.
//
// # A look
//
// Some learners look at the whole window (package miner). The rules that a look finds are listed at the next
// refinement. They are in no event and in no checkpoint: after a restart the learners look again.
//
// # Withholding
//
// Rules hold pieces of URLs. A rule that looks like a secret is withheld, and so is a rule with a side that a
// single client has asked for, until other clients ask for it (packages secret and miner).
package site
