"""Every case of docs/conformance."""

import base64
import json
import unittest
from pathlib import Path

from dustbuster_rules import Live, RefusedError, read
from dustbuster_rules.domains import two_labels

HERE = Path(__file__).resolve()
#: In a source distribution beside the tests, else in the repository.
CASES = HERE.parents[1] / "conformance"
if not CASES.exists():
    CASES = HERE.parents[4] / "docs" / "conformance"


def cases():
    for path in (CASES / "by-hand.jsonl", CASES / "cases.jsonl"):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield path.name, json.loads(line)


class TestConformance(unittest.TestCase):
    def test_all_cases(self):
        count = 0
        for file, case in cases():
            count += 1
            with self.subTest(file=file, case=case["case"]):
                self.check(case)
        self.assertGreater(count, 100)

    def test_lists(self):
        for line in (CASES / "lists.jsonl").read_text(encoding="utf-8").split("\n")[:-1]:
            case = json.loads(line)
            with self.subTest(case=case["case"]):
                live = Live(domain=two_labels)
                text = base64.b64decode(case["base64"]) if "base64" in case else case["list"].encode()
                if case.get("refused"):
                    with self.assertRaises(RefusedError):
                        live.set(read(text))
                    continue
                live.set(read(text))
                self.assertEqual([live.canonical(url) for url in case["urls"]], case["forms"])

    def test_sizes(self):
        for line in (CASES / "sizes.jsonl").read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            with self.subTest(case=case["case"]):
                *first, last = case["rules"]
                copies = ({**last, "rank": last["rank"] + i} for i in range(case["times"]))
                text = "\n".join(json.dumps(record) for record in (*first, *copies))
                if case.get("refused"):
                    with self.assertRaisesRegex(RefusedError, "more than 16777216"):
                        read(text)
                    continue
                live = Live(domain=two_labels)
                live.set(read(text))
                self.assertEqual(live.canonical(case["url"]), case["canonical"])

    def check(self, case):
        live = Live(domain=two_labels, host=case.get("host"))
        text = "\n".join(json.dumps(record) for record in case["rules"])
        if case.get("refused"):
            with self.assertRaises(RefusedError):
                live.set(read(text))
            return
        live.set(read(text))
        url = case["url"]
        self.assertEqual(live.canonical(url), case["canonical"])
        self.assertEqual([step.rule for step in live.explain(url)], case["steps"])
        self.assertEqual(live.canonical(case["canonical"]), case["canonical"], "not idempotent")


if __name__ == "__main__":
    unittest.main()
