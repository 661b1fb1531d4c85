// Rules that turn one substring into another.

import { isBoundary } from "./tokens.mjs";

// Substring is the edit of a rule of the kind "substring".
export class Substring {
  constructor({ from, to, atStart, atEnd }) {
    Object.assign(this, { from, to, atStart, atEnd });
    this.inner = []; // places of from in to
    for (let at = to.indexOf(from); at >= 0; at = to.indexOf(from, at + 1)) {
      this.inner.push(at);
      if (at === to.length) break; // an empty from
    }
  }

  edit(text) {
    const { from, to, atStart, atEnd } = this;
    const last = text.length - from.length;
    if (last < 0 || (atStart && atEnd && last > 0)) return text;
    let at;
    if (atStart) at = this.isAt(text, 0) ? 0 : -1;
    else if (atEnd) at = this.isAt(text, last) ? last : -1;
    else if (from === "") at = this.isAt(text, 0) ? 0 : -1;
    else for (at = text.indexOf(from); at >= 0 && !this.isAt(text, at); ) at = text.indexOf(from, at + 1);
    return at < 0 ? text : text.slice(0, at) + to + text.slice(at + from.length);
  }

  isAt(text, at) {
    const { from, to } = this, end = at + from.length;
    if (!text.startsWith(from, at) || !isBoundary(text, at) || !isBoundary(text, end)) return false;
    if (at === 0 && text.charCodeAt(0) === 0x2f && (to === "" ? text.charAt(end) : to[0]) !== "/") return false;
    for (const inner of this.inner) {
      const begin = at - inner, stop = begin + to.length;
      if (begin >= 0 && stop <= text.length && text.startsWith(to, begin) && isBoundary(text, begin) && isBoundary(text, stop)) return false;
    }
    return true;
  }
}
