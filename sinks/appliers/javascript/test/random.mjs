// Random lists and texts of few and short words, so that rules and texts meet.

const WORDS = ["a", "b", "a1", "/", "/", ".", "?", "&", ";", "=", "&", "=", "-", "index", "abcdefgh", "%", "%4", "4", "%41", "%2F",
  "%E0%B8%81", "//", ";a", "a12345678", "1234", "0a1b2c3d", "A", "%c3"];

export function random(seed) {
  let state = seed * 2654435761 >>> 0;
  const next = () => { // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  const below = (n) => next() % n, one = (list) => list[below(list.length)];
  const words = Array.from({ length: 4 + below(8) }, () => one(WORDS));
  const text = (most) => Array.from({ length: below(most + 1) }, () => one(words)).join("");
  const without = (bytes, value) => [...value].filter((c) => !bytes.includes(c)).join("");
  const different = (all) => [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  const name = () => without("=&;?", "a" + text(1)), value = () => without("&;", text(1));
  const values = () => Array.from({ length: 1 + below(4) }, () => one(["/1234", "/123", "/0a1b2c3d", "/0a1B2c3d", "/", `/${one(words)}`])).join("");
  const url = () => [values, () => "/" + text(9), () => `/${text(2)}?${text(12)}`, () => `/${text(2)}?${text(12)}`][below(4)]();
  const condition = () => ({ param: name(), ...[{}, { value: value() }, { valued: true }][below(3)] });
  const scope = () => ({
    ...(below(3) === 0 ? { path: (below(3) === 0 ? "/*" : "") + without("?", "/" + text(1)) } : {}),
    ...(below(4) === 0 ? { prefix: "/" + text(1) } : {}),
    ...(below(3) === 0 ? { where: different(Array.from({ length: 1 + below(2) }, condition)) } : {}),
  });
  const edits = [
    () => ({ kind: "substring", alpha: text(3), beta: text(2), at_start: below(4) === 0, at_end: below(4) === 0, direction: one(["alpha_to_beta", "beta_to_alpha"]) }),
    () => ({ kind: "parameter", op: "drop", params: below(4) === 0 ? one([[name(), "b"], [...new Set([name(), name(), "b", name(), "c"])]]) : [name()] }),
    () => ({ kind: "parameter", op: "drop", params: [name()], value: value() }),
    () => ({ kind: "parameter", op: "drop", params: [without("/", name())], in: "path" }),
    () => ({ kind: "parameter", op: "drop", pattern: { prefix: one(["", "a"]), class: one(["digits", "hex"]) }, in: one(["query", "path"]) }),
    () => ({ kind: "parameter", op: "set", params: [name()], to: value() }),
    () => ({ kind: "parameter", op: "order" }),
    () => ({ kind: "form", form: one(["slashes", "escapes", "empty-query", "empty-value", "case"]) }),
    () => {
      const after = one(["/", `/${without("?", text(1))}/`]);
      return { kind: "segment", after, class: one(["digits", "hex"]), to: one(["/", after]) };
    },
    () => ({
      kind: "template", where: { "/0": one(["*", "a"]), ...(below(2) === 0 ? { "/1": "*" } : {}), ...(below(2) === 0 ? { a: "*" } : {}) },
      edit: one([{ "/0": "drop" }, { "/0": { set: "b" } }, { c: { copy: "/0" } }]),
    }),
  ];
  const ownExcept = (param) => ({ where: [{ param, own: true, ...(below(2) === 0 ? { value: value() } : { begins: value() || "a" }) }] });
  const rule = (rank) => {
    const edit = one(edits)(), ownable = ["drop", "set"].includes(edit.op) && edit.params?.length === 1 && edit.value === undefined && edit.in !== "path";
    return {
      schema: 2, site: "a.example", id: String(rank), rank, state: "valid", ...edit, scope: below(2) === 0 ? scope() : {},
      ...(below(5) === 0 ? { except: { scopes: [{ prefix: "/", ...scope() }, ...(ownable ? [ownExcept(edit.params[0])] : [])], urls: [url()] } } : {}),
      ...(ownable && below(3) === 0 ? { except: { scopes: [ownExcept(edit.params[0])] } } : {}),
    };
  };
  const valid = (record) => record.kind !== "substring" || record.alpha !== record.beta;
  return {
    url,
    list: (most) => Array.from({ length: 1 + below(most) }, (_, i) => rule(i + 1)).filter(valid).map((r) => JSON.stringify(r) + "\n").join(""),
  };
}
