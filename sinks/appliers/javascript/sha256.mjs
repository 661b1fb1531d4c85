// SHA-256 (FIPS 180-4), since the one of browsers cannot be asked without waiting.

const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p !== 0)) primes.push(n);
// fraction returns the first 32 bits of the fractional part of a root.
const fraction = (root) => ((root - Math.floor(root)) * 2 ** 32) | 0;
const K = Int32Array.from(primes, (p) => fraction(Math.cbrt(p)));
const START = primes.slice(0, 8).map((p) => fraction(Math.sqrt(p)));

const turn = (x, n) => (x >>> n) | (x << (32 - n));

// sha256 returns the eight words of the hash of a Uint8Array.
export function sha256(bytes) {
  const length = (((bytes.length + 8) >> 6) + 1) << 6;
  const padded = new Uint8Array(length);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(length - 4, bytes.length * 8);
  const sum = Int32Array.from(START), w = new Int32Array(64);
  for (let block = 0; block < length; block += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const s0 = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >>> 3);
      const s1 = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >>> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    let [a, b, c, d, e, f, g, h] = sum;
    for (let i = 0; i < 64; i++) {
      const t1 = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i]) | 0;
      const t2 = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => { sum[i] += x; });
  }
  return Array.from(sum, (x) => x >>> 0);
}

// hmac returns the eight words of HMAC-SHA-256 (RFC 2104) of a Uint8Array under a key.
export function hmac(key, text) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? bytes(sha256(key)) : key);
  const inner = sha256(join(block.map((x) => x ^ 0x36), text));
  return sha256(join(block.map((x) => x ^ 0x5c), bytes(inner)));
}

function bytes(words) {
  const view = new DataView(new ArrayBuffer(4 * words.length));
  words.forEach((word, i) => view.setUint32(4 * i, word));
  return new Uint8Array(view.buffer);
}

function join(a, b) {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

// hex writes words as hexadecimal digits.
export const hex = (words) => words.map((word) => word.toString(16).padStart(8, "0")).join("");
