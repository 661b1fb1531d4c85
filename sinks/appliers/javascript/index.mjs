// Applies the rules that dustbuster publishes to URLs. docs/rules.md says what a rule means.

export { Rules } from "./rules.mjs";
export { Live } from "./live.mjs";
export { isExplored } from "./explore.mjs";
export { follow, open } from "./follow.mjs";
