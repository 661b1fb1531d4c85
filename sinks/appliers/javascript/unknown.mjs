// What of a record this version does not know. A part that is not of its type holds nothing
// that is unknown.

import { isObject } from "./json.mjs";
import { forms } from "./form.mjs";
import { classes } from "./parameter.mjs";
import { kinds, nameOfKind } from "./kinds.mjs";

export const COMMON = ["schema", "site", "id", "kind", "rank", "state", "support", "verdict", "first_seen", "validated_at",
  "by_domain", "hosts", "separators", "scope", "except"];
export const KNOWN = [...COMMON, ...Object.values(kinds).flatMap((kind) => kind.members)];

const list = (value) => (Array.isArray(value) ? value : []);

// unknownIn returns what is unknown, or undefined.
export function unknownIn(record) {
  const { kind, op, pattern, except, edit } = record;
  const scopes = [record.scope, ...list(except?.scopes)];
  const isDrop = kind === "parameter" && op === "drop", name = nameOfKind(record);
  return member(record, ...KNOWN)
    ?? (name !== undefined && !Object.hasOwn(kinds, name) ? `kind ${JSON.stringify(name)}` : undefined)
    ?? member(except, "scopes", "urls")
    ?? first(scopes, unknownInScope)
    ?? (kind === "parameter" ? word(record, "in", "query", ...(isDrop ? ["path"] : [])) : undefined)
    ?? (isDrop ? member(pattern, "prefix", "class") ?? word(pattern, "class", ...classes) : undefined)
    ?? (kind === "segment" ? word(record, "class", ...classes) : undefined)
    ?? (kind === "form" ? word(record, "form", ...Object.keys(forms)) : undefined)
    ?? (kind === "template" && isObject(edit) ? first(Object.keys(edit), (key) => word(edit, key, "drop") ?? member(edit[key], "set", "copy")) : undefined);
}

function unknownInScope(scope) {
  if (!isObject(scope)) return undefined;
  return member(scope, "path", "prefix", "where") ?? first(list(scope.where), (condition) => member(condition, "param", "value", "valued", "own", "begins"));
}

function first(values, test) {
  for (const value of values) {
    const found = test(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

// member returns a member of an object that has none of some names.
function member(object, ...names) {
  const found = isObject(object) ? Object.keys(object).find((name) => !names.includes(name)) : undefined;
  return found === undefined ? undefined : `member ${JSON.stringify(found)}`;
}

// word returns a member of an object that is a text, but none of some words.
function word(object, name, ...words) {
  const value = isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === "string" && !words.includes(value) ? `${name} ${JSON.stringify(value)}` : undefined;
}
