// Package worlds makes the worlds in which the learners are tested: lists of pages whose
// rules are known or do not matter, clusters of equal pages, streams of changes, and real
// logs. Each learner compares its rules with a plain definition of its own; what all plain
// definitions share is in package oracle.
package worlds
