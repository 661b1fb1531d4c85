// Tokens of a text: runs of letters and digits, and other characters one by one. An escape
// (% and two hexadecimal digits) is one character. A text is printable ASCII.

const PERCENT = 0x25;

// isWord says of each byte whether it is a letter or digit.
export const isWord = new Uint8Array(256);
// hexValue is the value of each hexadecimal digit, or 255.
export const hexValue = new Uint8Array(256).fill(255);
for (let c = 0; c < 256; c++) {
  const digit = c >= 48 && c <= 57, small = c >= 97 && c <= 122, capital = c >= 65 && c <= 90;
  if (digit || small || capital) isWord[c] = 1;
  if (digit) hexValue[c] = c - 48;
  if ((small || capital) && (c | 32) <= 102) hexValue[c] = (c | 32) - 87;
}

// escapeAt returns the byte that the escape at a place stands for, or -1 if there is none.
export function escapeAt(text, at) {
  if (at < 0 || at + 2 >= text.length || text.charCodeAt(at) !== PERCENT) return -1;
  const high = hexValue[text.charCodeAt(at + 1)], low = hexValue[text.charCodeAt(at + 2)];
  return high < 16 && low < 16 ? high * 16 + low : -1;
}

// isWordByte says of a byte that an escape stands for whether the escape is a letter.
export const isWordByte = (byte) => byte >= 0x80 || isWord[byte] === 1;

// isBoundary reports whether a place of a text lies between two tokens, or at an end.
export function isBoundary(text, at) {
  if (at <= 0 || at >= text.length) return true;
  if (escapeAt(text, at - 1) >= 0 || escapeAt(text, at - 2) >= 0) return false; // within an escape
  const before = escapeAt(text, at - 3), after = escapeAt(text, at);
  const left = before >= 0 ? isWordByte(before) : isWord[text.charCodeAt(at - 1)] === 1;
  return !(left && (after >= 0 ? isWordByte(after) : isWord[text.charCodeAt(at)] === 1));
}

// tokensOf returns the tokens of a text.
export function tokensOf(text) {
  const tokens = [];
  for (let from = 0, at = 1; at <= text.length; at++) {
    if (isBoundary(text, at)) {
      tokens.push(text.slice(from, at));
      from = at;
    }
  }
  return tokens;
}
