import type { Test } from 'tap';
import { placeHold } from '../../src/domain/booking/holds.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import type { Service } from '../../src/service.js';
import { confirmCheckout } from './checkouts.js';
import { createTestDatabase } from './database.js';
import { query } from './embedded.js';
import { freePort } from './process.js';
import { callerNumber, holdRequest, someOpenSlots } from './requests.js';
import { generous } from './service.js';

export async function environmentOf(dataDir: string) {
  return { ...generous, DATA_DIR: dataDir, PORT: String(await freePort()) };
}

/** A migrated, empty database on a server, and a secret key of its own. */
export async function environmentOnServer(t: Test, secret: string) {
  const { connectionString } = await createTestDatabase(t);
  return {
    ...generous,
    DATABASE_URL: connectionString,
    SECRET_KEY: secret.padEnd(32, '.'),
    PORT: String(await freePort()),
  };
}

/** Text with every character that the format escapes. */
const escapable = 'tab\t, back\\slash, \\N, \\., quote " and \' é 漢 🖋\nsecond line\r\n\\.\n';

/** Fills the service with a booking in each state. Returns the path of a checkout link and its slot. */
export async function fill({ context }: Service): Promise<{ path: string; key: string }> {
  const slots = await someOpenSlots(context, 3);
  const place = (index: number) =>
    placeHold(
      context,
      callerNumber(index),
      holdRequest(slots[index]!, { name: escapable.trim(), idea: escapable }),
      `key ${index}`,
    );
  const [confirmed, cancelled, pending] = [await place(0), await place(1), await place(2)];
  await confirmCheckout(context, confirmed.checkoutToken);
  await cancelByStudio(context, 'ada@desk', cancelled.booking.id);
  await context.database
    .insertInto('closures')
    .values({ from_date: '2030-01-01', to_date: '2030-01-02', time_slot: null, reason: escapable })
    .execute();
  await context.database
    .insertInto('openings')
    .values({ date: '2030-01-07', time_slot: '1:00 PM', created_at: new Date() })
    .execute();
  const key = `${slots[2]!.date} ${slots[2]!.timeSlot}`;
  return { path: `/checkout/${pending.checkoutToken}`, key };
}

/** Every row of every table of the service, as text: `bookings` → its rows, sorted. */
export async function everyRow(connectionString: string): Promise<Record<string, string[]>> {
  const tables = await query<{ name: string }>(
    connectionString,
    `select tablename as name from pg_tables
      where schemaname = 'public' and tablename not like 'kysely%' order by tablename`,
  );
  const rows: Record<string, string[]> = {};
  for (const { name } of tables) {
    const found = await query<{ row: string }>(
      connectionString,
      `select ${name}::text as row from ${name} order by 1`,
    );
    rows[name] = found.map(({ row }) => row);
  }
  return rows;
}
