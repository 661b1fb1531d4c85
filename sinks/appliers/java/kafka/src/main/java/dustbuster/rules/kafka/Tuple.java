package dustbuster.rules.kafka;

import java.util.Comparator;

/** The order of the records of a partition, whoever wrote them: the headers of a record. */
record Tuple(long epoch, long generation, long sequence) implements Comparable<Tuple> {
    private static final Comparator<Tuple> ORDER =
            Comparator.comparingLong(Tuple::epoch).thenComparingLong(Tuple::generation).thenComparingLong(Tuple::sequence);

    @Override
    public int compareTo(Tuple other) {
        return ORDER.compare(this, other);
    }
}
