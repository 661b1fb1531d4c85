// Package kafkatest starts a real Apache Kafka for tests: no container, only its
// published jars, which Maven brings once into the user's cache (44 MB), and
// Java 17. A broker answers after three seconds and takes 350 MB.
//
//	c := kafkatest.Shared(t)                              // one for the whole test binary
//	c := kafkatest.Start(t, kafkatest.Options{Nodes: 3})  // its own, to be killed and stopped
//	c.Brokers; c.Kill(t, 1); c.Run(t, 1)
//
// Tests do so only where DUSTBUSTER_TEST_KAFKA is set; without it, or without Java or
// Maven, they are skipped, and say so. Where brokers run already, DUSTBUSTER_TEST_BROKERS
// names them (host:port, with commas) and Shared uses them; tests should then clean up
// their topics and give them names that nobody else has (Name).
//
// Brokers end with the process that started them, however it ends.
package kafkatest
