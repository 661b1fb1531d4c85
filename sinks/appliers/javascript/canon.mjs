#!/usr/bin/env node
// The command of the applier: node canon.mjs canon|bench --rules FILE [--host HOST] [--two-labels] [--steps],
// or node canon.mjs lists [--host HOST] [--two-labels].
// ../README.md describes the command.

import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Rules } from "./index.mjs";

const { values: flags, positionals: [command] } = parseArgs({
  allowPositionals: true,
  options: { rules: { type: "string" }, host: { type: "string" }, "two-labels": { type: "boolean" }, steps: { type: "boolean" } },
});

const twoLabels = (name) => name.split(".").slice(-2).join(".");

const domain = flags["two-labels"] ? twoLabels : undefined;

function openRules() {
  const rules = new Rules(readFileSync(flags.rules), { domain, host: flags.host });
  for (const problem of rules.problems) console.error(`canon: ${problem}`);
  return rules;
}

const lines = () => (readFileSync(0, "utf8").match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => line.replace(/\r?\n$|\r$/, ""));

function canon(rules) {
  const urls = lines(), bad = urls.findIndex((url) => rules.needsHost(url));
  const out = urls.slice(0, bad < 0 ? urls.length : bad).map((url) => {
    const steps = flags.steps ? `\t${rules.explain(url).map((step) => step.id).join(" ")}` : "";
    return `${rules.canonical(url)}${steps}\n`;
  });
  process.stdout.write(out.join(""));
  if (bad >= 0) throw new Error(`canonize ${JSON.stringify(urls[bad])}: the rules name no host: add --host www.example.org with the host of the rules`);
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

// lists reads a list on each line, in base64, and URLs behind it, and prints their forms.
function lists() {
  const out = lines().map((line) => {
    const [list, ...urls] = line.split("\t");
    try {
      const rules = new Rules(Buffer.from(list, "base64"), { domain, host: flags.host });
      return `${urls.map((url) => rules.canonical(url)).join("\t")}\n`;
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) throw error;
      return "refused\n";
    }
  });
  process.stdout.write(out.join(""));
}

const commands = { canon: () => canon(openRules()), bench: () => bench(openRules()), lists };
if (commands[command] === undefined || (flags.rules === undefined) !== (command === "lists")) {
  console.error("usage: node canon.mjs canon|bench --rules FILE [--host HOST] [--two-labels] [--steps] < URLS\n       node canon.mjs lists [--host HOST] [--two-labels] < LISTS");
  process.exit(2);
}
try {
  commands[command]();
} catch (error) {
  console.error(`canon: ${error.message}`);
  process.exitCode = 1;
}
