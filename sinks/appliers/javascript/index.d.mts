/** Applies the rules that dustbuster publishes to URLs. */

/** A list: JSON lines, as text or as the bytes of UTF-8. */
export type List = string | Uint8Array;

/** Gives the registrable domain of a host without port, by the public suffix list. */
export type Domain = (host: string) => string | null | undefined;

export interface Step {
  /** The id of the rule. */
  id: string;
  site: string;
  /** The URL that the rule made. */
  url: string;
}

/** A list, applied. It does not change, but for the rules that are switched off. */
export class Rules {
  /**
   * Reads a list. Throws an Error if the list is refused, and a RangeError if host is none. Relative
   * URLs, and the rules of a log without host names, are of host. Without it, such rules apply to
   * relative URLs alone.
   */
  constructor(list: List, options?: { domain?: Domain; host?: string });
  /** The sites of the list. */
  readonly sites: readonly { readonly name: string; readonly byDomain: boolean; readonly hosts: readonly string[]; readonly problem: string | null }[];
  /** Why rules of the list are not applied. */
  readonly problems: string[];
  /** Whether an absolute URL is left alone only because nobody has named the host of the rules of a log without host names. */
  needsHost(url: string): boolean;
  /** The number of rules. */
  readonly size: number;
  canonical(url: string): string;
  /** The steps to the canonical form. */
  explain(url: string): Step[];
  /** Switches the rules of an id off, or on again. */
  switch(id: string, on: boolean): void;
}

export interface Stats {
  version: string | null;
  asked: number;
  changed: number;
  explored: number;
  /** The URLs that each rule changed, by id. */
  byRule: Record<string, number>;
}

export interface LiveOptions {
  domain?: Domain;
  /** The host of relative URLs, and of the rules of a log without host names. */
  host?: string;
  /** Of so many changed URLs one is explored; 0: none. 1,000 if absent. */
  share?: number;
  /** At least 16 bytes. Processes that share a secret explore the same URLs. */
  secret?: string;
  onChange?: (version: string) => void;
}

/** Rules that are replaced while they are used. Without a list, each URL is its own form. */
export class Live {
  constructor(options?: LiveOptions);
  /** The version of the list in use, null before the first. */
  readonly version: string | null;
  /** The rules in use, null before the first list. */
  readonly rules: Rules | null;
  /** Replaces the list. After an Error the old list stays. */
  set(list: List, version: string): void;
  /** Switches the rules of an id off, or on again, also in the lists to come. */
  switch(id: string, on: boolean): void;
  canonical(url: string): string;
  /** The canonical form, and whether to fetch the URL as found even if the form was seen. */
  ask(url: string, now?: number): { canonical: string; explore: boolean };
  stats(): Stats;
}

/** Reports whether a URL is fetched as found on the day of a time, in milliseconds. */
export function isExplored(url: string, secret: string | undefined, share?: number, now?: number): boolean;

/** Reads a source once: a file (in Node), or a daemon's address. */
export function open(live: Live, source: string, options?: { timeout?: number }): Promise<void>;

export interface FollowOptions {
  /** Milliseconds between two looks. 60,000 if absent. */
  every?: number;
  /** Milliseconds for a whole answer of a daemon. 30,000 if absent. */
  timeout?: number;
  signal?: AbortSignal;
  /** Called with each error; the old list then stays. */
  failed?: (error: Error) => void;
}

/** Reads a source again and again, until the signal aborts. */
export function follow(live: Live, source: string, options?: FollowOptions): Promise<void>;
