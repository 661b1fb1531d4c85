// Lists that change: of a file, or of a daemon.

import { hex, sha256 } from "./sha256.mjs";

const TIMEOUT = 30_000; // ms, of an answer
const MAX_LIST = 64 << 20; // bytes

// follow reads a source again and again, and gives each new list to a Live. The source is the
// path of a file (in Node), the address of a daemon such as http://127.0.0.1:9464, or the whole
// address of a list. A token is the password of an address: http://:TOKEN@dust.example.org.
// every is the time between two looks, and timeout that for a whole answer of a daemon, in
// milliseconds. failed is called with each Error; the old list then stays. The promise that follow
// returns is fulfilled when the signal aborts.
export async function follow(live, source, { every = 60_000, timeout = TIMEOUT, signal, failed = () => {} } = {}) {
  const look = lookAt(source, timeout);
  while (!signal?.aborted) {
    try {
      await look(live, signal);
    } catch (error) {
      if (!signal?.aborted) failed(error);
    }
    await pause(every, signal);
  }
}

// open reads a source once.
export async function open(live, source, { timeout = TIMEOUT } = {}) {
  await lookAt(source, timeout)(live);
}

const lookAt = (source, timeout) => (/^https?:\/\//i.test(source) ? daemon(source, timeout) : file(source));

function pause(every, signal) {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, every);
    signal?.addEventListener("abort", done);
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}

function daemon(source, timeout) {
  const address = new URL(source), headers = { Accept: "application/x-ndjson" };
  if (address.password !== "") headers.Authorization = `Bearer ${decodeURIComponent(address.password)}`;
  address.username = address.password = "";
  if (address.pathname === "/" && address.search === "") address.href = `${address.origin}/api/v1/rules?state=valid`;
  let tag = null;
  return async (live, signal) => {
    const signals = [AbortSignal.timeout(timeout), ...(signal === undefined ? [] : [signal])];
    const answer = await fetch(address, {
      headers: tag === null ? headers : { ...headers, "If-None-Match": tag },
      cache: "no-store", // the tag is ours
      signal: signals.length === 1 ? signals[0] : anyOf(signals),
    });
    if (answer.status === 304 && tag !== null) return;
    if (answer.status !== 200) {
      await answer.body?.cancel(); // nobody reads it
      throw new Error(`read rules: ${address} answers ${answer.status}`);
    }
    const list = await bodyOf(answer), next = answer.headers.get("ETag");
    tag = next; // reading a bad list again would not help
    live.set(list, next ?? tagOf(list));
  };
}

// bodyOf returns the body of an answer, and reads no further than a list may be long.
async function bodyOf(answer) {
  const pieces = [];
  let length = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
    if (length > MAX_LIST) {
      await reader.cancel();
      throw tooLong();
    }
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.length;
  }
  return body;
}

const tooLong = () => new Error(`read rules: a list of more than ${MAX_LIST} bytes`);

// anyOf is AbortSignal.any, which Node 18 lacks.
function anyOf(signals) {
  const all = new AbortController();
  for (const signal of signals) signal.addEventListener("abort", () => all.abort(signal.reason), { once: true });
  return all.signal;
}

function file(path) {
  let last = null;
  return async (live) => {
    const { readFile, stat } = await import("node:fs/promises");
    const { mtimeMs, size } = await stat(path), seen = `${mtimeMs} ${size}`;
    if (seen === last) return;
    if (size > MAX_LIST) throw tooLong();
    const list = await readFile(path);
    last = seen;
    live.set(list, tagOf(list));
  };
}

// tagOf is the ETag that a daemon gives a list.
const tagOf = (list) => `"${hex(sha256(list)).slice(0, 32)}"`;
