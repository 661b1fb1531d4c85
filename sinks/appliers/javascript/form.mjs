// Forms of syntax.

import { escapeAt, isWord } from "./tokens.mjs";
import { join, nameOf, pieces } from "./query.mjs";

const splitAtQuery = (text) => {
  const mark = text.indexOf("?");
  return mark < 0 ? [text, ""] : [text.slice(0, mark), text.slice(mark)];
};

const ESCAPE = /%[0-9A-Fa-f]{2}/g;

function plainEscape(escape) {
  const byte = escapeAt(escape, 0);
  return byte < 0x80 && (isWord[byte] === 1 || "-._~".includes(String.fromCharCode(byte)))
    ? String.fromCharCode(byte) : escape.toUpperCase();
}

// forms are the edits of the rules of the kind "form".
export const forms = {
  slashes(text) {
    if (!text.includes("//")) return text;
    const [path, query] = splitAtQuery(text);
    return path.replace(/\/\/+/g, "/") + query;
  },
  "empty-query": (text) => (text.indexOf("?") === text.length - 1 ? text.slice(0, -1) : text),
  "empty-value"(text) {
    const [path, query] = splitAtQuery(text);
    if (!query.includes("=")) return text;
    const { list, separators } = pieces(query.slice(1));
    const isEmpty = (piece) => nameOf(piece) !== "" && nameOf(piece).length === piece.length - 1;
    return `${path}?${join(list.map((piece) => (isEmpty(piece) ? nameOf(piece) : piece)), separators)}`;
  },
  escapes: (text) => (text.includes("%") ? text.replace(ESCAPE, plainEscape) : text),
  case(text) {
    const [path, query] = splitAtQuery(text);
    return path.replace(/%[0-9A-Fa-f]{2}|[A-Z]+/g, (part) => (part[0] === "%" ? part : part.toLowerCase())) + query;
  },
};
