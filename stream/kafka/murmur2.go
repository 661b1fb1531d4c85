package kafka

// PartitionOf returns the partition of a key among n partitions, as Java's default
// partitioner does (librdkafka's murmur2, kafka-go's Murmur2Balancer). So the records of a
// key lie in one partition, whichever producer writes them.
func PartitionOf(key []byte, n int) int {
	return int(murmur2(key)&0x7fffffff) % n
}

// murmur2 is Austin Appleby's 32-bit hash, with Kafka's seed.
func murmur2(b []byte) uint32 {
	const (
		seed = 0x9747b28c
		m    = 0x5bd1e995
		r    = 24
	)
	h := seed ^ uint32(len(b))
	for ; len(b) >= 4; b = b[4:] {
		k := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
		k *= m
		k ^= k >> r
		k *= m
		h = h*m ^ k
	}
	switch len(b) {
	case 3:
		h ^= uint32(b[2]) << 16
		fallthrough
	case 2:
		h ^= uint32(b[1]) << 8
		fallthrough
	case 1:
		h = (h ^ uint32(b[0])) * m
	}
	h ^= h >> 13
	h *= m
	return h ^ h>>15
}
