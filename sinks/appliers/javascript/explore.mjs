// Exploration: a share of the URLs that rules change is fetched as found all the same, so
// that a wrong rule is noticed.

import { hmac } from "./sha256.mjs";

const LEAST = 16; // bytes of a secret

const utf8 = new TextEncoder();

const { crypto } = globalThis.crypto ? globalThis : { crypto: (await import("node:crypto")).webcrypto }; // Node 18

// processKey is the secret of a process, or of a page, that is given none.
const processKey = crypto.getRandomValues(new Uint8Array(LEAST));

// keyOf returns the bytes of a secret, or without one those of a secret drawn at random, the
// same in all of the process. keyOf throws a RangeError if the secret has fewer than 16 bytes.
export function keyOf(secret) {
  if (secret === undefined) return processKey;
  if (typeof secret !== "string") throw new TypeError("the secret of exploration must be a string");
  const key = utf8.encode(secret);
  if (key.length < LEAST) throw new RangeError(`the secret of exploration has ${key.length} bytes, and must have at least ${LEAST}`);
  return key;
}

// isExplored reports whether a URL is one of those that are fetched as found on a day: one of
// share URLs; with 0, none. secret is a string, or undefined for one drawn at random. now is a
// time in milliseconds, of whose day in UTC the choice depends.
export function isExplored(url, secret, share = 1000, now = Date.now()) {
  const key = keyOf(secret);
  if (share <= 0) return false;
  const day = new Date(now).toISOString().slice(0, 10);
  const [high, low] = hmac(key, utf8.encode(`${day}\0${url}`));
  return ((BigInt(high) << 32n) | BigInt(low)) % BigInt(share) === 0n;
}
