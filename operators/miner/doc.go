// Package miner is one site's machine: observations in; likely rules, and the
// events of their coming and fading, out.
//
//	observation ──> table ──changed──> envelope ──likely pairs──> dust.Refine ─┐
//	                  (the fold)  └──> params ───likely drops─────────────────┴─> rules
//
// The table is the state. The two indexes are derived from it, and follow it
// only when they are asked, or when many URLs have left the window and their
// memory is wanted: a URL seen a thousand times in between costs them one
// change. So what a machine says is a function of the table, whenever and
// however often it is asked.
package miner
