import { LRUCache } from 'lru-cache';
import pTimeout from 'p-timeout';
import type { DatabaseServices } from '../database/services.js';
import { findApiKey, recordApiKeyUses, revocationChannel } from '../repositories/api-keys.js';
import { sha256 } from '../platform/keyring.js';
import { isCredential } from '../platform/tokens.js';

/** Tells whose a request is by its API key. */
export interface ApiKeyDirectory {
  /**
   * The id of an API key, or null where it is unknown, mistyped or revoked: such a caller is
   * anonymous (contract, "Access and limits"). A key that is known costs no query.
   */
  identify(key: string, address: string): string | null | Promise<string | null>;
  /** Writes down when keys were last used. Happens by itself every half minute, and on closing. */
  recordUses(): Promise<void>;
  close(): Promise<void>;
}

interface KnownKey {
  id: string;
  /** On the process's own clock. */
  readAt: number;
}

/** The unknown keys that an address has sent since its first one. */
interface Strikes {
  count: number;
  endsAt: number;
}

const capacity = 10_000;
const recordIntervalMs = 30_000;
/** How long a key is trusted while revocations are not heard of. */
const trustWithoutListenerMs = 1_000;
const maximumUnknownKeys = 10;
const strikesLastMs = 60_000;
/** An answer to a request does not wait longer for the database than this. */
const lookupTimeoutMs = 500;

export function createApiKeyDirectory({
  database,
  listener,
  clock,
  log,
}: Pick<DatabaseServices, 'database' | 'listener' | 'clock' | 'log'>): ApiKeyDirectory {
  const known = new LRUCache<string, KnownKey>({ max: capacity });
  const unknown = new LRUCache<string, true>({ max: capacity });
  const strikes = new LRUCache<string, Strikes>({ max: capacity });
  const lookups = new Map<string, Promise<string | null>>();
  let uses = new Map<string, number>();
  /** Raised whenever something was revoked: what was read before that may be outdated. */
  let revision = 0;

  const unsubscribe = listener.subscribe(revocationChannel, {
    notified(id) {
      revision += 1;
      for (const [key, entry] of known) if (entry.id === id) known.delete(key);
    },
    // Whatever was revoked meanwhile was not heard of.
    connected() {
      revision += 1;
      known.clear();
    },
  });
  const timer = setInterval(() => void recordUses(), recordIntervalMs);
  timer.unref();

  function identify(key: string, address: string): string | null | Promise<string | null> {
    const entry = known.get(key);
    if (entry !== undefined && isTrusted(entry)) return use(entry.id);
    if (entry === undefined && (unknown.has(key) || !isCredential('tsk', key))) return null;
    const lookup = lookups.get(key);
    if (lookup !== undefined) return lookup;
    // An address pays for a lookup before it is made, so that a thousand at once are not made.
    if (entry === undefined && !strike(address)) return null;
    return startLookup(key, entry === undefined ? () => pardon(address) : () => undefined);
  }

  function isTrusted(entry: KnownKey): boolean {
    return listener.isConnected() || clock.own() - entry.readAt < trustWithoutListenerMs;
  }

  function use(id: string): string {
    uses.set(id, clock.now());
    return id;
  }

  function startLookup(key: string, pardonCaller: () => void): Promise<string | null> {
    const lookup = lookUp(key, pardonCaller).finally(() => lookups.delete(key));
    lookups.set(key, lookup);
    return lookup;
  }

  async function lookUp(key: string, pardonCaller: () => void): Promise<string | null> {
    const before = revision;
    let id: string | null;
    try {
      id = await pTimeout(findApiKey(database, sha256(key)), { milliseconds: lookupTimeoutMs });
    } catch (error) {
      log.warn({ err: error }, 'an API key could not be looked up');
      pardonCaller();
      return keepThrough(key);
    }
    if (id === null) {
      unknown.set(key, true);
      known.delete(key);
      return null;
    }
    pardonCaller();
    if (revision === before) known.set(key, { id, readAt: clock.own() });
    return use(id);
  }

  /** While the database does not answer, a known key stays known, and any other is anonymous. */
  function keepThrough(key: string): string | null {
    const entry = known.get(key);
    if (entry === undefined) return null;
    entry.readAt = clock.own();
    return use(entry.id);
  }

  /** Counts a lookup against the address; false when it had enough of them. */
  function strike(address: string): boolean {
    const now = clock.own();
    let record = strikes.get(address);
    if (record === undefined || record.endsAt <= now) {
      record = { count: 0, endsAt: now + strikesLastMs };
      strikes.set(address, record);
    }
    if (record.count >= maximumUnknownKeys) return false;
    record.count += 1;
    // From the last one on, the address waits a whole minute.
    if (record.count === maximumUnknownKeys) record.endsAt = now + strikesLastMs;
    return true;
  }

  function pardon(address: string): void {
    const record = strikes.get(address);
    if (record !== undefined && record.count > 0) record.count -= 1;
  }

  async function recordUses(): Promise<void> {
    if (uses.size === 0) return;
    const taken = uses;
    uses = new Map();
    const instants = new Map([...taken].map(([id, at]) => [id, new Date(at)]));
    try {
      await recordApiKeyUses(database, instants);
    } catch (error) {
      log.warn({ err: error }, 'the last uses of API keys could not be written; tried again later');
      uses = new Map([...taken, ...uses]);
    }
  }

  return {
    identify,
    recordUses,
    async close() {
      unsubscribe();
      clearInterval(timer);
      await recordUses();
    },
  };
}
