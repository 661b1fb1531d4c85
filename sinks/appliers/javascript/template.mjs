// Rules that write the URLs of one shape anew.

import { isText } from "./address.mjs";
import { isObject } from "./json.mjs";
import { nameOf, pieces } from "./query.mjs";

const ANY = "*";
const MAX_KEYS = 64;
const SEPARATOR = /[/?;&]/;

// Template is the edit of a rule of the kind "template".
export class Template {
  // where and edit are the members of the record. The constructor throws an Error if they are
  // not valid.
  constructor(where, edit) {
    this.segments = []; // constants, or ANY
    this.params = new Map(); // constants, or ANY, by name
    if (Object.keys(where).length > MAX_KEYS || Object.keys(edit).length === 0) fault("where or edit");
    for (const [key, value] of Object.entries(where)) {
      checkValue(key, value);
      if (isSegment(key)) this.segments[placeOf(key) ?? fault(key)] = value;
      else this.params.set(key, value);
    }
    for (let i = 0; i < Math.max(1, this.segments.length); i++) if (this.segments[i] === undefined) fault(`/${i}`);
    this.edits = new Map();
    for (const [key, what] of Object.entries(edit)) this.edits.set(key, this.read(key, what));
    const added = [...this.edits.keys()].filter((key) => !this.has(key));
    if (added.length > 1 || added.some((key) => isSegment(key) || this.edits.get(key).drop)) fault(added.join());
    this.added = added[0];
  }

  has(key) {
    return isSegment(key) ? placeOf(key) < this.segments.length : this.params.has(key);
  }

  read(key, what) {
    checkValue(key, "");
    if (what === "drop") return { drop: true };
    if (!isObject(what) || Object.keys(what).length !== 1) fault(key);
    const { set, copy } = what;
    if (copy !== undefined) return typeof copy === "string" && this.has(copy) ? { copy } : fault(key);
    checkValue(key, set);
    return { set };
  }

  // needs returns the constants and names, which stand between boundaries in the text.
  needs() {
    const values = [...this.segments, ...this.params.values()].filter((value) => value !== ANY);
    return [...values, ...this.params.keys()].map((text) => [text]);
  }

  edit(text) {
    const values = this.fit(text);
    if (values === null) return text;
    const { head, segments, list, separator } = values;
    const old = new Map(list.map((piece) => [nameOf(piece), piece.includes("=") ? piece.slice(nameOf(piece).length + 1) : undefined]));
    const value = (key) => {
      const { set, copy } = this.edits.get(key);
      if (set !== undefined) return set;
      const source = isSegment(copy) ? segments[placeOf(copy)] : old.get(copy);
      return source === undefined || SEPARATOR.test(source) || (source === "" && isSegment(key)) ? null : source;
    };
    const path = [], query = [];
    for (let i = 0; i < segments.length; i++) {
      const key = `/${i}`, edit = this.edits.get(key);
      if (edit?.drop) continue;
      path.push(edit === undefined ? segments[i] : value(key));
    }
    for (const piece of list) {
      const name = nameOf(piece), edit = this.edits.get(name);
      if (edit?.drop) continue;
      if (edit !== undefined && name === piece) return text; // a bare name
      query.push(edit === undefined ? piece : pair(name, value(name)));
    }
    if (this.added !== undefined) query.push(pair(this.added, value(this.added)));
    if (path.includes(null) || query.includes(null)) return text;
    return `${head}/${path.join("/")}${query.length > 0 ? "?" : ""}${query.join(separator)}`;
  }

  // fit returns the parts of a text, or null if the text does not fit.
  fit(text) {
    const mark = text.indexOf("?"), path = mark < 0 ? text : text.slice(0, mark), slash = path.indexOf("/");
    if (slash < 0) return null;
    const segments = path.slice(slash + 1).split("/");
    if (segments.length !== this.segments.length || !segments.every((segment, i) => fits(this.segments[i], segment))) return null;
    const query = text.slice(path.length + 1), list = mark < 0 ? [] : pieces(query).list;
    if (list.length !== this.params.size || (query.includes("&") && query.includes(";"))) return null;
    if (new Set(list.map(nameOf)).size !== list.length) return null;
    for (const piece of list) {
      const name = nameOf(piece), constant = this.params.get(name);
      if (name === "" || constant === undefined || (constant !== ANY && piece !== pair(name, constant))) return null;
    }
    return { head: path.slice(0, slash), segments, list, separator: query.includes(";") ? ";" : "&" };
  }
}

const fits = (constant, value) => constant === ANY || constant === value;

const pair = (name, value) => (value === null ? null : `${name}=${value}`);

const isSegment = (key) => key.startsWith("/");

// placeOf returns the number of a segment, or undefined.
const placeOf = (key) => (/^\/(0|[1-9][0-9]?)$/.test(key) ? Number(key.slice(1)) : undefined);

function fault(what) {
  throw new Error(`a template is wrong at ${JSON.stringify(what)}`);
}

// checkValue checks a value of where, or the value that a key is set to.
function checkValue(key, value) {
  if (!isText(value) || !isText(key)) fault(key);
  if (isSegment(key) ? /[/?]/.test(value) : key === "" || /[=&;]/.test(key) || /[&;]/.test(value)) fault(key);
}
