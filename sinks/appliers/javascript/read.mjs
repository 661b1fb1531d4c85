// Reads lists of published rules.

import { isPlain, MAX_BYTES } from "./address.mjs";
import { Scope } from "./scope.mjs";
import { kinds } from "./kinds.mjs";

// The greatest schema, and bounds of a list.
const SCHEMA = 2;
const MAX_LINE = 1 << 20;
const MAX_LIST = 64 << 20;

// UnknownError is the error of a rule whose meaning this version does not know.
export class UnknownError extends Error {}

const unknown = (what) => { throw new UnknownError(`${what} is unknown to this version`); };
const bad = (what) => { throw new Error(what); };

// read returns the sites of a list, in the order of their first records, and the number of
// other rules, which are not valid. A site has a name, byDomain, hosts, rules in the order of
// rank, and problem, the reason why the site has no rules. read throws an Error that names
// the line or the rule if the list is refused.
export function read(list) {
  if (list.length > MAX_LIST) bad(`read rules: more than ${MAX_LIST} bytes`);
  const sites = new Map();
  let other = 0;
  list.split("\n").forEach((line, at) => {
    if (line === "" || line === "\r") return;
    try {
      if (!readLine(line, sites)) other++;
    } catch (error) {
      throw new Error(`read rules: line ${at + 1}: ${error.message}`);
    }
  });
  for (const site of sites.values()) finish(site);
  return { sites: [...sites.values()], other };
}

// readLine adds the rule of a line to its site, and returns false if the rule is not valid.
function readLine(line, sites) {
  if (line.length > MAX_LINE) bad(`more than ${MAX_LINE} bytes`);
  const record = JSON.parse(line);
  if (!isObject(record)) bad("not a rule (one JSON object)");
  const { schema = 1, site: name = "", state } = record;
  if (!Number.isInteger(schema) || schema > SCHEMA) bad(`schema ${schema}, and this program knows ${SCHEMA}: use a newer version`);
  if (state !== "valid") return false;
  if (typeof name !== "string") bad("the site has no name");
  if (!sites.has(name)) sites.set(name, { name, byDomain: record.by_domain === true, hosts: record.hosts ?? [], rules: [], problem: null });
  const site = sites.get(name);
  try {
    const rule = readRule(record, schema);
    if (rule.byDomain !== site.byDomain || rule.hosts.join() !== site.hosts.join()) site.differs ??= rule.id;
    site.rules.push(rule);
  } catch (error) {
    if (!(error instanceof UnknownError)) throw error;
    site.problem ??= `rule ${JSON.stringify(record.id)} of site ${JSON.stringify(name)}: ${error.message}`;
  }
  return true;
}

// finish checks the rules of a site together.
function finish(site) {
  if (site.problem !== null) {
    site.rules = [];
    return;
  }
  site.rules.sort((a, b) => a.rank - b.rank);
  const refuse = (what) => bad(`read rules: site ${JSON.stringify(site.name)}: ${what}`);
  if (site.differs !== undefined) refuse(`rule ${JSON.stringify(site.differs)} has other hosts than the rules before it`);
  site.rules.forEach((rule, at) => {
    if (at > 0 && rule.rank === site.rules[at - 1].rank) refuse(`two rules have the rank ${rule.rank}`);
  });
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const COMMON = ["schema", "site", "id", "kind", "rank", "state", "support", "verdict", "first_seen", "validated_at",
  "by_domain", "hosts", "separators", "scope", "except"];
const KNOWN = new Set([...COMMON, ...Object.values(kinds).flatMap((kind) => kind.members)]);

// readRule returns a rule of a record in the state valid.
function readRule(record, schema) {
  const { kind: name, op } = record;
  if (typeof name !== "string") bad("it has no kind");
  if (name === "parameter" && typeof op !== "string") bad("it has no op");
  const key = name === "parameter" ? `parameter ${op}` : name;
  const kind = Object.hasOwn(kinds, key) ? kinds[key] : unknown(`kind ${JSON.stringify(key)}`);
  for (const member of Object.keys(record)) {
    if (!KNOWN.has(member)) {
      if (schema > 1) unknown(`member ${JSON.stringify(member)}`);
    } else if (record[member] !== null && !COMMON.includes(member) && !kind.members.includes(member)) bad(`${key} has no member ${JSON.stringify(member)}`);
  }
  const { id = "", rank, by_domain: byDomain = false, hosts = [] } = record;
  if (typeof id !== "string" || !Number.isInteger(rank) || typeof byDomain !== "boolean") bad("its id, rank or by_domain is of another type");
  if (!Array.isArray(hosts) || !hosts.every((host) => typeof host === "string")) bad("its hosts are not texts");
  const take = new Taker(record, schema);
  const scope = readScope(record.scope ?? {}, schema);
  const { edit, seeks = null, inPath = false, needs } = kind.make(take);
  return { id, rank, byDomain, hosts, edit, seeks, inPath, needs, scope, ...readExcept(record.except ?? {}, schema) };
}

// Taker takes the members of a record.
class Taker {
  constructor(record, schema) {
    this.record = record;
    this.schema = schema;
  }

  // text returns a text that can stand in a URL.
  text(name, fallback) {
    const value = this.record[name] ?? fallback;
    return value === undefined ? bad(`it lacks ${JSON.stringify(name)}`) : checkText(value);
  }

  flag(name) {
    const value = this.record[name];
    return typeof value === "boolean" ? value : bad(`it lacks ${JSON.stringify(name)}`);
  }

  // word returns one of some words.
  word(name, words, fallback, orElse = bad) {
    const value = this.record[name] ?? fallback;
    if (value === undefined) bad(`it lacks ${JSON.stringify(name)}`);
    return words.includes(value) ? value : orElse(`${name} ${JSON.stringify(value)}`);
  }

  // place returns one of the words of a member whose other words are unknown.
  place(name, words, fallback) {
    return this.word(name, words, fallback, unknown);
  }

  has(name) {
    return (this.record[name] ?? undefined) !== undefined;
  }

  // names returns the names of parameters.
  names(most, inPath = false) {
    const names = this.schema < 2 && this.has("param") ? [this.record.param] : this.record.params ?? [];
    if (!Array.isArray(names) || names.length < 1 || names.length > most) bad(`it needs 1 to ${most} names`);
    return names.map((name) => checkName(name, inPath));
  }

  // value returns the value of a parameter.
  value(name, inPath = false) {
    return checkValue(this.text(name), inPath);
  }

  // pattern returns the pattern of names.
  pattern(inPath) {
    const { prefix, class: kind, ...more } = this.object("pattern");
    for (const member of Object.keys(more)) unknown(`member ${JSON.stringify(member)} of a pattern`);
    if (typeof kind !== "string") bad("a pattern of names has no class");
    if (kind !== "digits" && kind !== "hex") unknown(`class ${JSON.stringify(kind)}`);
    if (prefix !== "") checkName(prefix, inPath);
    return { prefix, class: kind };
  }

  // faults are the two errors of a part of a rule.
  faults(part) {
    return { fault: (what) => bad(`its ${part} is wrong at ${JSON.stringify(what)}`), unknown: (what) => unknown(`what its ${part} says of ${JSON.stringify(what)}`) };
  }

  object(name) {
    const value = this.record[name];
    return isObject(value) ? value : bad(`it lacks ${JSON.stringify(name)}`);
  }
}

export function checkText(text) {
  return typeof text === "string" && text.length <= MAX_BYTES && isPlain(text) ? text : bad(`${JSON.stringify(text)} is no text of a URL`);
}

// separators of parameters in the query, and in the path.
const separators = (inPath) => (inPath ? /[;/?]/ : /[&;]/);

function checkName(name, inPath = false) {
  return checkText(name) !== "" && !name.includes("=") && !separators(inPath).test(name) ? name : bad(`${JSON.stringify(name)} is not the name of a parameter`);
}

function checkValue(value, inPath = false) {
  return separators(inPath).test(checkText(value)) ? bad(`${JSON.stringify(value)} is not the value of a parameter`) : value;
}

function readScope(scope, schema) {
  if (!isObject(scope)) bad("its scope is no object");
  const members = schema > 1 ? ["path", "prefix", "where"] : ["path", "prefix", "param", "value", "where"];
  for (const member of Object.keys(scope)) if (!members.includes(member)) unknown(`member ${JSON.stringify(member)} of the scope`);
  const path = scope.path ?? undefined, prefix = scope.prefix ?? undefined;
  if (path !== undefined && (checkText(path).includes("?") || path.split("/").slice(1, -1).filter((s) => s === "*").length > 1)) bad("its path is no path");
  if (prefix !== undefined && checkText(prefix) === "") bad("its prefix is empty");
  const where = scope.where ?? (scope.param === undefined ? [] : [{ param: scope.param, value: scope.value }]);
  if (!Array.isArray(where) || where.length > 2) bad("its scope has more than two conditions");
  const made = new Scope({ path, prefix, where: where.map(readCondition) });
  if (made.isWild && schema < 2) unknown(`path ${JSON.stringify(path)}, whose segment * is no wildcard in schema 1,`);
  return made;
}

function readCondition(condition) {
  if (!isObject(condition)) bad("a condition is no object");
  for (const member of Object.keys(condition)) if (!["param", "value", "valued"].includes(member)) unknown(`member ${JSON.stringify(member)} of a condition`);
  const value = condition.value ?? undefined, valued = condition.valued ?? false;
  if (typeof valued !== "boolean" || (valued && value !== undefined)) bad("a condition asks for one value and for any");
  return { param: checkName(condition.param), value: value === undefined ? undefined : checkValue(value), valued };
}

function readExcept(except, schema) {
  if (!isObject(except)) bad("its exceptions are no object");
  for (const member of Object.keys(except)) if (!["scopes", "urls"].includes(member)) unknown(`member ${JSON.stringify(member)} of the exceptions`);
  const { scopes = [], urls = [] } = except;
  if (!Array.isArray(scopes) || !Array.isArray(urls) || scopes.length > 3 || urls.length > 20) bad("at most 3 scopes and 20 URLs are excepted");
  if (scopes.some((scope) => isObject(scope) && Object.keys(scope).length === 0)) bad("an exception is an empty scope");
  return { exceptScopes: scopes.map((scope) => readScope(scope, schema)), exceptURLs: new Set(urls.map(checkText)) };
}
