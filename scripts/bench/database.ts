import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, PostgresDialect, type CompiledQuery } from 'kysely';
import pg from 'pg';
import { withClient } from '../../src/database/client.js';
import { startEmbeddedPostgres } from '../../src/database/embedded/server.js';
import type { Database } from '../../src/database/rows/schema.js';
import { createLogger } from '../../src/platform/log.js';
import { holdStatements, type NewHold } from '../../src/repositories/holds.js';
import { atEnd, temporaryFolder } from './processes.js';

/** The connection string of the embedded server of a running service. */
export async function connectionStringOf(dataDir: string): Promise<string> {
  const password = (await readFile(join(dataDir, 'postgres-password'), 'utf8')).trim();
  const socket = await realpath(join(dataDir, 'socket'));
  return `postgres://booking:${password}@/booking?host=${encodeURIComponent(socket)}`;
}

/** The process id of the embedded server. */
export async function postmasterOf(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'));
}

/** Starts a PostgreSQL server without a service; its data have `settings` of PostgreSQL. */
export async function startPostgres(settings: Record<string, string> = {}) {
  const dataDir = join(await temporaryFolder(), 'data');
  const postgres = await startEmbeddedPostgres({ dataDir, log: createLogger('error'), settings });
  atEnd(() => postgres.stop());
  return {
    dataDir,
    /** For the services on it. */
    environment: {
      DATABASE_URL: postgres.connectionString,
      SECRET_KEY: secretKey,
    },
  };
}

export const secretKey = 'a secret of the benchmark, of enough length';

/** Works directly on the embedded database of a running service. */
export async function withDatabase<Result>(
  { dataDir }: { dataDir: string },
  work: (database: pg.Client) => Promise<Result>,
): Promise<Result> {
  return withClient({ connectionString: await connectionStringOf(dataDir) }, work);
}

/**
 * A pgbench script of the statements that hold a slot, compiled by the repository, with a counter in
 * place of the date and of the token's hash.
 */
export function pgbenchOfHolds(): string {
  const compiler = new Kysely<Database>({ dialect: new PostgresDialect({ pool: new pg.Pool() }) });
  const caps = {
    pendingOfStudio: 1_000_000,
    pendingInCommon: 1_000_000,
    pendingOfCaller: 1_000_000,
    liveOfPerson: 1_000_000,
    isCodeRequired: false,
    liveOfCaller: 1_000_000,
    platform: null,
    sessionHours: 4,
  };
  return [
    '\\set day random(0, 1000000000)',
    'begin;',
    ...holdStatements(compiler, exampleHold, caps).map(
      // On one line, a comment would hide the rest.
      ({ query }) => `${withLiterals(query).replace(/--.*$/gm, '').replace(/\s+/g, ' ')};`,
    ),
    'commit;',
  ].join('\n');
}

function withLiterals({ sql, parameters }: CompiledQuery): string {
  return sql.replace(/\$(\d+)/g, (_placeholder, number: string) => {
    const value = parameters[Number(number) - 1];
    if (value === exampleHold.date) return `(date '2030-01-01' + (:day % 1000000)::integer)`;
    if (value instanceof Date) {
      return `(timestamptz '${value.toISOString()}' + (:day % 1000000)::integer * interval '1 day')`;
    }
    if (value === exampleHold.checkoutTokenHash) return `sha256(:day::text::bytea)`;
    if (value === null) return 'null';
    if (typeof value === 'number') return String(value);
    if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
    if (Array.isArray(value)) {
      return `array[${value.map((each: Buffer) => `'\\x${each.toString('hex')}'`).join()}]`;
    }
    return `'${String(value)}'`;
  });
}

const exampleHold: NewHold = {
  date: '2029-12-31',
  timeSlot: '1:00 PM',
  startsAt: new Date('2030-01-01T21:00:00Z'),
  startsAtText: '2030-01-01T13:00:00-08:00',
  endsAt: new Date('2030-01-02T01:00:00Z'),
  endsAtText: '2030-01-01T17:00:00-08:00',
  ends: [],
  timezone: 'America/Los_Angeles',
  label: 'Tuesday, January 1, 2030 at 1:00 PM',
  lifetimeSeconds: 900,
  channel: 'rest',
  platform: null,
  name: 'Ada Park',
  email: 'ada@example.com',
  phone: '5555550142',
  pronouns: null,
  language: null,
  idea: null,
  callerNetworkHashes: [Buffer.alloc(32, 5)],
  apiKeyId: null,
  checkoutTokenHash: Buffer.alloc(32, 2),
  checkoutTokenSealed: Buffer.alloc(76, 3),
  isOnlyArtist: true,
  placers: { networkHashes: [Buffer.alloc(32, 5)], apiKeyIds: [] },
  idempotencyScope: null,
  idempotencyKey: null,
  requestHash: Buffer.alloc(32, 4),
  formNonceHash: null,
  replaced: null,
  artistId: null,
  handover: { city: 'Portland', proof: 'link' },
  artistCap: null,
};
