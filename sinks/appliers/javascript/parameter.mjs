// Rules that edit parameters.

import { hexValue } from "./tokens.mjs";
import { isNamed, isPair, join, nameOf, pieceEnd, pieces } from "./query.mjs";

// seeker returns a function that says of a piece of a text whether a rule removes it.
export function seeker({ params, value, pattern }) {
  if (pattern !== undefined) return (text, from, end) => isLike(text, from, end, pattern);
  if (value !== undefined) return (text, from, end) => isPair(text, from, end, params[0], value);
  if (params.length === 1) return (text, from, end) => isNamed(text, from, end, params[0]);
  return (text, from, end) => params.some((name) => isNamed(text, from, end, name));
}

// classes are the classes of characters of a pattern of names.
export const classes = ["digits", "hex"];

function isLike(text, from, end, { prefix, class: kind }) {
  if (!text.startsWith(prefix, from)) return false;
  let digits = 0, small = 0, capitals = 0;
  for (let at = from + prefix.length; at < end; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x3d) break; // =
    if (hexValue[c] > 15) return false;
    if (c < 0x3a) digits++;
    else if (c >= 0x61) small++;
    else capitals++;
  }
  if (kind === "digits") return digits >= 4 && small + capitals === 0;
  return digits > 0 && digits + small + capitals >= 8 && (small === 0 || capitals === 0);
}

// Drop removes pieces of the query.
export class Drop {
  constructor(what) {
    this.seeks = seeker(what);
  }

  edit(text) {
    const mark = text.indexOf("?");
    if (mark < 0) return text;
    let left = "", found = false, from = mark + 1;
    for (; ; ) {
      const end = pieceEnd(text, from), last = end === text.length;
      if (!this.seeks(text, from, end)) left += text.slice(from, end + 1);
      else {
        found = true;
        if (last) left = left.slice(0, -1); // the separator before it
      }
      if (last) break;
      from = end + 1;
    }
    if (!found) return text;
    return left === "" ? text.slice(0, mark) : text.slice(0, mark + 1) + left;
  }
}

// PathDrop removes pieces of the segments of the path.
export class PathDrop {
  constructor(what) {
    this.seeks = seeker(what);
  }

  edit(text) {
    const mark = text.indexOf("?"), stop = mark < 0 ? text.length : mark;
    let left = "", copied = 0;
    let at = text.indexOf("/"); // a segment begins after a slash
    for (at = at < 0 ? stop : text.indexOf(";", at); at >= 0 && at < stop; at = text.indexOf(";", at)) {
      let end = at + 1;
      while (end < stop && text.charCodeAt(end) !== 0x3b && text.charCodeAt(end) !== 0x2f) end++;
      if (this.seeks(text, at + 1, end)) {
        left += text.slice(copied, at);
        copied = end;
      }
      at = end;
    }
    return copied === 0 ? text : left + text.slice(copied);
  }
}

// SetValue gives each piece of a name one value.
export class SetValue {
  constructor({ params, to }) {
    this.name = params[0];
    this.piece = `${params[0]}=${to}`;
    this.seeks = seeker({ params });
  }

  edit(text) {
    let from = text.indexOf("?"), made = "", copied = 0;
    if (from < 0) return text;
    do {
      from++;
      const end = pieceEnd(text, from);
      if (this.seeks(text, from, end)) {
        made += text.slice(copied, from) + this.piece;
        copied = end;
      }
      from = end;
    } while (from < text.length);
    if (copied === 0) return text;
    made += text.slice(copied);
    return made === text ? text : made;
  }
}

// Order sorts the pieces that have a name.
export class Order {
  edit(text) {
    const mark = text.indexOf("?");
    if (mark < 0) return text;
    const { list, separators } = pieces(text.slice(mark + 1));
    const named = list.filter((piece) => nameOf(piece) !== "");
    if (named.length < 2) return text;
    named.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0)); // stable
    let next = 0;
    const made = text.slice(0, mark + 1) + join(list.map((piece) => (nameOf(piece) === "" ? piece : named[next++])), separators);
    return made === text ? text : made;
  }
}
