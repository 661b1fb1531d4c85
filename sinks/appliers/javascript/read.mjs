// Reads lists of published rules: docs/rules.md, "Records".

import { isText, MAX_BYTES } from "./address.mjs";
import { isObject, parseObject } from "./json.mjs";
import { kinds, nameOfKind } from "./kinds.mjs";
import { Scope } from "./scope.mjs";
import { COMMON, KNOWN, unknownIn } from "./unknown.mjs";

// The greatest schema, and bounds of a list, in bytes.
const SCHEMA = 2;
const MAX_LINE = 1 << 20;
const MAX_LIST = 64 << 20;

// The greatest size of the rules of a site, and the size of a rule without texts.
const MAX_SITE = 16 << 20;
const BARE_RULE = 128;

const bad = (what) => { throw new Error(what); };

// read returns the sites of a list, in the order of their first records, and the number of
// other rules, which are not valid. The list is a string, or the bytes of UTF-8. A site has a
// name, byDomain, hosts, rules in the order of rank, and problem, the reason why the site has no
// rules. read throws an Error that names the line or the rule if the list is refused.
export function read(list) {
  const sites = new Map();
  let other = 0;
  textOf(list).split("\n").forEach((line, at) => {
    if (/^[ \t\r]*$/.test(line)) return;
    try {
      if (!readLine(line, sites)) other++;
    } catch (error) {
      throw new Error(`read rules: line ${at + 1}: ${error.message}`);
    }
  });
  for (const site of sites.values()) finish(site);
  return { sites: [...sites.values()], other };
}

// textOf returns the text of a list, without the byte order mark that may begin the list.
function textOf(list) {
  if (typeof list !== "string") {
    if (list.byteLength > MAX_LIST) bad(`read rules: more than ${MAX_LIST} bytes`);
    try {
      list = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(list);
    } catch {
      bad("read rules: not UTF-8");
    }
  } else if (isLonger(list, MAX_LIST)) bad(`read rules: more than ${MAX_LIST} bytes`);
  return list.startsWith("\ufeff") ? list.slice(1) : list;
}

const utf8 = new TextEncoder();

// isLonger reports whether a text has more than a number of bytes. A character has at most three.
const isLonger = (text, bytes) => text.length > bytes || (text.length > bytes / 3 && utf8.encode(text).length > bytes);

// readLine adds the rule of a line to its site, and returns false if the rule is not valid.
function readLine(line, sites) {
  if (isLonger(line, MAX_LINE)) bad(`more than ${MAX_LINE} bytes`);
  const record = parseObject(line), { schema, state } = record;
  if (schema > SCHEMA) bad(`schema ${schema}, and this program knows ${SCHEMA}: use a newer version`);
  if (schema !== undefined && !Number.isSafeInteger(schema)) bad("schema is not a version");
  if (schema < SCHEMA) bad(`schema ${schema}, and this program knows ${SCHEMA}: make the list anew, from the logs`);
  if (state !== undefined && typeof state !== "string") bad("state is not a text");
  if (state !== "valid") return false;
  const head = readHead(record), { name, id } = head;
  if (!sites.has(name)) sites.set(name, { name, byDomain: head.byDomain, hosts: head.hosts, rules: [], size: 0, problem: null });
  const site = sites.get(name);
  if (head.byDomain !== site.byDomain || JSON.stringify(head.hosts) !== JSON.stringify(site.hosts)) site.differs ??= id;
  const unknown = unknownIn(record);
  if (unknown !== undefined) site.problem ??= `rule ${JSON.stringify(id)} of site ${JSON.stringify(name)}: ${unknown} is unknown to this version`;
  site.rules.push({ id, rank: head.rank, ...(unknown === undefined ? readRule(record) : {}) });
  if (unknown === undefined) site.size += sizeOf(record);
  return true;
}

// readHead returns the members that do not depend on the kind of the rule.
function readHead({ schema, site: name, id, rank, by_domain: byDomain = false, hosts }) {
  if (schema === undefined) bad("it has no schema");
  if (!isName(name) || !isName(id) || id === "") bad("its site or id is not a text");
  if (!Number.isSafeInteger(rank) || typeof byDomain !== "boolean") bad("its rank is not a whole number, or by_domain not true or false");
  if (hosts !== undefined && !(Array.isArray(hosts) && hosts.length > 0 && hosts.every((host) => typeof host === "string"))) bad("its hosts are not a list of texts");
  return { name, id, rank, byDomain, hosts: hosts ?? [] };
}

const isName = (name) => typeof name === "string" && !/\p{Surrogate}|\ufffd/u.test(name);

// finish checks the rules of a site together.
function finish(site) {
  site.rules.sort((a, b) => a.rank - b.rank);
  const refuse = (what) => bad(`read rules: site ${JSON.stringify(site.name)}: ${what}`);
  if (site.differs !== undefined) refuse(`rule ${JSON.stringify(site.differs)} has other hosts than the rules before it`);
  site.rules.forEach((rule, at) => {
    if (at > 0 && rule.rank === site.rules[at - 1].rank) refuse(`two rules have the rank ${rule.rank}`);
  });
  if (site.problem !== null) site.rules = [];
  else if (site.size > MAX_SITE) refuse(`${site.rules.length} rules of the size ${site.size}, more than ${MAX_SITE}`);
}

const HEAD = new Set(["schema", "site", "id", "rank", "state", "by_domain", "hosts", "support", "verdict", "first_seen", "validated_at", "separators"]);

// sizeOf returns the size of a valid rule: 128, and the bytes of all texts of its record, which are ASCII,
// and of the keys of a template.
function sizeOf(record) {
  let size = BARE_RULE;
  for (const name of Object.keys(record)) if (!HEAD.has(name)) size += lengthOf(record[name]);
  for (const keys of [record.where, record.edit]) if (isObject(keys)) for (const key of Object.keys(keys)) size += key.length;
  return size;
}

function lengthOf(value) {
  if (typeof value === "string") return value.length;
  return typeof value === "object" ? Object.values(value).reduce((sum, part) => sum + lengthOf(part), 0) : 0;
}

// readRule returns the rule of a record in which nothing is unknown.
function readRule(record) {
  const name = nameOfKind(record) ?? bad("it has no kind, or no op"), kind = kinds[name];
  for (const member of Object.keys(record)) {
    if (KNOWN.includes(member) && !COMMON.includes(member) && !kind.members.includes(member)) bad(`${name} has no member ${JSON.stringify(member)}`);
  }
  const scope = readScope(record.scope, undefined);
  const { edit, seeks = null, inPath = false, needs } = kind.make(new Taker(record));
  return { edit, seeks, inPath, needs, scope, ...readExcept(record.except, ownName(record)) };
}

// Taker takes the members of a record.
class Taker {
  constructor(record) {
    this.record = record;
  }

  has(name) {
    return this.record[name] !== undefined;
  }

  // text returns a text that can stand in a URL.
  text(name) {
    return checkText(this.record[name], name);
  }

  flag(name) {
    const value = this.record[name];
    return typeof value === "boolean" ? value : bad(`${name} is neither true nor false`);
  }

  // word returns one of some words. fallback may be undefined.
  word(name, words, fallback) {
    const value = this.record[name] ?? fallback;
    return words.includes(value) ? value : bad(`${name} is ${JSON.stringify(value)}`);
  }

  // names returns different names of parameters.
  names(most, inPath = false) {
    const names = listOf(this.record.params, "params", most).map((name) => checkName(name, inPath));
    return new Set(names).size < names.length ? bad("two equal names") : names;
  }

  // value returns the value of a parameter.
  value(name, inPath = false) {
    return checkValue(this.record[name], inPath);
  }

  // pattern returns the pattern of names.
  pattern(inPath) {
    const { prefix, class: kind } = this.object("pattern");
    if (typeof kind !== "string") bad("a pattern of names has no class");
    if (prefix !== "") checkName(prefix, inPath);
    return { prefix, class: kind };
  }

  object(name) {
    const value = this.record[name];
    return isObject(value) ? value : bad(`${name} is not an object`);
  }
}

function checkText(text, what) {
  return isText(text) ? text : bad(`${what} ${JSON.stringify(text)} is no text of a URL, of at most ${MAX_BYTES} bytes`);
}

// listOf checks a list of one or more elements.
function listOf(list, what, most) {
  return Array.isArray(list) && list.length > 0 && list.length <= most ? list : bad(`${what} is not a list of 1 to ${most}`);
}

// separators of parameters in the query, and in the path.
const separators = (inPath) => (inPath ? /[;/?]/ : /[&;]/);

function checkName(name, inPath = false) {
  return checkText(name, "name") !== "" && !name.includes("=") && !separators(inPath).test(name) ? name : bad(`${JSON.stringify(name)} is not the name of a parameter`);
}

function checkValue(value, inPath = false) {
  return separators(inPath).test(checkText(value, "value")) ? bad(`${JSON.stringify(value)} is not the value of a parameter`) : value;
}

// ownName returns the name of a rule that removes or changes this parameter, and no other, in the
// query. Exceptions may ask for its value. For other rules ownName returns undefined.
function ownName({ kind, op, params, value, in: place }) {
  const isOwn = kind === "parameter" && (op === "drop" || op === "set") && params?.length === 1 && value === undefined && place !== "path";
  return isOwn ? params[0] : undefined;
}

function readScope(scope, own) {
  if (!isObject(scope)) bad("a scope is missing, or no object");
  const { path, prefix, where } = scope;
  if (path !== undefined && (checkText(path, "path").includes("?") || path.split("/").slice(1, -1).filter((s) => s === "*").length > 1)) bad("a path holds ?, or several segments *");
  if (prefix !== undefined && checkText(prefix, "prefix") === "") bad("a prefix is empty");
  const conditions = where === undefined ? [] : listOf(where, "where", 2).map((condition) => readCondition(condition, own));
  if (conditions.length > 1 && JSON.stringify(conditions[0]) === JSON.stringify(conditions[1])) bad("two equal conditions");
  return new Scope({ path, prefix, where: conditions });
}

function readCondition(condition, ownOfRule) {
  if (!isObject(condition)) bad("a condition is no object");
  const { param, value, valued = false, own = false, begins } = condition;
  if (typeof valued !== "boolean" || (valued && value !== undefined)) bad("a condition asks for one value and for any");
  if (typeof own !== "boolean" || (!own && begins !== undefined)) bad("own is not true or false, or a beginning is asked for without own");
  if (own && (valued || (value === undefined) === (begins === undefined))) bad("a condition on the own parameter asks for a value, or for how the value begins");
  if (own && param !== ownOfRule) bad("a condition on the own parameter of a rule that does not edit this parameter alone, in the query");
  if (begins !== undefined && checkValue(begins) === "") bad("a beginning is empty");
  return { param: checkName(param), value: value === undefined ? undefined : checkValue(value), valued, own, begins };
}

function readExcept(except, own) {
  if (except === undefined) return { exceptScopes: [], exceptURLs: new Set() };
  if (!isObject(except) || Object.keys(except).length === 0) bad("its exceptions are no object, or empty");
  const { scopes, urls } = except;
  const exceptScopes = scopes === undefined ? [] : listOf(scopes, "scopes", 3).map((scope) => readScope(scope, own));
  if (scopes?.some((scope) => Object.keys(scope).length === 0)) bad("an exception is an empty scope");
  if (urls !== undefined && listOf(urls, "urls", 20).includes("")) bad("an exception is an empty URL");
  return { exceptScopes, exceptURLs: new Set(urls?.map((url) => checkText(url, "url"))) };
}
