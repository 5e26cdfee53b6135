import { LRUCache } from 'lru-cache';
import pTimeout from 'p-timeout';
import type { DatabaseServices } from '../database/services.js';
import { findApiKey, recordApiKeyUses, revocationChannel } from '../repositories/api-keys.js';
import { sha256 } from '../secrets/keyring.js';
import { isCredential } from '../secrets/tokens.js';

/** Resolves API keys to their ids, from memory where possible. */
export interface ApiKeyDirectory {
  /**
   * The id of an API key; null if it is unknown, malformed or revoked: the caller is then anonymous. A
   * cached key needs no query.
   */
  identify(key: string, address: string): string | null | Promise<string | null>;
  /** Writes `last_used_at`; also every 30 seconds and on `close`. */
  recordUses(): Promise<void>;
  close(): Promise<void>;
}

interface KnownKey {
  id: string;
  /** A time of `clock.own()`. */
  readAt: number;
}

/** Unknown keys sent by an address within a window. */
interface UnknownKeys {
  count: number;
  endsAt: number;
}

const capacity = 10_000;
const recordIntervalMs = 30_000;
/** How long a cached key is used while revocations are not received. */
const trustWithoutListenerMs = 1_000;
const maximumUnknownKeys = 10;
const lookupWindowMs = 60_000;
const lookupTimeoutMs = 500;

export function createApiKeyDirectory({
  database,
  listener,
  clock,
  log,
}: Pick<DatabaseServices, 'database' | 'listener' | 'clock' | 'log'>): ApiKeyDirectory {
  const known = new LRUCache<string, KnownKey>({ max: capacity });
  const unknown = new LRUCache<string, true>({ max: capacity });
  const unknownByAddress = new LRUCache<string, UnknownKeys>({ max: capacity });
  const lookups = new Map<string, Promise<string | null>>();
  let uses = new Map<string, number>();
  /** Incremented by each revocation: lookups begun before may be outdated. */
  let revision = 0;

  const unsubscribe = listener.subscribe(revocationChannel, {
    notified(id) {
      revision += 1;
      for (const [key, entry] of known) if (entry.id === id) known.delete(key);
    },
    // Revocations may have been missed before.
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
    // Counted before the lookup, so that concurrent lookups count, too.
    if (entry === undefined && !countLookup(address)) return null;
    return startLookup(key, entry === undefined ? () => uncountLookup(address) : () => undefined);
  }

  function isTrusted(entry: KnownKey): boolean {
    return listener.isConnected() || clock.own() - entry.readAt < trustWithoutListenerMs;
  }

  function use(id: string): string {
    uses.set(id, clock.now());
    return id;
  }

  function startLookup(key: string, uncount: () => void): Promise<string | null> {
    const lookup = lookUp(key, uncount).finally(() => lookups.delete(key));
    lookups.set(key, lookup);
    return lookup;
  }

  async function lookUp(key: string, uncount: () => void): Promise<string | null> {
    const before = revision;
    let id: string | null;
    try {
      id = await pTimeout(findApiKey(database, sha256(key)), { milliseconds: lookupTimeoutMs });
    } catch (error) {
      log.warn({ err: error }, 'an API key could not be looked up');
      uncount();
      return fromCache(key);
    }
    if (id === null) {
      unknown.set(key, true);
      known.delete(key);
      return null;
    }
    uncount();
    if (revision === before) known.set(key, { id, readAt: clock.own() });
    return use(id);
  }

  /** While the database is unavailable, a cached key stays valid; any other caller is anonymous. */
  function fromCache(key: string): string | null {
    const entry = known.get(key);
    if (entry === undefined) return null;
    entry.readAt = clock.own();
    return use(entry.id);
  }

  /** Counts a lookup against the address; false if its limit is reached. */
  function countLookup(address: string): boolean {
    const now = clock.own();
    let record = unknownByAddress.get(address);
    if (record === undefined || record.endsAt <= now) {
      record = { count: 0, endsAt: now + lookupWindowMs };
      unknownByAddress.set(address, record);
    }
    if (record.count >= maximumUnknownKeys) return false;
    record.count += 1;
    // At the limit, the window restarts: the address is blocked for a whole window.
    if (record.count === maximumUnknownKeys) record.endsAt = now + lookupWindowMs;
    return true;
  }

  function uncountLookup(address: string): void {
    const record = unknownByAddress.get(address);
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
      log.warn({ err: error }, 'last uses of API keys could not be written; retried later');
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
