// Rules that cut a segment that is a value, such as a session, out of the path.

import { seeker } from "./parameter.mjs";

export class Segment {
  constructor({ after, class: kind, to }) {
    Object.assign(this, { after, to, isValue: seeker({ pattern: { prefix: "", class: kind } }) });
  }

  edit(text) {
    const mark = text.indexOf("?"), stop = mark < 0 ? text.length : mark, head = text.indexOf("/");
    if (head < 0 || head >= stop || !text.startsWith(this.after, head)) return text;
    const from = head + this.after.length, slash = text.indexOf("/", from);
    if (slash < 0 || slash + 1 >= stop || text[slash + 1] === "/") return text;
    if (text.slice(from, slash).includes("=") || !this.isValue(text, from, slash)) return text;
    return text.slice(0, head) + this.to + text.slice(slash + 1);
  }
}
