// The rules of all sites of a list, applied to URLs.

import { defaultPort, fragmentOf, hostOf, isAddress, isRelative, split, textOf, withoutPort } from "./address.mjs";
import { read } from "./read.mjs";
import { Site } from "./site.mjs";

const MAX_ORIGINS = 4096; // that are remembered

const NEEDS_HOST = "the rules of a log without host names apply to paths alone: name their host, such as www.example.org, with the option host";

// hostNamed returns the normal form of the host that a reader names, or "" if there is none.
export function hostNamed(host) {
  if (host === undefined || host === "") return "";
  const normal = typeof host === "string" ? hostOf(host) : null;
  if (normal === null) throw new RangeError(`${JSON.stringify(host)} is not a host, such as www.example.org`);
  return normal;
}

const refuse = (site, why) => { throw new Error(`read rules: site ${JSON.stringify(site)}: ${why}`); };

// Rules applies a list. A Rules does not change, but for the rules that are switched off.
export class Rules {
  // The constructor reads a list, JSON lines as in rules.jsonl: the text, or the bytes of UTF-8.
  // It throws an Error if the list is refused. domain returns the registrable domain of a host without port, by
  // the public suffix list; without domain, sites by domain have no rules. host is the host of relative
  // URLs, and of the rules of a log without host names; without host, these apply to relative URLs alone.
  // A host that is not valid is a RangeError.
  constructor(list, { domain, host } = {}) {
    this.host = hostNamed(host);
    this.domain = (host) => {
      const name = withoutPort(host);
      return isAddress(name) ? name : domain?.(name) ?? name;
    };
    this.hosts = new Map();
    this.domains = new Map();
    this.groups = { names: new Map(), exact: new Map(), below: new Map() };
    this.origins = new Map(); // what is known of scheme and authority
    const { sites, other } = read(list);
    this.other = other;
    this.sites = sites.map((site) => this.add(site, domain));
    this.relative = this.newRelative();
    for (const name of this.hosts.keys()) {
      if (this.domains.size > 0 && this.domains.has(this.domain(name))) refuse(name, "its domain is a site too");
    }
  }

  // problems are the reasons why rules of the list are not applied.
  get problems() {
    const problems = this.sites.map((site) => site.problem).filter((problem) => problem !== null);
    if (this.lacksHost) problems.push(NEEDS_HOST);
    return problems;
  }

  // lacksHost reports whether there are rules of the site without a name, and no host is named.
  get lacksHost() {
    return this.host === "" && this.hosts.get("")?.rules.rules.length > 0;
  }

  // needsHost reports whether the only rules that may be those of an absolute URL are of the site
  // without a name, and no host is named. Such a URL is left alone.
  needsHost(url) {
    const places = this.lacksHost && !isRelative(url) ? split(url) : null;
    if (places === null) return false;
    const [begin, end] = places, host = hostOf(url.slice(begin, end), defaultPort(url.slice(0, begin)));
    return host !== null && this.siteOf(host) === undefined;
  }

  // size is the number of rules.
  get size() {
    return this.sites.reduce((sum, site) => sum + site.rules.rules.length, 0);
  }

  add({ name, byDomain, hosts, rules, problem }, domain) {
    const several = byDomain || hosts.length > 0;
    if (name === "" ? several : hosts.length === 0 && hostOf(name) !== name) refuse(name, "its name is no host in normal form");
    if (byDomain && hosts.length === 0 && this.domain(name) !== name) refuse(name, "its name is not a registrable domain");
    if (byDomain && hosts.length === 0 && domain === undefined) {
      problem ??= `site ${JSON.stringify(name)} is by domain, and no function gives the domains of hosts`;
      rules = [];
    }
    const site = { name, byDomain, hosts, several, problem, rules: new Site(rules) };
    if (hosts.length > 0) this.addGroup(site);
    else (byDomain ? this.domains : this.hosts).set(name, site);
    return site;
  }

  addGroup(site) {
    this.groups.names.set(site.name, site);
    for (const host of site.hosts) {
      const all = host.startsWith("*."), into = all ? this.groups.below : this.groups.exact;
      const name = hostOf(all ? host.slice(2) : host);
      if (name === null || withoutPort(name) !== name) refuse(site.name, `${JSON.stringify(host)} is not the name of a host`);
      if ((into.get(name) ?? site) !== site) refuse(site.name, `${JSON.stringify(host)} is in another group too`);
      into.set(name, site);
    }
  }

  // groupOf returns the group of a host, or undefined.
  groupOf(host) {
    const { names, exact, below } = this.groups;
    if (names.size === 0) return undefined;
    const name = withoutPort(host), found = names.get(name) ?? exact.get(name);
    if (found !== undefined) return found;
    for (let at = name.indexOf("."); at >= 0; at = name.indexOf(".", at + 1)) {
      const pattern = below.get(name.slice(at + 1));
      if (pattern !== undefined) return pattern;
    }
    return undefined;
  }

  siteOf(host) {
    const own = this.groupOf(host) ?? this.hosts.get(host);
    if (own !== undefined) return own;
    const byDomain = this.domains.size > 0 ? this.domains.get(this.domain(host)) : undefined;
    return byDomain ?? (host === this.host ? this.hosts.get("") : undefined);
  }

  // originOf returns the site of the rules for a URL with a scheme and authority, or null if
  // the URL is left alone.
  originOf(url) {
    if (isRelative(url)) return this.relative;
    const places = split(url);
    if (places === null) return null;
    const [begin, end] = places, key = url.slice(0, end);
    let origin = this.origins.get(key);
    if (origin === undefined) {
      if (this.origins.size >= MAX_ORIGINS) this.origins.clear();
      this.origins.set(key, (origin = this.newOrigin(key, begin)));
    }
    return origin;
  }

  newOrigin(text, begin) {
    const scheme = text.slice(0, begin), host = hostOf(text.slice(begin), defaultPort(scheme));
    if (host === null) return null;
    return this.newPlace(text, scheme, host);
  }

  // newRelative returns what newOrigin returns, for relative URLs. They have no scheme.
  newRelative() {
    return this.newPlace("", "", this.host);
  }

  newPlace(text, scheme, host) {
    const site = this.siteOf(host);
    return site === undefined || site.rules.rules.length === 0 ? null : { text, scheme, host, site, before: site.several ? host : "" };
  }

  // switch switches the rules of an id off or on. A rule that is off edits nothing.
  switch(id, on) {
    for (const site of this.sites) site.rules.switch(id, on);
  }

  // canonical returns the canonical form of a URL.
  canonical(url) {
    return this.trace(url).canonical;
  }

  // explain returns the steps to the canonical form of a URL: for each, the id of the rule and
  // the URL that the rule made.
  explain(url) {
    const { origin, steps } = this.trace(url);
    const before = origin === null ? "" : origin.site.several ? origin.scheme || "//" : origin.text;
    return steps.map(({ rank, text }) => ({ id: origin.site.rules.rules[rank].id, site: origin.site.name, url: before + text + fragmentOf(url) }));
  }

  // trace returns the canonical form, and the steps by rank.
  trace(url) {
    const origin = this.originOf(url);
    const text = origin === null ? null : textOf(url, origin.text.length, origin.before);
    if (text === null) return { canonical: url, origin: null, steps: [] };
    const fragment = fragmentOf(url), steps = [], made = origin.site.rules.run(text, steps);
    const place = made === text ? null : this.place(origin, made);
    if (place !== null) return { canonical: place + fragment, origin, steps };
    const plain = origin.before === "" ? text : text.slice(origin.before.length);
    return { canonical: origin.text + plain + fragment, origin, steps: [] };
  }

  // place returns the URL of a new text, or null if the text is no URL of the site.
  place({ text, scheme, host, site, before }, made) {
    const slash = made.indexOf("/");
    if (slash < 0 || (before === "" && slash > 0)) return null;
    const to = made.slice(0, slash);
    if (to === before) return scheme !== "" || isRelative(made.slice(slash)) ? text + made.slice(slash) : null;
    return scheme !== "" && hostOf(to, defaultPort(scheme)) === to && this.isWithin(to, site, host) ? scheme + made : null;
  }

  // isWithin reports whether a host belongs to the site of another host.
  isWithin(host, site, other) {
    const group = this.groupOf(host);
    return site.hosts.length > 0 ? group === site : group === undefined && this.domain(host) === this.domain(other);
  }
}
