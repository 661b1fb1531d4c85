// Exploration: a share of the URLs that rules change is fetched as found all the same, so
// that a wrong rule is noticed.

import { sha256 } from "./sha256.mjs";

const utf8 = new TextEncoder();

// isExplored reports whether a URL is one of those that are fetched as found on a day: one of
// share URLs. now is a time in milliseconds, of whose day in UTC the choice depends.
export function isExplored(url, share = 1000, now = Date.now()) {
  const day = new Date(now).toISOString().slice(0, 10);
  const [high, low] = sha256(utf8.encode(`${day}\0${url}`));
  return ((BigInt(high) << 32n) | BigInt(low)) % BigInt(share) === 0n;
}
