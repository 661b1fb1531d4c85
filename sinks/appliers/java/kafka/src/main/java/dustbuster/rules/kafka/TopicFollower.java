package dustbuster.rules.kafka;

import dustbuster.rules.Domains;
import dustbuster.rules.InvalidListException;
import dustbuster.rules.Live;
import dustbuster.rules.RuleSet;
import dustbuster.rules.Rules;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Follows the topic of rules (docs/kafka.md), and sets the lists of a {@link Live}. A follower joins no
 * group, commits nothing, and needs permission to read the topic. No rules are set before all records
 * that were in the topic at the start have been read.
 */
public final class TopicFollower implements AutoCloseable {
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofSeconds(1); // after an error

    private final Live live;
    private final String topic;
    private final Domains domains;
    private final Consumer<Exception> failed;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final CountDownLatch ready = new CountDownLatch(1);
    private final Thread thread;
    private volatile boolean closed;

    // of the thread
    private final Map<TopicPartition, Ledger> ledgers = new HashMap<>();
    private final Map<TopicPartition, Long> ends = new TreeMap<>(
            java.util.Comparator.comparingInt(TopicPartition::partition)); // not reached yet
    private boolean changed = true; // the sets, since the last list

    /**
     * Starts to follow.
     *
     * @param consumer settings of Kafka's consumer: at least bootstrap.servers; TLS and SASL as for any
     *     consumer
     * @param domains gives registrable domains, or null
     * @param failed is told of errors, after which the last rules stay; called on the follower's thread
     */
    public TopicFollower(
            Live live, Map<String, Object> consumer, String topic, Domains domains, Consumer<Exception> failed) {
        this.live = live;
        this.topic = topic;
        this.domains = domains;
        this.failed = failed;
        Map<String, Object> settings = new HashMap<>(consumer);
        settings.put("enable.auto.commit", false);
        settings.put("auto.offset.reset", "none"); // a shorter topic is another topic: see forget
        settings.put("allow.auto.create.topics", false);
        settings.remove("group.id");
        this.consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
        this.thread = new Thread(this::run, "dustbuster rules of " + topic);
        thread.setDaemon(true);
        thread.start();
    }

    /** Waits until the first list is set, and reports whether it is. */
    public boolean await(Duration patience) throws InterruptedException {
        return ready.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Ends the follower, and waits for its end. The rules stay. */
    @Override
    public void close() {
        closed = true;
        consumer.wakeup();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        try (consumer) {
            while (!closed) {
                try {
                    if (ledgers.isEmpty()) {
                        assign();
                    }
                    step();
                } catch (WakeupException e) {
                    continue;
                } catch (OffsetOutOfRangeException e) {
                    e.partitions().forEach(this::forget);
                } catch (KafkaException | IllegalStateException e) {
                    failed.accept(e);
                    Thread.sleep(PAUSE.toMillis());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Begins at the start of all partitions. */
    private void assign() {
        List<PartitionInfo> infos = consumer.partitionsFor(topic);
        if (infos == null || infos.isEmpty()) {
            throw new IllegalStateException("the topic " + topic + " does not exist");
        }
        List<TopicPartition> partitions =
                infos.stream().map(info -> new TopicPartition(topic, info.partition())).toList();
        Map<TopicPartition, Long> first = consumer.endOffsets(partitions);
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        ends.putAll(first);
        partitions.forEach(partition -> ledgers.put(partition, new Ledger()));
    }

    /** Begins anew with a partition of which the position is no longer there: the topic was made again. */
    private void forget(TopicPartition partition) {
        List<TopicPartition> one = List.of(partition);
        ends.putAll(consumer.endOffsets(one));
        consumer.seekToBeginning(one);
        ledgers.put(partition, new Ledger());
        changed = true;
        failed.accept(new IllegalStateException("partition " + partition + " is shorter than before: it is read anew"));
    }

    /** Reads what has come, and sets a new list if all that was there at the start has been read. */
    private void step() {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
            Ledger ledger = ledgers.get(new TopicPartition(record.topic(), record.partition()));
            try {
                changed |= ledger.apply(utf8(record.key()), record.value() == null ? null : utf8(record.value()), tuple(record));
            } catch (InvalidListException e) {
                failed.accept(new InvalidListException(
                        "record " + record.offset() + " of partition " + record.partition() + ": " + e.getMessage()));
            }
        }
        // The last offsets may be holes: positions count, not the offsets of records.
        ends.entrySet().removeIf(end -> consumer.position(end.getKey()) >= end.getValue());
        if (!ends.isEmpty() || !changed) {
            return;
        }
        changed = false;
        List<RuleSet> sets = new ArrayList<>();
        StringBuilder version = new StringBuilder();
        ledgers.values().forEach(ledger -> ledger.addSets(sets));
        ledgers.entrySet().stream().sorted(Map.Entry.comparingByKey(java.util.Comparator.comparingInt(TopicPartition::partition)))
                .forEach(entry -> entry.getValue().addVersion(version));
        try {
            live.set(Rules.of(sets, domains), hash(version.toString()));
            ready.countDown();
        } catch (InvalidListException e) {
            failed.accept(e);
        }
    }

    private static Tuple tuple(ConsumerRecord<byte[], byte[]> record) throws InvalidListException {
        return new Tuple(number(record, "epoch"), number(record, "generation"), number(record, "sequence"));
    }

    private static long number(ConsumerRecord<byte[], byte[]> record, String name) throws InvalidListException {
        Header header = record.headers().lastHeader(name);
        String text = header == null || header.value() == null ? "" : utf8(header.value());
        if (!text.matches("[0-9]{1,19}") || new BigInteger(text).bitLength() > 63) {
            throw new InvalidListException("header " + name + " is no number");
        }
        return Long.parseLong(text);
    }

    private static String utf8(byte[] text) {
        return text == null ? "" : new String(text, StandardCharsets.UTF_8);
    }

    /** Returns a short text that identifies the sets. */
    private static String hash(String text) {
        try {
            byte[] sum = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return String.format("%064x", new BigInteger(1, sum));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
