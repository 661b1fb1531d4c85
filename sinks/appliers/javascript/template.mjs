// Rules that write the URLs of one shape anew.

import { nameOf, pieces } from "./query.mjs";

const ANY = "*";
const SEPARATOR = /[/?;&]/;

// Template is the edit of a rule of the kind "template".
export class Template {
  constructor(where, edit) {
    this.segments = []; // constants, or ANY
    this.params = new Map(); // constants, or ANY, by name
    for (const [key, value] of Object.entries(where)) {
      if (typeof value !== "string") throw new Error(`the key ${JSON.stringify(key)} of a template has no text`);
      if (key.startsWith("/")) this.segments[placeOf(key)] = value;
      else this.params.set(key, value);
    }
    this.edits = new Map(Object.entries(edit).map(([key, what]) => [key, this.read(key, what)]));
    const added = [...this.edits.keys()].filter((key) => !this.has(key));
    if (added.length > 1 || added.some((key) => key.startsWith("/") || this.edits.get(key).drop)) throw new Error("a template edits keys that it lacks");
    this.added = added[0];
  }

  has(key) {
    return key.startsWith("/") ? this.segments[placeOf(key)] !== undefined : this.params.has(key);
  }

  read(key, what) {
    if (what === "drop") return { drop: true };
    if (typeof what?.set === "string") return { set: what.set };
    if (typeof what?.copy === "string" && this.has(what.copy)) return { copy: what.copy };
    throw new Error(`the edit of the key ${JSON.stringify(key)} is none`);
  }

  // needs returns the constants and names, which stand between boundaries in the text.
  needs() {
    const values = [...this.segments, ...this.params.values()].filter((value) => value !== undefined && value !== ANY);
    return [...values, ...this.params.keys()].map((text) => [text]);
  }

  edit(text) {
    const values = this.fit(text);
    if (values === null) return text;
    const { head, segments, list, separator } = values;
    const bare = new Map(list.map((piece) => [nameOf(piece), piece.includes("=") ? piece.slice(nameOf(piece).length + 1) : undefined]));
    const value = (key) => {
      const { set, copy } = this.edits.get(key);
      if (set !== undefined) return set;
      const source = copy.startsWith("/") ? segments[placeOf(copy)] : bare.get(copy);
      return source === undefined || SEPARATOR.test(source) || (source === "" && key.startsWith("/")) ? null : source;
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

function placeOf(key) {
  if (!/^\/(0|[1-9][0-9]{0,3})$/.test(key)) throw new Error(`${JSON.stringify(key)} is no key of a template`);
  return Number(key.slice(1));
}
