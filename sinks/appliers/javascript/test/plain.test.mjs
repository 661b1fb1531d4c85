// The index of a site against a plain loop over the rules.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Rules } from "../index.mjs";
import { apply } from "../site.mjs";
import { isBoundary, tokensOf } from "../tokens.mjs";
import { random } from "./random.mjs";

function plain(rules, text) {
  if (text.length > 2048) return text;
  let now = text;
  for (let round = 0; round < 10; round++) {
    const before = now;
    for (const rule of rules) {
      now = apply(rule, now);
      if (now.length > 2048) return text;
    }
    if (now === before) return now;
  }
  return text;
}

test("random lists", () => {
  let changed = 0, rounds = 0, rules = 0;
  for (let seed = 1; seed <= 3000; seed++) {
    const world = random(seed), list = world.list(seed % 50 === 0 ? 200 : 6);
    const site = new Rules(list).sites[0];
    if (site === undefined) continue;
    rules += site.rules.rules.length;
    for (let i = 0; i < 10; i++) {
      const text = world.url(), steps = [], want = plain(site.rules.rules, text);
      const got = site.rules.run(text, steps);
      assert.equal(got, want, `seed ${seed}, ${text}, ${list}`);
      assert.equal(plain(site.rules.rules, got), got, `seed ${seed}, ${text}`);
      if (got !== text) {
        changed++;
        rounds = Math.max(rounds, steps.length);
        assert.equal(steps.at(-1).text, got);
      }
    }
  }
  assert.ok(changed > 3000 && rounds > 9 && rules > 9000, `${changed} changed, up to ${rounds} steps, ${rules} rules: the worlds are dull`);
});

// Tokens as docs/rules.md defines them, by one regular expression.
test("tokens", () => {
  const token = /(?:[0-9A-Za-z]|%[89A-Fa-f][0-9A-Fa-f]|%(?:3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]))+|%[0-9A-Fa-f]{2}|[^]/g;
  const letters = ["a", "4", "F", "%", "/", "1", "2", "E"];
  for (let n = 0; n < letters.length ** 5; n++) {
    let text = "";
    for (let i = 0, rest = n; i < 5; i++, rest = Math.floor(rest / letters.length)) text += letters[rest % letters.length];
    const want = text.match(token);
    assert.deepEqual(tokensOf(text), want, text);
    assert.ok(isBoundary(text, 0) && isBoundary(text, 5));
  }
});
