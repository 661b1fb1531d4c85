// The pieces of a query.

// pieceEnd returns the end of the piece that begins at a place of a text.
export function pieceEnd(text, from) {
  let at = from;
  for (; at < text.length; at++) {
    const c = text.charCodeAt(at);
    if (c === 0x26 || c === 0x3b) break; // & ;
  }
  return at;
}

// pieces returns the pieces of a query, and the separator after each but the last.
export function pieces(query) {
  const list = [], separators = [];
  for (let from = 0; ; ) {
    const end = pieceEnd(query, from);
    list.push(query.slice(from, end));
    if (end === query.length) return { list, separators };
    separators.push(query[end]);
    from = end + 1;
  }
}

// join is the inverse of pieces.
export function join(list, separators) {
  let query = "";
  for (let i = 0; i < list.length; i++) query += i < separators.length ? list[i] + separators[i] : list[i];
  return query;
}

// nameOf returns the name of a piece, "" if the piece has none.
export function nameOf(piece) {
  const at = piece.indexOf("=");
  return at < 0 ? piece : piece.slice(0, at);
}

// isNamed reports whether the piece of a text from a place on has a name. end is the end of the piece.
export function isNamed(text, from, end, name) {
  const after = from + name.length;
  return after <= end && text.startsWith(name, from) && (after === end || text.charCodeAt(after) === 0x3d);
}

// isPair reports whether the piece of a text is name=value.
export function isPair(text, from, end, name, value) {
  return end - from === name.length + 1 + value.length && isNamed(text, from, end, name) &&
    end > from + name.length && text.startsWith(value, from + name.length + 1);
}

// isBegun reports whether the piece of a text is name=value with a value that begins so.
export function isBegun(text, from, end, name, begins) {
  const value = from + name.length + 1;
  return end >= value + begins.length && isNamed(text, from, end, name) && text.startsWith(begins, value);
}
