// The rules of one site, applied to texts.
//
// Most rules do not touch most texts. Each rule has a trigger: a token that stands in each
// text that the rule changes, and if there are several, the one that the fewest rules share.
// A scan of a text finds the rules whose triggers are in the text. A rule without a trigger
// is tried on each text. A scan costs time for each byte of the text; a plain loop over all
// rules gives the same result, and is the oracle of the tests.

import { MAX_BYTES } from "./address.mjs";
import { isWord, tokensOf } from "./tokens.mjs";

const ROUNDS = 10;

// apply applies a rule to a text once.
export function apply(rule, text) {
  const { scope, inPath, seeks } = rule;
  if (!inPath && scope.path !== undefined && !scope.hasPath(text)) return text;
  const made = rule.edit.edit(text);
  if (made === text) return text;
  const left = inPath ? made : text;
  if (!scope.holds(text, left, seeks)) return text;
  if (rule.exceptURLs.has(text) || rule.exceptScopes.some((except) => except.holds(text, left, seeks))) return text;
  return made;
}

// Site applies rules to texts.
export class Site {
  constructor(rules) {
    this.rules = rules;
    this.off = new Set(); // rules that are switched off
    this.always = []; // ranks of the rules without a trigger
    this.byToken = new Map(); // ranks of the others, by trigger
    const options = rules.map(optionsOf), shared = new Map();
    for (const token of options.flat(2)) shared.set(token, (shared.get(token) ?? 0) + 1);
    const cost = (option) => option.reduce((sum, token) => sum + shared.get(token), 0);
    options.forEach((all, rank) => {
      const best = all.reduce((a, b) => (a === null || cost(b) < cost(a) ? b : a), null);
      if (best === null) this.always.push(rank);
      for (const token of new Set(best)) {
        if (!this.byToken.has(token)) this.byToken.set(token, []);
        this.byToken.get(token).push(rank);
      }
    });
  }

  // switch switches the rules of an id on or off.
  switch(id, on) {
    for (const rule of this.rules) if (rule.id === id) this.off[on ? "delete" : "add"](rule);
  }

  // run returns the canonical form of a text, or the text itself if the text does not settle
  // or becomes too long. The places of the rules that changed the text are appended to steps.
  run(text, steps) {
    let now = text, ranks = this.scan(now);
    for (let round = 0; round < ROUNDS; round++) { // the last scan of a round is of the text that the next begins with
      const before = now;
      for (let at = 0; at < ranks.length; ) {
        const rank = ranks[at++], made = apply(this.rules[rank], now);
        if (made === now || this.off.has(this.rules[rank])) continue;
        if (made.length > MAX_BYTES) return text;
        now = made;
        steps.push({ rank, text: made });
        ranks = this.scan(now);
        for (at = 0; ranks[at] <= rank; ) at++;
      }
      if (now === before) return now;
    }
    return text;
  }

  // scan returns the ranks of the rules that may change a text, ascending, each once.
  scan(text) {
    const found = this.always.slice();
    for (const token of tokensOf(text)) {
      for (const rank of this.byToken.get(token) ?? []) found.push(rank);
    }
    return found.sort((a, b) => a - b).filter((rank, at) => rank !== found[at - 1]);
  }
}

// optionsOf returns sets of tokens, of each of which one token is in each text that a rule
// changes.
function optionsOf({ needs, scope }) {
  const options = needs.map((texts) => texts.map(tokensOf)).filter((all) => all.every((tokens) => tokens.length > 0));
  const certain = (text) => options.push(...tokensOf(text).map((token) => [[token]]));
  if (scope.isWild) [scope.before, scope.after].forEach(certain);
  else if (scope.path !== undefined) certain(scope.path);
  if (scope.prefix !== undefined) certain(beginning(scope.prefix));
  for (const { param, value = "" } of scope.where) [param, value].forEach(certain);
  return options.flatMap((all) => (all.length === 1 ? all[0].map((token) => [token]) : [all.map((tokens) => tokens[0])]));
}

// beginning returns the part of a prefix whose tokens are tokens of each text that begins so.
function beginning(prefix) {
  const tokens = tokensOf(prefix.replace(/%[0-9A-Fa-f]?$/, ""));
  if (tokens.length > 0 && isWord[tokens.at(-1).charCodeAt(tokens.at(-1).length - 1)] === 1) tokens.pop();
  return tokens.join("");
}
