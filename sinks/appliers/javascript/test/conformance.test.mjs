import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Rules } from "../index.mjs";

const folder = new URL("../../../../docs/conformance/", import.meta.url);
const twoLabels = (name) => name.split(".").slice(-2).join(".");
const textOf = (rules) => rules.map((rule) => JSON.stringify(rule) + "\n").join("");

for (const file of ["by-hand.jsonl", "cases.jsonl"]) {
  test(file, async (t) => {
    const lines = readFileSync(new URL(file, folder), "utf8").trimEnd().split("\n");
    for (const line of lines) {
      const { case: name, rules, host, url, canonical, steps, refused } = JSON.parse(line);
      await t.test(name, () => {
        if (refused) {
          assert.throws(() => new Rules(textOf(rules), { domain: twoLabels }));
          return;
        }
        const sites = new Rules(textOf(rules), { domain: twoLabels, host });
        assert.equal(sites.canonical(url), canonical);
        assert.deepEqual(sites.explain(url).map((step) => step.id), steps);
        assert.equal(sites.canonical(canonical), canonical);
      });
    }
  });
}

test("lists.jsonl", async (t) => {
  for (const line of readFileSync(new URL("lists.jsonl", folder), "utf8").trimEnd().split("\n")) {
    const { case: name, list, base64, urls, forms, refused } = JSON.parse(line);
    const text = base64 === undefined ? list : Buffer.from(base64, "base64");
    await t.test(name, () => {
      if (refused) {
        assert.throws(() => new Rules(text, { domain: twoLabels }));
        return;
      }
      const rules = new Rules(text, { domain: twoLabels });
      assert.deepEqual(urls.map((url) => rules.canonical(url)), forms);
    });
  }
});

test("sizes.jsonl", async (t) => {
  for (const line of readFileSync(new URL("sizes.jsonl", folder), "utf8").trimEnd().split("\n")) {
    const { case: name, rules, times, url, canonical, refused } = JSON.parse(line);
    await t.test(name, () => {
      const last = rules.pop(), text = textOf(rules) + textOf(Array.from({ length: times }, (_, i) => ({ ...last, rank: last.rank + i })));
      if (refused) assert.throws(() => new Rules(text, { domain: twoLabels }), /more than 16777216/);
      else assert.equal(new Rules(text, { domain: twoLabels }).canonical(url), canonical);
    });
  }
});
