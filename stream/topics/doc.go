// Package topics says what Kafka's topics must be like, finds what is not so, and
// makes it so.
//
// [Judge] is a pure function from what is wanted ([Plan]) and what the brokers say
// ([Facts], which [Look] gathers) to findings, each with a reason and a remedy.
// [Steps] works out what can be done about them, [After] what there is then, and
// [Do] does it. Daemons call [Ready] at start.
//
// What the topics must be like follows from three things. Observations are the
// table: a new owner of a partition reads it from its start, and must find there
// what an owner that had always been there would hold. Partition p of the
// observations owns partition p of the rules and of the events, so these have the
// same number of partitions; and a site keeps its partition only as long as that
// number does. The rules are what is newest of each key.
package topics
