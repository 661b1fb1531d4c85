// Package kafkatest starts a real Apache Kafka for tests. It needs Java 17 and Maven, which
// brings Kafka's published jars once into the user's cache (44 MB), and no container. A broker
// answers after three seconds and takes 350 MB. Memory is a Kafka in memory.
//
//	c := kafkatest.Shared(t)                              // one for the whole test binary
//	c := kafkatest.Start(t, kafkatest.Options{Nodes: 3})  // its own, to be killed and stopped
//	c.Brokers; c.Kill(t, 1); c.Run(t, 1)
//
// Tests that start brokers are skipped, and say so, if DUSTBUSTER_TEST_KAFKA is not set, or if
// Java or Maven is missing. Shared uses brokers that run already if DUSTBUSTER_TEST_BROKERS
// names them (host:port, with commas); tests should then delete their topics, and give them
// names that nobody else has (Name).
//
// Brokers end with the process that started them, however it ends.
package kafkatest
