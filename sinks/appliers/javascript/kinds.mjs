// The kinds of rules: the members of a record, and the edit that they make.

import { forms } from "./form.mjs";
import { classes, Drop, Order, PathDrop, seeker, SetValue } from "./parameter.mjs";
import { Segment } from "./segment.mjs";
import { Substring } from "./substring.mjs";
import { Template } from "./template.mjs";

// A kind makes of a record the edit, an object with a function edit(text); the pieces that
// conditions do not look at (seeks); whether the scope compares the path that is left (inPath);
// and needs: lists of texts, of which one text of each list stands between boundaries in
// each text that the rule changes.
export const kinds = {
  substring: {
    members: ["alpha", "beta", "at_start", "at_end", "direction"],
    make(take) {
      const alpha = take.text("alpha"), beta = take.text("beta");
      const back = take.word("direction", ["alpha_to_beta", "beta_to_alpha"]) === "beta_to_alpha";
      const from = back ? beta : alpha, to = back ? alpha : beta;
      if (from === to) throw new Error("both sides are equal");
      return { edit: new Substring({ from, to, atStart: take.flag("at_start"), atEnd: take.flag("at_end") }), needs: [[from]] };
    },
  },
  "parameter drop": {
    members: ["op", "params", "pattern", "value", "in"],
    make(take) {
      const inPath = take.word("in", ["query", "path"], "query") === "path", mark = inPath ? ";" : "?";
      const make = (what, needs) => ({ edit: inPath ? new PathDrop(what) : new Drop(what), seeks: inPath ? null : seeker(what), inPath, needs });
      if (take.has("pattern")) {
        if (take.has("params") || take.has("value")) throw new Error("a pattern of names stands beside a name or value");
        const pattern = take.pattern(inPath);
        return make({ pattern }, [[mark]]);
      }
      const params = take.names(6, inPath), value = take.has("value") ? take.value("value", inPath) : undefined;
      if (value !== undefined && params.length > 1) throw new Error("several names have a value");
      return make({ params, value }, [[mark], params, ...(value === undefined ? [] : [[value]])]);
    },
  },
  "parameter set": {
    members: ["op", "params", "to", "in"],
    make(take) {
      take.word("in", ["query"], "query");
      const params = take.names(1), to = take.value("to");
      return { edit: new SetValue({ params, to }), seeks: seeker({ params }), needs: [["?"], params] };
    },
  },
  "parameter order": {
    members: ["op", "in"],
    make(take) {
      take.word("in", ["query"], "query");
      return { edit: new Order(), needs: [["&", ";"]] };
    },
  },
  form: {
    members: ["form"],
    make(take) {
      const form = take.word("form", Object.keys(forms));
      return { edit: { edit: forms[form] }, needs: { escapes: [], case: [], slashes: [["/"]], "empty-query": [["?"]], "empty-value": [["="]] }[form] };
    },
  },
  template: {
    members: ["where", "edit"],
    make(take) {
      const edit = new Template(take.object("where"), take.object("edit"));
      return { edit, needs: edit.needs() };
    },
  },
  segment: {
    members: ["after", "class", "to"],
    make(take) {
      const after = take.text("after"), to = take.text("to");
      if (!/^\/([^?]*\/)?$/.test(after)) throw new Error("after is not the beginning of a path from slash to slash");
      if (!to.endsWith("/") || !after.startsWith(to)) throw new Error("to is not a beginning of after that ends with a slash");
      return { edit: new Segment({ after, class: take.word("class", classes), to }), needs: [[after]] };
    },
  },
};

// nameOfKind returns the name of the kind of a record, or undefined if the record has none.
export function nameOfKind({ kind, op }) {
  if (kind === "parameter") return typeof op === "string" ? `parameter ${op}` : undefined;
  return typeof kind === "string" ? kind.replaceAll(" ", "+") : undefined; // "parameter drop" is none
}
