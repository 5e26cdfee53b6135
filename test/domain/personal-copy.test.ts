import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { load } from 'cheerio';
import { sql } from 'kysely';
import t from 'tap';
import { createApiKey } from '../../src/access/api-keys.js';
import { retentionDays } from '../../src/config/limits.js';
import { dataInventory, type InventoriedColumn } from '../../src/database/data-inventory.js';
import type { PersonalCopy } from '../../src/database/rows/results.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { noteBooking } from '../../src/domain/studio/clients.js';
import { copyPersonalData } from '../../src/domain/studio/personal-copy.js';
import { forgetPerson } from '../../src/domain/studio/personal-data.js';
import { listAuditRows } from '../../src/repositories/audit.js';
import { personalCopyPage } from '../../src/views/personal-copy-page.js';
import { addPerson } from '../support/console.js';
import { sessionForPerson } from '../support/holds.js';
import { insertCode, insertMail } from '../support/mail-rows.js';
import { projectRoot } from '../support/project.js';
import { callerNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const actor = 'grace@desk';
const email = 'Ada@Example.com';
/** Of whoever made the key. */
const keyLabel = 'words of somebody else';
const note = 'Wants the heron to look left <b>& up</b>';
const trace = `00-${'a1'.repeat(16)}-${'b2'.repeat(8)}-01`;
const other = '11111111-2222-4333-8444-555555555555';

const service = await startService(t, generous);
const { context } = service;
const { database } = context;

/** A confirmed session with rows in every table of the copy, and a cancelled one. */
async function bookEverything(): Promise<string> {
  const [slot] = await someOpenSlots(context, 1);
  const cancelled = await addPerson(service, slot!, { name: 'Ada', email });
  await cancelByStudio(context, actor, cancelled.id, { reason: 'The artist is ill' });
  const { id } = await sessionForPerson(
    { context },
    { email, pronouns: 'they/them', idea: 'A heron' },
  );
  const key = await createApiKey(context, callerNumber(1), {
    email: 'ADA@example.com',
    label: keyLabel,
  });
  await noteBooking(context, actor, id, { note, seen: '' });
  await sql`
    update bookings set code_proven_at = booking_now(), platform = 'claude', api_key_id = ${key.id}, studio_word = 'See you soon',
      idempotency_scope = '\\x5c09e5c0', idempotency_key = 'key-of-the-request',
      current_token_sealed = '\\x5ea15ea1'
    where id = ${id}`.execute(database);
  await insertMail(context, id, { recipient: 'studio', status: 'pending' });
  await insertCode(context, id);
  await sql`
    insert into booking_conflicts select id, starts_at, booking_now() from bookings
    where id = ${id}`.execute(database);
  await sql`
    insert into calendar_feeds (token_hash, label, has_details, created_at)
    values ('\\xfeedfeed', 'Grace’s phone', true, booking_now())`.execute(database);
  await sql`update events set webhook_body = '{"type":"told"}', trace_context = ${trace}
    where booking_id = ${id}`.execute(database);
  await sql`
    with subscription as (
      insert into webhook_subscriptions
        (url, target_host, events, signing_secret_sealed, manage_token_hash, caller_hash, created_at)
      values ('https://hooks.example/secret-path', 'hooks.example', '{hold.created}', '', '', '', booking_now())
      returning id
    )
    insert into webhook_deliveries (event_id, subscription_id, next_attempt_at, attempts,
      last_attempt_at, last_status_code, last_error)
    select events.id, subscription.id, booking_now(), 1, booking_now(), 503, 'status'
    from events, subscription
    where booking_id = ${id}`.execute(database);
  // What also names bookings of others.
  await sql`
    insert into events (type, booking_id, occurred_at, data) values ('booking.conflict', ${id},
      booking_now(), ${JSON.stringify({ label: 'left', left_undecided: [id, other], instead_of: other })})`.execute(
    database,
  );
  await sql`
    insert into audit_log (occurred_at, actor, action, details) values (booking_now(), ${actor},
      'info set', ${JSON.stringify({ changed: ['street'], changed_bookings: [id, other], with: { id: other } })})`.execute(
    database,
  );
  return id;
}

async function copyOf(whose: { email: string } | { id: string }): Promise<PersonalCopy> {
  const copy = await copyPersonalData(context, actor, whose);
  if (copy === null) throw new Error('nothing is kept');
  return copy;
}

t.test(
  'the inventory has every table, and every column of those that are of a person',
  async (t) => {
    const { rows } = await sql<{
      table: keyof typeof dataInventory;
      columns: string[];
      hashes: string[] | null;
    }>`
    select table_name as table, array_agg(column_name::text order by column_name) as columns,
      array_agg(column_name::text) filter (where data_type = 'bytea') as hashes
    from information_schema.columns
    where table_schema = current_schema() and table_name not like 'kysely%'
    group by table_name`.execute(database);
    const inventory = Object.entries(dataInventory).map(([table, columns]) => [
      table,
      columns && Object.keys(columns).sort(),
    ]);
    const found = rows.map(({ table, columns }) => [table, dataInventory[table] && columns.sort()]);
    t.strictSame(Object.fromEntries(inventory), Object.fromEntries(found));
    for (const { table, hashes } of rows) {
      const columns: Record<string, InventoriedColumn> | null = dataInventory[table];
      for (const name of hashes ?? []) t.not(columns?.[name]?.copied, 'value', `${table}.${name}`);
    }
  },
);

t.test('privacy.md names each table of which a copy is made, and for how long', async (t) => {
  const guide = await readFile(join(projectRoot, 'scripts/operations/privacy.md'), 'utf8');
  const [, kept = ''] = guide.split('## What is kept, where and for how long');
  for (const [table, columns] of Object.entries(dataInventory)) {
    if (columns !== null) t.match(kept, `\`${table}\``);
  }
  t.match(kept, `${retentionDays.mails} days after it was sent`);
  t.match(kept, `${retentionDays.webhooks} days after the last attempt`);
});

/** What no copy has: work of the service, and what is said by the row that it stands in. */
const leftOut = [
  'position',
  'booking_id',
  'claimed_until',
  'calendar_id',
  'actor',
  'artist_id',
  'may_overlap',
];
/** Besides hashes and what is encrypted. */
const secrets = ['idempotency_key', 'trace_context'];

t.test('a copy has every value that a row has of the person, and no secret', async (t) => {
  const id = await bookEverything();
  const copy = await copyOf({ email: ' ADA@example.com' });
  const [, booking = {}] = copy.bookings;
  const { not_checked: notChecked } = copy;
  const page = personalCopyPage(copy);
  const shown = load(page)('body').text();
  const text = JSON.stringify(copy);

  const ofBooking = sql`booking_id = ${id}`;
  const ofEvents = sql`event_id in (select id from events where ${ofBooking})`;
  const named = sql`(details @> ${JSON.stringify({ booking_id: id })}
    or details @> ${JSON.stringify({ changed_bookings: [id] })})`;
  const tables = [
    ['bookings', sql`lower(email) = 'ada@example.com' order by created_at`, copy.bookings],
    ['events', sql`${ofBooking} order by position`, booking['events']],
    [
      'audit_log',
      sql`${named} and action <> 'bookings copy' order by position`,
      booking['audit_log'],
    ],
    ['mails', sql`${ofBooking} order by position`, booking['mails']],
    ['webhook_deliveries', sql`${ofEvents} order by id`, booking['webhook_deliveries']],
    ['booking_conflicts', ofBooking, booking['booking_conflicts']],
    ['api_keys', sql`true`, notChecked.api_keys],
  ] as const;
  for (const [table, condition, copied] of tables) {
    const { rows } = await sql<Record<string, unknown>>`
      select * from ${sql.table(table)} where ${condition}`.execute(database);
    const copies = copied as Record<string, unknown>[];
    t.ok(rows.length > 0 && rows.length === copies.length, `${table}: ${rows.length} rows`);
    for (const [index, row] of rows.entries()) {
      for (const [column, value] of Object.entries(row)) {
        const name = `${table}.${column}`;
        if (value === null || leftOut.includes(column)) continue;
        if (name === 'api_keys.label') continue;
        if (Buffer.isBuffer(value) || secrets.includes(column)) {
          t.equal(copies[index]?.[column], 'kept, not shown', name);
          const forms = Buffer.isBuffer(value)
            ? (['hex', 'base64', 'base64url'] as const).map((form) => value.toString(form))
            : [String(value)];
          for (const form of forms) t.notOk(form !== '' && `${text}${page}`.includes(form), name);
        } else if (column !== 'data' && column !== 'details') {
          t.strictSame(copies[index]?.[column], value, name);
          if (typeof value === 'string') t.ok(shown.includes(value), `${name} on the page`);
        }
      }
    }
  }
  t.match(booking, {
    held_with_key: undefined,
    is_erased: false,
    details_kept_until: Date,
    calendar_feeds: [{ label: 'Grace’s phone', has_details: true }],
  });
  t.match(booking['webhook_deliveries'], [{ sent_to: 'hooks.example' }]);
  t.match(booking['events'], [{ data: { label: String } }]);
  t.match(booking['audit_log'], [
    { action: 'bookings note' },
    { details: { changed: ['street'] } },
  ]);
  for (const secret of [other, actor, 'secret-path', 'tsk_', keyLabel]) t.notMatch(text, secret);
  t.match(page, 'look left &lt;b>&amp; up', 'what was typed is text');
  t.notMatch(page, /<script|<img|https?:\/\/[^"]*\.(css|js)/i);

  const [action] = await listAuditRows(database, 1);
  t.strictSame(
    [action?.actor, action?.action, action?.details],
    [actor, 'bookings copy', { bookings: 2, api_keys: 1 }],
  );
});

t.test('what nobody has proven to be theirs stands apart, as not checked', async (t) => {
  const stranger = 'stranger@example.com';
  const held = await sessionForPerson(service, { email: stranger, idea: 'Words of a stranger' });
  const [slot] = await someOpenSlots(context, 1);
  const added = await addPerson(service, slot!, { name: 'Ada', email: stranger });
  const ids = (rows: Record<string, unknown>[]) => rows.map(({ id }) => id);
  const copy = await copyOf({ email: stranger });
  t.strictSame(ids(copy.bookings), [added.id], 'the studio has booked it');
  t.strictSame(ids(copy.not_checked.bookings), [held.id]);
  const [checked, notChecked = ''] = personalCopyPage(copy).split('In your name, not checked');
  t.notMatch(checked, 'Words of a stranger');
  t.match(notChecked, 'Words of a stranger');
  t.match(notChecked, 'Somebody else may have written this');

  const proven = sql`update bookings set code_proven_at = booking_now() where id = ${held.id}`;
  await proven.execute(database);
  const after = await copyOf({ id: held.id });
  t.strictSame([ids(after.bookings), after.not_checked.bookings], [[held.id], []]);
  t.notMatch(personalCopyPage(after), '<h2>In your name');
});

t.test('a copy is of one person: not of others with the same phone', async (t) => {
  const [one, two, three] = await someOpenSlots(context, 3);
  const phone = '5035550199';
  await addPerson(service, one!, { name: 'Mary', email: 'mary@example.com', phone });
  const child = await addPerson(service, two!, { name: 'Nora', email: 'nora@example.com', phone });
  await addPerson(service, three!, { name: 'Mary again', email: 'MARY@example.com', phone });
  const names = ({ bookings }: PersonalCopy) => bookings.map(({ name }) => name);
  t.strictSame(names(await copyOf({ email: 'mary@Example.com' })), ['Mary', 'Mary again']);
  const single = await copyOf({ id: child.id });
  t.strictSame(names(single), ['Nora']);
  t.match((await listAuditRows(database, 1))[0]?.details, { booking_id: child.id });

  await forgetPerson(context, actor, { email: 'nora@example.com' }, { cancelBookings: true });
  const audited = await listAuditRows(database, 1);
  t.equal(await copyPersonalData(context, actor, { email: 'nora@example.com' }), null);
  t.strictSame(await listAuditRows(database, 1), audited, 'of nothing, nothing is recorded');
  const erased = await copyOf({ id: child.id });
  t.match(erased.bookings, [{ is_erased: true, name: null, details_kept_until: null }]);
  t.match(personalCopyPage(erased), 'The personal data of this booking are erased.');
  t.notMatch(JSON.stringify(erased), /Nora|5035550199/);
});
