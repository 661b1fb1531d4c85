// Package topics checks the settings of Kafka's topics, and corrects them.
//
// [Judge] is a pure function. It compares the wanted topics ([Plan]) with the brokers'
// answers ([Facts], gathered by [Look]) and returns findings, each with a reason and a
// remedy. [Steps] derives the possible corrections, [After] predicts their result, and
// [Do] makes one correction. Daemons call [Ready] at start.
//
// Three facts determine the required settings. First, the observations are the table: a
// new owner reads a partition from its start, and must find all observations that a
// permanent owner would hold. Second, partition p of the observations owns partition p
// of the rules and of the events. So these topics have the same number of partitions,
// and a site keeps its partition only as long as that stays so. Third, the topic of rules
// keeps only the newest record of each key.
package topics
