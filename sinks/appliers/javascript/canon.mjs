#!/usr/bin/env node
// The command of the applier: node canon.mjs canon|bench --rules FILE [--two-labels] [--steps].
// ../README.md describes the command.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Rules } from "./index.mjs";

const { values: flags, positionals: [command] } = parseArgs({
  allowPositionals: true,
  options: { rules: { type: "string" }, "two-labels": { type: "boolean" }, steps: { type: "boolean" } },
});

const twoLabels = (name) => name.split(".").slice(-2).join(".");

function openRules() {
  const rules = new Rules(readFileSync(flags.rules, "utf8"), { domain: flags["two-labels"] ? twoLabels : undefined });
  for (const problem of rules.problems) console.error(`canon: ${problem}`);
  return rules;
}

const lines = () => readFileSync(0, "utf8").replace(/\n$/, "").split("\n");

function canon(rules) {
  const out = lines().map((url) => {
    const steps = flags.steps ? `\t${rules.explain(url).map((step) => step.id).join(" ")}` : "";
    return `${rules.canonical(url)}${steps}\n`;
  });
  process.stdout.write(out.join(""));
}

// bench prints the least time of a URL, in nanoseconds, over several passes.
function bench(rules) {
  const urls = lines();
  let changed = 0, least = Infinity;
  for (const begin = process.hrtime.bigint(); process.hrtime.bigint() - begin < 3_000_000_000n; ) {
    const from = process.hrtime.bigint();
    changed = 0;
    for (const url of urls) if (rules.canonical(url) !== url) changed++;
    least = Math.min(least, Number(process.hrtime.bigint() - from) / urls.length);
  }
  console.log(JSON.stringify({ urls: urls.length, changed, ns: Math.round(least) }));
}

const commands = { canon, bench };
if (commands[command] === undefined || flags.rules === undefined) {
  console.error("usage: node canon.mjs canon|bench --rules FILE [--two-labels] [--steps] < URLS");
  process.exit(2);
}
try {
  commands[command](openRules());
} catch (error) {
  console.error(`canon: ${error.message}`);
  process.exitCode = 1;
}
