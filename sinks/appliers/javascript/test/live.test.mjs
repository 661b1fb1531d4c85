import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { follow, isExplored, Live, open, Rules } from "../index.mjs";
import { hex, sha256 } from "../sha256.mjs";

const drop = (rank, name, site = "a.example", more = {}) => JSON.stringify({ schema: 2, site, id: `of ${name}`, kind: "parameter", op: "drop",
  params: [name], scope: {}, rank, state: "valid", ...more }) + "\n";

test("sha256", () => {
  for (let length = 0; length < 300; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => i * 7 + length);
    assert.equal(hex(sha256(bytes)), createHash("sha256").update(bytes).digest("hex"));
  }
});

test("exploration", () => {
  const now = Date.UTC(2026, 10, 22, 23, 59, 59);
  let marked = 0;
  for (let i = 0; i < 4000; i++) {
    const url = `http://a.example/é?${i}`;
    const want = createHash("sha256").update(`2026-11-22\0${url}`).digest().readBigUInt64BE() % 20n === 0n;
    assert.equal(isExplored(url, 20, now), want);
    if (want) marked++;
    assert.ok(isExplored(url, 1, now));
  }
  assert.ok(marked > 140 && marked < 260, `${marked} of 4,000`);
});

// The examples of docs/crawlers.md.
test("exploration as all crawlers choose", () => {
  const now = Date.UTC(2026, 10, 22);
  for (const [url, chosen, ...not] of [
    ["http://www.example.org/a?sid=1", 4, 20, 1000], ["https://www.example.org/", 5, 2, 1000], ["http://h/%C3%A9?x=1#f", 2, 20, 1000],
    ["http://www.example.org/a?sid=501", 1000], ["http://www.example.org/a?sid=623", 1000],
  ]) {
    assert.ok(isExplored(url, chosen, now), url);
    for (const share of not) assert.ok(!isExplored(url, share, now), `${url}, 1 in ${share}`);
  }
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
  assert.throws(() => live.set("{}\n", "2"), /no rule is valid: 1/);
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
