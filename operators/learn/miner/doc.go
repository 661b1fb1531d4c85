// Package miner implements the machine of one site. The input is observations. The output
// is likely rules, and events when a rule becomes likely or fades.
//
//	observation ──> table ──changed──> envelope ──likely pairs──> dust.Refine ─┐
//	                  (the fold)  └──> params ───likely drops─────────────────┴─> rules
//
// The table is the state. The two indexes are derived from the table. The indexes are
// updated only when rules are requested, or when many URLs have left the window and their
// memory is needed. A URL seen a thousand times between two updates costs the indexes one
// change. The output is therefore a function of the table, whenever and however often it is
// requested.
package miner
