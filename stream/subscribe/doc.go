// Package subscribe follows the topic of rules for a crawler. A Subscription holds the
// rules that are valid now. Any goroutine may apply them to any URL while they change.
//
//	s, err := subscribe.Open(ctx, kafka.Options{Brokers: brokers}, subscribe.Options{Topic: "dust.rules"})
//	go s.Run(ctx)
//	<-s.Ready()
//	canonical, changed := s.Canonical(url)
//
// # The rules held
//
// Of each site, a Subscription holds the last set published as a whole, as defined by
// package ledger: never half a set, and never an older set than before, whichever owner
// writes late and whichever records compaction has removed. An unreadable set is
// reported and skipped, and the previous set stays. Of sites that exclude each other,
// such as a host and its domain, the site published last is held. If the topic was
// deleted and made again, it is read again from its start.
//
// Before Ready there are no rules, and a crawler that starts earlier gives one page two
// keys. Ready is closed when all records present at the start have been read. While the
// brokers are unreachable later, or the topic does not exist, the rules stay unchanged.
//
// A Subscription writes nothing to Kafka and joins no group, so the permission to read
// the topic suffices. It takes the memory of the rules, plus some 300 bytes for each rule
// that ever existed. When a site's set changes, all rules are compiled again.
package subscribe
