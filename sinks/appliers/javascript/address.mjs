// The parts of a URL: scheme, authority, host in normal form, and the text that rules edit.

// The greatest numbers of bytes of a text, and of an authority.
export const MAX_BYTES = 2048;
const MAX_AUTHORITY = 261;

const SCHEME = /^https?:\/\//i;
const HOST = /^([0-9A-Za-z._-]+|\[[0-9A-Fa-f:.]+\])(?::([0-9]{1,5}))?$/;

// hostOf returns the normal form of an authority, or null if the authority is not a host.
// defaultPort is the port that the normal form leaves out; without it, each port counts.
export function hostOf(authority, defaultPort) {
  const parts = authority.length <= MAX_AUTHORITY ? HOST.exec(authority) : null;
  if (parts === null) return null;
  const name = parts[1].replace(/\.+$/, "").toLowerCase();
  if (name === "" || name.startsWith(".")) return null;
  return parts[2] === undefined || parts[2] === defaultPort ? name : `${name}:${parts[2]}`;
}

// withoutPort returns a host in normal form without its port.
export const withoutPort = (host) => host.replace(/:[0-9]+$/, "");

// isAddress reports whether the name of a host is an address, or has one label. Such a name
// is its own registrable domain.
export const isAddress = (name) => name.startsWith("[") || !/[^0-9.]/.test(name) || !name.includes(".");

// split returns the places at which a URL's authority begins and ends, as [begin, end], or
// null if the scheme is not http or https.
export function split(url) {
  const scheme = SCHEME.exec(url);
  if (scheme === null) return null;
  const begin = scheme[0].length;
  let end = begin;
  for (; end < url.length; end++) {
    const c = url.charCodeAt(end);
    if (c === 0x2f || c === 0x3f || c === 0x23) break; // / ? #
  }
  return [begin, end];
}

// isRelative reports whether a text is a path on the host of its reader: browsers take two slashes
// for the beginning of another host, and a backslash for a slash.
export const isRelative = (url) => url.charCodeAt(0) === 0x2f && url.charCodeAt(1) !== 0x2f && url.charCodeAt(1) !== 0x5c;

export const defaultPort = (scheme) => (scheme.length === "https://".length ? "443" : "80");

// The bytes of a text: 0 stands as it is, 1 is escaped, 2 begins the fragment, 3 is a
// control byte.
const kind = new Uint8Array(128);
for (let c = 0; c < 128; c++) if (c < 0x20 || c === 0x7f) kind[c] = 3;
for (const c of ' "<>') kind[c.charCodeAt(0)] = 1;
kind[0x23] = 2;

const utf8 = new TextEncoder();
const escape = (byte) => "%" + byte.toString(16).toUpperCase().padStart(2, "0");

// textOf returns path and query of a URL from the end of the authority on, in the form that
// rules edit, or null if a URL with this text is left alone. before is the host that stands
// before the path, or "".
export function textOf(url, from, before) {
  let at = from, clean = true;
  for (; at < url.length; at++) {
    const c = url.charCodeAt(at), k = c < 128 ? kind[c] : 1;
    if (k === 0) continue;
    if (k === 3) return null;
    if (k === 2) break;
    clean = false;
  }
  if ((!clean || at < url.length) && !isUnicode(url)) return null;
  let text = url.slice(from, at);
  if (!clean) {
    if (text.length > MAX_BYTES) return null;
    text = text.replace(/[ "<>]|[^\x00-\x7f]+/g, (raw) => Array.from(utf8.encode(raw), escape).join(""));
  }
  if (text.charCodeAt(0) !== 0x2f) text = "/" + text;
  text = before + text;
  return text.length > MAX_BYTES ? null : text;
}

// fragmentOf returns the fragment of a URL if it names a page of its own: if it begins with "#!"
// or "#/", as applications in a browser write it. Otherwise it returns "".
export function fragmentOf(url) {
  const at = url.indexOf("#"), next = at < 0 ? "" : url[at + 1];
  return next === "!" || next === "/" ? url.slice(at) : "";
}

// isUnicode reports whether UTF-8 can write a string: whether each half of a surrogate pair
// has its other half.
export const isUnicode = (string) => !/\p{Surrogate}/u.test(string);

// isText reports whether a value is a text that can stand in a text that rules edit.
export const isText = (value) => typeof value === "string" && value.length <= MAX_BYTES && /^[\x21-\x7e]*$/.test(value) && !/["<>#]/.test(value);

// pathEnd returns the length of the text before the first question mark.
export function pathEnd(text) {
  const at = text.indexOf("?");
  return at < 0 ? text.length : at;
}

