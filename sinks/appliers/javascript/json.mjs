// JSON objects, without the members that are null.

const MAX_DEPTH = 32;

export const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

// parseObject returns the object of a text, or throws an Error.
export function parseObject(text) {
  const object = JSON.parse(text);
  if (!isObject(object)) throw new Error("not a rule (one JSON object)");
  clean(object, MAX_DEPTH);
  return object;
}

// clean removes the members that are null.
function clean(value, depth) {
  if (typeof value !== "object" || value === null) return;
  if (depth === 0) throw new Error(`more than ${MAX_DEPTH} objects and lists within each other`);
  for (const name of Object.keys(value)) {
    if (value[name] === null && !Array.isArray(value)) delete value[name];
    else clean(value[name], depth - 1);
  }
}
