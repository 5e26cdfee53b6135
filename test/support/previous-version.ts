import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Test } from 'tap';
import { type Slot, slotStartsAt } from '../../src/schedule/slots.js';
import { bookingLabel } from '../../src/schedule/words.js';
import type { Keyring } from '../../src/secrets/keyring.js';
import { projectRoot } from './project.js';

type Row = Record<string, unknown>;

const timezone = 'America/Los_Angeles';
export const scopeOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** The statements that 2.1.1 prepares: a kept plan fails if a migration changes its columns. */
const prepared = ['lock', 'hold'];
const lockTimeoutMs = 3_000;
const lifetimeSeconds = 900;
const person = { name: 'Ada Park', email: 'ada@example.com', phone: '5555550142' };
const sessionHours = 4;
const cap = 100_000;
const dispatchLimits = [500, 20_000];

/** A process of version 2.1.1, as far as the database sees it. */
export async function connectPreviousVersion(t: Test, connectionString: string, keyring: Keyring) {
  const statements = readStatements();
  const client = new pg.Client({ connectionString, lock_timeout: lockTimeoutMs });
  await client.connect();
  t.teardown(() => client.end());

  /** Runs a statement of `test/database/released/2.1.1.sql`. */
  async function run(name: string, values: unknown[] = []): Promise<Row[]> {
    const text = statements.get(name);
    if (text === undefined) throw new Error(`no statement is named ${name}`);
    const query = prepared.includes(name) ? { name, text, values } : { text, values };
    return (await client.query<Row>(query)).rows;
  }

  async function inTransaction<Result>(work: () => Promise<Result>): Promise<Result> {
    await client.query('begin');
    try {
      const result = await work();
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  }

  return {
    run,
    inTransaction,
    /** Null if the slot is not free. */
    async hold(slot: Slot, key?: string): Promise<{ id: string; token: string } | null> {
      const token = randomBytes(32).toString('base64url');
      const { date, timeSlot } = slot;
      const { epochMs, iso } = slotStartsAt(timezone, date, timeSlot);
      const caller = randomBytes(32);
      const values = [
        ...[date, timeSlot, [caller], null, person.email, sessionHours, person.phone, sessionHours],
        ...[[caller], sessionHours, null, sessionHours],
        ...[date, timeSlot, new Date(epochMs), iso, timezone, bookingLabel(slot), lifetimeSeconds],
        ...[person.name, person.email, person.phone, null, null, caller, caller, null],
        ...[createHash('sha256').update(token).digest(), keyring.encrypt(token, 'checkout token')],
        ...[key === undefined ? null : scopeOf(key), key ?? null, randomBytes(32)],
        ...[cap, cap, cap, date, date, timeSlot],
      ];
      const [row] = await inTransaction(async () => {
        await run('lock');
        return run('hold', values);
      });
      return row!['id'] === null ? null : { id: row!['id'] as string, token };
    },
    /** Null if the booking cannot be confirmed. */
    async confirm(id: string): Promise<Row | null> {
      const [row] = await inTransaction(async () => {
        await run('lock');
        return run('confirm', [id]);
      });
      return row ?? null;
    },
    async cancel(id: string, from: 'pending' | 'confirmed'): Promise<Row | null> {
      return (await run('cancel', [id, from, 'person']))[0] ?? null;
    },
    /** Dispatches all events. Returns the ids of those that have deliveries. */
    dispatch: () =>
      inTransaction(async () => {
        const events = await run('take events', dispatchLimits);
        const ids = events.map(({ id }) => id as string);
        const [made] = await run('insert deliveries', [ids]);
        const withDeliveries = made!['eventIds'] as string[];
        const bodies = ids.map((id) => ({
          id,
          webhookBody: withDeliveries.includes(id) ? '{}' : null,
        }));
        await run('mark dispatched', [JSON.stringify(bodies)]);
        return withDeliveries;
      }),
  };
}

function readStatements(): Map<string, string> {
  const file = readFileSync(join(projectRoot, 'test/database/released/2.1.1.sql'), 'utf8');
  const [, ...sections] = file.split('\n\n-- ');
  return new Map(
    sections.map((section) => {
      const end = section.indexOf('\n');
      return [section.slice(0, end), section.slice(end)];
    }),
  );
}
