import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../canon.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "rules-")), list = join(folder, "rules.jsonl");
after(() => rmSync(folder, { recursive: true }));
const run = (input, ...flags) => spawnSync(process.execPath, [command, ...flags, "--rules", list], { input, encoding: "utf8" });

test("canon", () => {
  writeFileSync(list, `{"schema":2,"site":"example.org","by_domain":true,"id":"7","kind":"parameter","op":"drop","params":["x"],"scope":{},"rank":1,"state":"valid"}\n`);
  assert.equal(run("http://www.example.org/?x=1\r\n\nmailto:é\r", "canon", "--two-labels", "--steps").stdout, "http://www.example.org/\t7\n\t\nmailto:é\t\n");
  assert.equal(run("", "canon").stdout, "");
  assert.equal(run("http://www.example.org/?x=1\n", "canon", "--two-labels", "--steps").stdout, "http://www.example.org/\t7\n");
  const without = run("http://www.example.org/?x=1\n", "canon");
  assert.equal(without.stdout, "http://www.example.org/?x=1\n");
  assert.match(without.stderr, /by domain/);
  writeFileSync(list, "nonsense\n");
  const refused = run("http://www.example.org/\n", "canon");
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /line 1/);
  assert.equal(run("", "nothing").status, 2);
});
