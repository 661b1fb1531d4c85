"""The reader of the topic, on a made-up consumer. The tests of integration use Kafka."""

import threading
import unittest
from types import SimpleNamespace

try:
    from confluent_kafka import KafkaError
    from dustbuster_rules.topic import Topic
except ImportError:
    Topic = None

from .test_ledger import headers, marker, rule

URL = "http://s/?a&b"


class Message:
    def __init__(self, partition, offset, record=None, error=None):
        self.of = partition, offset, record or (None, None, None), error

    def partition(self):
        return self.of[0]

    def offset(self):
        return self.of[1]

    def key(self):
        return self.of[2][0]

    def value(self):
        return self.of[2][1]

    def headers(self):
        return self.of[2][2]

    def error(self):
        return self.of[3]


class Consumer:
    """A consumer of two partitions that end at given offsets, fed by the test."""

    def __init__(self, *ends):
        self.ends, self.feed, self.assigned, self.config = ends, [], [], None
        self.taken = threading.Condition()

    def __call__(self, config):
        self.config = config
        return self

    def list_topics(self, topic, timeout):
        found = {topic: SimpleNamespace(error=None, partitions=dict(enumerate(self.ends)))} if self.ends else {}
        return SimpleNamespace(topics=found)

    def get_watermark_offsets(self, partition, timeout):
        return 0, self.ends[partition.partition]

    def assign(self, partitions):
        self.assigned.append([(p.partition, p.offset) for p in partitions])

    def consume(self, most, timeout):
        with self.taken:
            self.taken.notify_all()
            self.taken.wait(0.01)
            batch, self.feed = self.feed, []
        return batch

    def put(self, *messages):
        """Let messages be consumed, and wait until they were."""
        with self.taken:
            self.feed = list(messages)
        for _ in range(3):
            with self.taken:
                self.taken.wait(5)

    def close(self):
        pass


@unittest.skipIf(Topic is None, "confluent-kafka is not installed")
class TestTopic(unittest.TestCase):
    def open(self, *ends):
        self.consumer, self.errors = Consumer(*ends), []
        self.topic = Topic({"bootstrap.servers": "x"}, failed=self.errors.append, consumer=self.consumer)
        self.addCleanup(self.topic.close)

    def test_rules_wait_for_the_ends(self):
        self.open(2, 4)
        self.consumer.put(Message(0, 0, rule("a", 1, 1, 1)), Message(0, 1, marker({"a": (1, 1, 1)}, 1, 1, 2)))
        with self.assertRaises(TimeoutError):
            self.topic.wait(0)
        self.assertEqual(self.topic.canonical(URL), URL)
        self.consumer.put(Message(1, 2, rule("x", 1, 1, 1, site="t")))
        with self.assertRaises(TimeoutError):
            self.topic.wait(0)
        self.consumer.put(Message(1, 4, error=KafkaError(KafkaError._PARTITION_EOF)))  # a hole before the end
        self.topic.wait(5)
        self.assertEqual(self.topic.canonical(URL), "http://s/?b")
        version = self.topic.version
        self.consumer.put(Message(0, 2, rule("b", 1, 1, 3)), Message(0, 3, (b"s/set", b"x", headers(1, 1, 4))))
        self.assertEqual((self.topic.canonical(URL), len(self.errors)), ("http://s/?b", 1))
        self.consumer.put(Message(0, 4, marker({"b": (1, 1, 3)}, 1, 1, 5)))
        self.assertEqual(self.topic.canonical(URL), "http://s/?a")
        self.assertNotEqual(self.topic.version, version)
        self.assertNotIn("x", self.consumer.config["group.id"])

    def test_an_empty_topic(self):
        self.open(0)
        self.consumer.put(Message(0, 0, error=KafkaError(KafkaError._PARTITION_EOF)))
        self.topic.wait(5)
        self.assertEqual(self.topic.canonical(URL), URL)

    def test_a_topic_that_is_created_again(self):
        self.open(2)
        self.consumer.put(Message(0, 0, rule("a", 5, 1, 1)), Message(0, 1, marker({"a": (5, 1, 1)}, 5, 1, 2)))
        self.topic.wait(5)
        self.consumer.put(Message(0, 0, error=KafkaError(KafkaError._AUTO_OFFSET_RESET)))
        while len(self.consumer.assigned) < 2:
            self.consumer.put()
        self.assertEqual(self.topic.canonical(URL), "http://s/?b")
        self.consumer.put(Message(0, 0, rule("b", 0, 1, 1)), Message(0, 1, marker({"b": (0, 1, 1)}, 0, 1, 2)))
        self.assertEqual(self.topic.canonical(URL), "http://s/?a")

    def test_sites_that_exclude_each_other(self):
        self.open(4)
        old = rule("a", 1, 1, 1), marker({"a": (1, 1, 1)}, 1, 1, 2, hosts=1)
        group = (old[0][0], old[0][1].replace(b'"scope"', b'"hosts": ["t"], "scope"'), old[0][2])
        other = rule("b", 1, 1, 3, site="u")
        newer = (other[0], other[1].replace(b'"scope"', b'"hosts": ["t"], "scope"'), other[2])
        records = [group, old[1], newer, marker({"b": (1, 1, 3)}, 1, 1, 4, site="u", at=6)]
        self.consumer.put(*(Message(0, n, r) for n, r in enumerate(records)))
        self.topic.wait(5)
        self.assertEqual(self.topic.canonical("http://t/?a&b"), "http://t/?a")
        self.assertIn("two groups", str(self.errors[0]))

    def test_no_such_topic(self):
        self.open()
        with self.assertRaises(OSError) as caught:
            self.topic.wait(5)
        self.assertIn("UNKNOWN_TOPIC", str(caught.exception))


if __name__ == "__main__":
    unittest.main()
