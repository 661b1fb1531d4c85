// The scope of a rule.

import { isBegun, isNamed, isPair, pieceEnd } from "./query.mjs";

const WILD = "/*/";

// Scope tests the texts that a rule edits.
export class Scope {
  constructor({ path, prefix, where = [] }) {
    this.path = path;
    this.prefix = prefix;
    this.where = where; // at most two of { param, value, valued, own, begins }
    const at = path === undefined ? -1 : path.indexOf(WILD);
    this.before = at < 0 ? null : path.slice(0, at + 1);
    this.after = at < 0 ? null : path.slice(at + 2);
  }

  get isWild() {
    return this.before !== null;
  }

  // holds reports whether a text is in the scope. left is the text whose path counts, and
  // skips says of a piece of the query that no condition looks at it, or is null.
  holds(text, left, skips) {
    if (this.prefix !== undefined && !text.startsWith(this.prefix)) return false;
    if (this.path !== undefined && !this.hasPath(left)) return false;
    for (const condition of this.where) if (!meets(condition, text, condition.own ? null : skips)) return false;
    return true;
  }

  hasPath(text) {
    const { path, before, after } = this;
    if (text.startsWith(path) && (text.length === path.length || text.charCodeAt(path.length) === 0x3f)) return true;
    if (before === null || !text.startsWith(before)) return false;
    const mark = text.indexOf("?"), end = mark < 0 ? text.length : mark;
    const from = before.length, to = end - after.length;
    if (to <= from || !text.startsWith(after, to)) return false;
    const slash = text.indexOf("/", from);
    return slash === to;
  }
}

function meets({ param, value, valued, begins }, text, skips) {
  let from = text.indexOf("?");
  if (from < 0) return false;
  do {
    from++;
    const end = pieceEnd(text, from);
    const is = value !== undefined ? isPair(text, from, end, param, value)
      : begins !== undefined ? isBegun(text, from, end, param, begins)
      : isNamed(text, from, end, param) && (!valued || end > from + param.length);
    if (is && !(skips !== null && skips(text, from, end))) return true;
    from = end;
  } while (from < text.length);
  return false;
}
