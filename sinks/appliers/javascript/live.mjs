// Rules that are replaced while they are used, with counts.

import { isExplored, keyOf } from "./explore.mjs";
import { hostNamed, Rules } from "./rules.mjs";

// Live applies a list that may be replaced. Without a list, each URL is its own form: give
// the first list before the first URL gets a key.
export class Live {
  // domain and host are as for Rules. share is the number of changed URLs of which one is explored; 0:
  // none is. The processes of one crawler share a secret, a string of at least 16 bytes in UTF-8,
  // and so explore the same URLs; without a secret, each process draws its own at random, and one
  // that is too short is a RangeError. onChange is called with the version when a new list takes the place of another.
  constructor({ domain, host, share = 1000, secret, onChange } = {}) {
    keyOf(secret);
    hostNamed(host);
    Object.assign(this, { domain, host, share, secret, onChange });
    this.rules = null;
    this.version = null; // of the list
    this.isOff = new Set(); // ids
    this.asked = 0;
    this.changed = 0;
    this.explored = 0;
    this.byRule = new Map(); // URLs changed, by id
  }

  // set replaces the list. If the list is refused, set throws an Error and the old list stays.
  set(list, version) {
    const rules = new Rules(list, { domain: this.domain, host: this.host });
    for (const id of this.isOff) rules.switch(id, false);
    this.rules = rules;
    const isNew = version !== this.version;
    this.version = version;
    if (isNew) this.onChange?.(version);
  }

  // switch switches the rules of an id off, or on again, also in the lists to come.
  switch(id, on) {
    if (on) this.isOff.delete(id);
    else this.isOff.add(id);
    this.rules?.switch(id, on);
  }

  // canonical returns the canonical form of a URL.
  canonical(url) {
    return this.ask(url).canonical;
  }

  // ask returns the canonical form of a URL, and whether the URL is to be fetched as found
  // even if the form has been seen.
  ask(url, now = Date.now()) {
    this.asked++;
    if (this.rules === null) return { canonical: url, explore: false };
    const { canonical, origin, steps } = this.rules.trace(url);
    if (steps.length === 0) return { canonical, explore: false };
    this.changed++;
    for (const rank of new Set(steps.map((step) => step.rank))) {
      const { id } = origin.site.rules.rules[rank];
      this.byRule.set(id, (this.byRule.get(id) ?? 0) + 1);
    }
    const explore = isExplored(url, this.secret, this.share, now);
    if (explore) this.explored++;
    return { canonical, explore };
  }

  // stats returns the counts since the beginning.
  stats() {
    const { version, asked, changed, explored, byRule } = this;
    return { version, asked, changed, explored, byRule: Object.fromEntries(byRule) };
  }
}
