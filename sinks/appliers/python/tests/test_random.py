"""Random lists and texts: the package and the plain loop agree, step by step."""

import json
import os
import unittest

from dustbuster_rules import Live, read

from . import plain
from .worlds import World

WORLDS = int(os.environ.get("DUSTBUSTER_WORLDS", "400"))


class TestRandom(unittest.TestCase):
    def test_random_lists(self):
        changed = set()
        for seed in range(WORLDS):
            world = World(seed)
            records = world.rules(12)
            live = Live()
            live.set(read("\n".join(map(json.dumps, records))))
            for _ in range(25):
                self.same(records, live, world.url_text(), changed)
        kinds = {"substring", "order", "set", "drop", "drop in path", "slashes", "empty-query", "empty-value", "escapes", "case", "template", "segment"}
        self.assertEqual(changed, kinds)

    def same(self, records, live, text, changed):
        want, ranks = plain.canonical(records, text)
        url = "http://a.example" + text
        note = f"{json.dumps(records)} {text!r}"
        self.assertEqual(live.canonical(url), "http://a.example" + want, note)
        self.assertEqual([s.rule for s in live.explain(url)], [records[n]["id"] for n in ranks], note)
        self.assertEqual(live.canonical("http://a.example" + want), "http://a.example" + want, note)
        for n in ranks:
            r = records[n]
            changed.add(r.get("form") or (r.get("op", "") + (" in path" if r.get("in") else "")) or r["kind"])


if __name__ == "__main__":
    unittest.main()
