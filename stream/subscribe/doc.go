// Package subscribe is for crawlers: it follows the topic of rules and holds the rules
// that are valid now, to be applied to any URL by any goroutine while they change.
//
//	s, err := subscribe.Open(ctx, kafka.Options{Brokers: brokers}, subscribe.Options{Topic: "dust.rules"})
//	go s.Run(ctx)
//	<-s.Ready()
//	canonical, changed := s.Canonical(url)
//
// # What it holds
//
// Of each site the last set that was published as a whole, as package ledger says it:
// never half of one, never an older one than it has held, whoever writes late and
// whatever compaction has taken. A set that cannot be read is told and passed over,
// and the one before it stays. Of sites that exclude each other, as a host and its domain,
// the one that published last is held. A topic that was made anew is read anew.
//
// Before Ready it holds nothing: a crawler that began then would give the same page
// two keys. Ready comes when all is read that was there at the start. Later, when
// brokers are away, the rules stay as they are.
//
// Nothing is written to Kafka, and no group is joined: the permission to read the
// topic is all that is needed. Memory is that of the rules, and some 300 bytes for each
// that there ever was. When a site's set changes all rules are compiled anew.
package subscribe
