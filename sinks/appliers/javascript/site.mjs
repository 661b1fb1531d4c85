// The rules of one site, applied to texts.
//
// Most rules do not touch most texts. Each rule has a trigger: a token that stands in each
// text that the rule changes, and if there are several, the one that the fewest rules share.
// A scan of a text finds the rules whose triggers are in the text. A rule without a trigger
// is tried on each text. A scan costs time for each byte of the text; a plain loop over all
// rules gives the same result, and is the oracle of the tests.

import { MAX_BYTES } from "./address.mjs";
import { escapeAt, isWord, isWordByte, tokensOf } from "./tokens.mjs";

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
    this.off = new Uint8Array(rules.length); // 1: the rule is switched off
    this.hits = new Int32Array(rules.length);
    this.count = 0;
    this.seen = new Int32Array(rules.length); // the scan that found the rule last
    this.scans = 0;
    this.index();
  }

  // switch switches the rules of an id on or off.
  switch(id, on) {
    this.rules.forEach((rule, rank) => { if (rule.id === id) this.off[rank] = on ? 0 : 1; });
  }

  // run returns the canonical form of a text, or the text itself if the text does not settle
  // or becomes too long. The places of the rules that changed the text are appended to steps.
  run(text, steps) {
    let now = text;
    this.scan(now);
    for (let round = 0; round < ROUNDS; round++) { // the last scan of a round is of the text that the next begins with
      const before = now;
      for (let at = 0; at < this.count; ) {
        const rank = this.hits[at++];
        const made = apply(this.rules[rank], now);
        if (made === now) continue;
        if (made.length > MAX_BYTES) return text;
        now = made;
        steps.push({ rank, text: made });
        this.scan(now);
        for (at = 0; at < this.count && this.hits[at] <= rank; ) at++;
      }
      if (now === before) return now;
    }
    return text;
  }

  // index chooses the triggers.
  index() {
    const options = this.rules.map(optionsOf), shared = new Map();
    for (const option of options.flat(2)) shared.set(option, (shared.get(option) ?? 0) + 1);
    const cost = (option) => option.reduce((sum, token) => sum + shared.get(token), 0);
    const byHash = new Map();
    this.always = [];
    options.forEach((all, rank) => {
      const best = all.reduce((a, b) => (a === null || cost(b) < cost(a) ? b : a), null);
      if (best === null) this.always.push(rank);
      for (const hash of new Set((best ?? []).map(hashOf))) {
        if (!byHash.has(hash)) byHash.set(hash, []);
        byHash.get(hash).push(rank);
      }
    });
    let size = 16;
    while (size < 4 * byHash.size) size *= 2;
    this.mask = size - 1;
    this.slots = new Int32Array(size); // numbers of lists, from 1
    this.hashes = new Int32Array(size);
    this.lists = [[]];
    for (const [hash, ranks] of byHash) {
      let slot = hash & this.mask;
      while (this.slots[slot] !== 0) slot = (slot + 1) & this.mask;
      this.hashes[slot] = hash;
      this.slots[slot] = this.lists.push(Int32Array.from(ranks)) - 1;
    }
  }

  // scan finds the rules that may change a text, in the order of their ranks.
  scan(text) {
    this.scans++;
    this.count = 0;
    for (let i = 0; i < this.always.length; i++) this.hit(this.always[i]);
    let hash = SEED;
    for (let at = 0; at < text.length; at++) {
      const c = text.charCodeAt(at);
      if (isWord[c] === 1) {
        hash = Math.imul(hash ^ c, PRIME);
        continue;
      }
      const byte = c === PERCENT ? escapeAt(text, at) : -1;
      if (byte >= 0 && isWordByte(byte)) {
        hash = more(more(more(hash, c), text.charCodeAt(at + 1)), text.charCodeAt(at + 2));
        at += 2;
        continue;
      }
      if (hash !== SEED) this.look(hash);
      hash = more(SEED, c);
      if (byte >= 0) {
        hash = more(more(hash, text.charCodeAt(at + 1)), text.charCodeAt(at + 2));
        at += 2;
      }
      this.look(hash);
      hash = SEED;
    }
    if (hash !== SEED) this.look(hash);
    this.sort();
  }

  // look adds the rules of a trigger, by the trigger's hash. Another token of the same hash
  // only costs time.
  look(hash) {
    hash = mix(hash);
    for (let slot = hash & this.mask; this.slots[slot] !== 0; slot = (slot + 1) & this.mask) {
      if (this.hashes[slot] !== hash) continue;
      const ranks = this.lists[this.slots[slot]];
      for (let i = 0; i < ranks.length; i++) this.hit(ranks[i]);
      return;
    }
  }

  hit(rank) {
    if (this.seen[rank] === this.scans || this.off[rank] === 1) return;
    this.seen[rank] = this.scans;
    this.hits[this.count++] = rank;
  }

  sort() {
    const { hits, count } = this;
    if (count > 32) {
      hits.subarray(0, count).sort();
      return;
    }
    for (let i = 1; i < count; i++) {
      const rank = hits[i];
      let at = i;
      for (; at > 0 && hits[at - 1] > rank; at--) hits[at] = hits[at - 1];
      hits[at] = rank;
    }
  }
}

// Hashes of tokens: FNV-1a of 32 bits, mixed.
const PERCENT = 0x25;
const SEED = 0x811c9dc5 | 0;
const PRIME = 0x01000193;
const more = (hash, c) => Math.imul(hash ^ c, PRIME);
const mix = (hash) => hash ^ (hash >>> 15);
const hashOf = (token) => mix([...token].reduce((hash, c) => more(hash, c.charCodeAt(0)), SEED));

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
