import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createTCPServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { follow, isExplored, Live, open, Rules } from "../index.mjs";
import { hex, hmac, sha256 } from "../sha256.mjs";

const drop = (rank, name, site = "a.example", more = {}) => JSON.stringify({ schema: 2, site, id: `of ${name}`, kind: "parameter", op: "drop",
  params: [name], scope: {}, rank, state: "valid", ...more }) + "\n";

test("sha256", () => {
  for (let length = 0; length < 300; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7 + length);
    assert.equal(hex(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"));
  }
});

test("HMAC-SHA-256", () => {
  for (let length = 0; length < 200; length++) {
    const key = Uint8Array.from({ length }, (_, i) => i * 7 + length), text = Uint8Array.from({ length: 199 - length }, (_, i) => i * 5);
    assert.equal(hex(hmac(key, text)), createHmac("sha256", key).update(text).digest("hex"));
  }
});

test("rules without a site", () => {
  const list = drop(1, "x", "") + drop(1, "y", "b.example");
  const bare = new Live();
  bare.set(list, "1");
  assert.equal(bare.canonical("http://a.example/?x=1#f"), "http://a.example/?x=1#f");
  assert.equal(bare.canonical("/?x=1#f"), "/");
  assert.match(bare.rules.problems.join(), /apply to paths alone: name their host/);
  const named = new Live({ host: "A.example." });
  named.set(list, "1");
  assert.equal(named.canonical("http://a.example/?x=1#f"), "http://a.example/");
  assert.equal(named.canonical("http://c.example/?x=1#f"), "http://c.example/?x=1#f");
  assert.deepEqual(named.rules.explain("/?x=1#!f"), [{ id: "of x", site: "", url: "/#!f" }]);
  assert.deepEqual(named.rules.problems, []);
  for (const host of ["a b", "http://a.example", "a.example/", 5]) {
    assert.throws(() => new Live({ host }), RangeError);
    assert.throws(() => new Rules(list, { host }), RangeError);
  }
});

const short = "an-example-secret", long = "the secret of a crawler – longer than the 64 bytes of one block of SHA-256";

test("exploration", () => {
  const now = Date.UTC(2026, 10, 22, 23, 59, 59);
  let marked = 0;
  for (let i = 0; i < 4000; i++) {
    const url = `http://a.example/é?${i}`;
    const want = createHmac("sha256", short).update(`2026-11-22\0${url}`).digest().readBigUInt64BE() % 20n === 0n;
    assert.equal(isExplored(url, short, 20, now), want);
    if (want) marked++;
    assert.ok(isExplored(url, short, 1, now));
    assert.ok(!isExplored(url, short, 0, now));
  }
  assert.ok(marked > 140 && marked < 260, `${marked} of 4,000`);
});

// The examples of docs/conformance/README.md.
test("exploration as all crawlers with the secret choose", () => {
  const now = Date.UTC(2026, 10, 22);
  for (const [secret, url, hash] of [
    [short, "http://www.example.org/a?sid=1", 0x5278bcac681dec90n], [short, "https://www.example.org/", 0x1877124397e9a2f0n],
    [short, "http://h/%C3%A9?x=1#f", 0xcf92790386d867ecn], [short, "http://h/é", 0xae70ce8f210cb6b4n],
    [short, "http://www.example.org/a?sid=1530", 0x1d80dc55188e4d00n], [short, "http://www.example.org/a?sid=3382", 0xd93e4d4add445b50n],
    [long, "https://www.example.org/", 0xf817ed43df28161bn],
  ]) {
    for (const share of [1, 3, 4, 5, 20, 1000, hash]) assert.equal(isExplored(url, secret, share, now), hash % BigInt(share) === 0n, `${url}, 1 in ${share}`);
  }
});

test("secrets of exploration", async () => {
  for (const secret of ["", "fifteen bytes!!"]) {
    const refused = { name: "RangeError", message: `the secret of exploration has ${secret.length} bytes, and must have at least 16` };
    assert.throws(() => new Live({ secret }), refused);
    assert.throws(() => isExplored("http://a.example/", secret), refused);
  }
  for (const secret of [20, null]) assert.throws(() => new Live({ secret }), TypeError);
  const now = Date.UTC(2026, 10, 22), chosen = [];
  for (const secret of ["fourteen bytesé", long, undefined, undefined]) {
    const live = new Live({ share: 4, secret });
    live.set(drop(1, "x"), "1");
    chosen.push(Array.from({ length: 400 }, (_, i) => live.ask(`http://a.example/?x=${i}`, now).explore).join());
  }
  assert.equal(chosen[2], chosen[3]);
  assert.equal(new Set(chosen).size, 3);
  const other = await import("../explore.mjs?another process"); // draws a secret of its own
  const marks = (is) => Array.from({ length: 400 }, (_, i) => is(`${i}`, undefined, 4, now)).join();
  assert.notEqual(marks(isExplored), marks(other.isExplored));
});

test("counts", () => {
  const told = [];
  const live = new Live({ share: 1, onChange: (version) => told.push(version) });
  assert.deepEqual(live.ask("http://a.example/?x=1"), { canonical: "http://a.example/?x=1", explore: false });
  live.set(drop(1, "x") + drop(2, "y"), "1");
  assert.deepEqual(live.ask("http://a.example/?x=1&x=2&y=3"), { canonical: "http://a.example/", explore: true });
  assert.deepEqual(live.ask("http://a.example/?z=1#f"), { canonical: "http://a.example/?z=1", explore: false });
  live.switch("of y", false);
  assert.equal(live.canonical("http://a.example/?x=1&y=3"), "http://a.example/?y=3");
  assert.throws(() => live.set("nonsense", "2"));
  live.set(drop(1, "y"), "3");
  assert.equal(live.canonical("http://a.example/?y=3"), "http://a.example/?y=3"); // still off
  live.switch("of y", true);
  assert.equal(live.canonical("http://a.example/?y=3"), "http://a.example/");
  assert.deepEqual(live.stats(), { version: "3", asked: 6, changed: 3, explored: 3, byRule: { "of x": 2, "of y": 2 } });
  assert.deepEqual(told, ["1", "3"]);
});

test("sites by domain need a function", () => {
  const list = drop(1, "x", "example.org", { by_domain: true });
  const rules = new Rules(list);
  assert.equal(rules.canonical("http://www.example.org/?x=1#f"), "http://www.example.org/?x=1#f");
  assert.match(rules.problems[0], /is by domain/);
  const asked = [], domain = (host) => { asked.push(host); return "example.org"; };
  assert.equal(new Rules(list, { domain }).canonical("http://www.example.org:81/?x=1"), "http://www.example.org:81/");
  assert.deepEqual(asked, ["example.org", "www.example.org"]);
  assert.throws(() => new Rules(list, { domain: (host) => host.slice(1) }), /registrable/);
  assert.throws(() => new Rules(list + drop(1, "x", "www.example.org"), { domain }), /its domain is a site too/);
  for (const name of ["A.example", "a.example.", "a b", "[::1"]) assert.throws(() => new Rules(drop(1, "x", name)), /normal form/);
});

test("half of a surrogate pair", () => {
  const rules = new Rules(drop(1, "x"));
  for (const half of ["\ud800", "\udc00", "\udc00\ud800"]) assert.equal(rules.canonical(`http://a.example/${half}?x=1`), `http://a.example/${half}?x=1`);
  assert.equal(rules.canonical("http://a.example/\ud83d\ude00?x=1"), "http://a.example/%F0%9F%98%80");
});

// until waits until a condition holds.
async function until(holds) {
  for (let i = 0; i < 2000; i++) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  assert.fail("waited too long");
}

test("a file is followed", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "rules-")), path = join(folder, "rules.jsonl");
  t.after(() => rmSync(folder, { recursive: true }));
  const write = (list) => {
    writeFileSync(`${path}.new`, list);
    renameSync(`${path}.new`, path);
  };
  write(drop(1, "x"));
  const live = new Live(), stop = new AbortController(), failed = [];
  await open(live, path);
  const first = live.version;
  const end = follow(live, path, { every: 1, signal: stop.signal, failed: (error) => failed.push(error.message) });
  write(drop(1, "longer"));
  await until(() => live.version !== first);
  assert.equal(live.canonical("http://a.example/?longer=1"), "http://a.example/");
  write("nonsense, and longer still, so that the file has another size\n");
  await until(() => failed.length > 0);
  assert.equal(live.canonical("http://a.example/?longer=1"), "http://a.example/");
  stop.abort();
  await end;
  assert.equal(failed.length, 1); // a bad list is read once
});

test("a daemon is followed", async () => {
  let list = drop(1, "x"), status = 200;
  const tag = () => `"${createHash("sha256").update(list).digest("hex").slice(0, 32)}"`, seen = [];
  const server = createServer((request, answer) => {
    seen.push(`${request.url} ${request.headers.authorization} ${request.headers["if-none-match"] === tag()}`);
    const same = request.headers["if-none-match"] === tag();
    answer.writeHead(status !== 200 ? status : same ? 304 : 200, { ETag: tag() });
    answer.end(same || status !== 200 ? "" : list);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const source = `http://:secret@127.0.0.1:${server.address().port}`;
  const live = new Live(), stop = new AbortController(), failed = [];
  const end = follow(live, source, { every: 1, signal: stop.signal, failed: (error) => failed.push(error.message) });
  await until(() => seen.length > 2);
  assert.equal(seen[0], "/api/v1/rules?state=valid Bearer secret false");
  assert.equal(seen[2], "/api/v1/rules?state=valid Bearer secret true");
  assert.equal(live.version, tag());
  status = 500;
  await until(() => failed.length > 0);
  assert.ok(!failed[0].includes("secret") && failed[0].includes("500"), failed[0]);
  [status, list] = [200, drop(1, "y")];
  await until(() => live.version === tag());
  assert.equal(live.canonical("http://a.example/?y=1"), "http://a.example/");
  stop.abort();
  await end;
  server.close();
  server.closeAllConnections?.();
});

test("a body without end is not read to its end", { timeout: 60_000 }, async () => {
  let sent = 0;
  const server = createServer((_, answer) => {
    const piece = Buffer.alloc(1 << 20, " ");
    const more = () => {
      while (!answer.destroyed && answer.write(piece)) sent += piece.length;
      sent += piece.length;
    };
    answer.on("drain", more);
    more();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await assert.rejects(open(new Live(), `http://127.0.0.1:${server.address().port}`), /more than 67108864 bytes/);
    assert.ok(sent < 128 << 20, `${sent} bytes were sent`);
  } finally {
    server.closeAllConnections?.();
    server.close();
  }
});

// serve answers each connection by hand: a function gets the socket and the request's text.
async function serve(t, answer) {
  const requests = [], sockets = new Set();
  const server = createTCPServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", (data) => {
      requests.push(data.toString("latin1"));
      answer(socket, requests.at(-1));
    });
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { address: `127.0.0.1:${server.address().port}`, requests };
}

test("hostile daemons", { timeout: 60_000 }, async (t) => {
  const list = drop(1, "x"), whole = `HTTP/1.1 200 OK\r\nContent-Length: ${list.length}\r\n\r\n${list}`;
  const refuses = async (name, answer, why) => {
    await t.test(name, async (t) => {
      const { address } = await serve(t, answer), live = new Live();
      await assert.rejects(open(live, `http://${address}`, { timeout: 500 }), why);
      assert.equal(live.canonical("http://a.example/?x=1"), "http://a.example/?x=1");
    });
  };
  const drip = (head) => (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write(" "), 20);
    socket.on("close", () => clearInterval(timer));
  };
  await refuses("a list that is cut short", (socket) => socket.end(whole.replace(/: \d+/, ": 9999")), /terminated/);
  await refuses("a chunk that is cut short", (socket) => socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n${list}`), /terminated/);
  await refuses("no answer of HTTP", (socket) => socket.end("nonsense\r\n\r\n"), /fetch failed/);
  await refuses("a slow body", drip("HTTP/1.1 200 OK\r\n\r\n"), /timeout/);
  await refuses("a slow head", drip("HTTP/1.1 200 OK\r\nX: "), /timeout/);
  await refuses("no answer", () => {}, /timeout/);
  let closed = false;
  await refuses("a refusal without end", (socket) => {
    socket.on("close", () => { closed = true; });
    drip("HTTP/1.1 503 Busy\r\n\r\n")(socket);
  }, /answers 503/);
  await until(() => closed);
  await t.test("a token goes to no other host", async (t) => {
    const other = await serve(t, (socket) => socket.end(whole)), live = new Live();
    const moved = await serve(t, (socket) => socket.end(`HTTP/1.1 302 Found\r\nLocation: http://${other.address}/x\r\nContent-Length: 0\r\n\r\n`));
    await open(live, `http://:secret@${moved.address}`);
    assert.match(moved.requests[0], /bearer secret/i);
    assert.doesNotMatch(other.requests[0], /secret/);
    assert.equal(live.canonical("http://a.example/?x=1"), "http://a.example/");
  });
});
