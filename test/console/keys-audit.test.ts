import { sql } from 'kysely';
import t from 'tap';
import { createApiKey } from '../../src/access/api-keys.js';
import { moveByStudio } from '../../src/domain/studio/bookings.js';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { changeWeek } from '../../src/domain/studio/week.js';
import { newestActions, signedIn } from '../support/console.js';
import { holdForPerson } from '../support/holds.js';
import { callerNumber, someOpenSlots } from '../support/requests.js';
import { startService } from '../support/service.js';
import type { Visitor } from '../support/visitor.js';

const service = await startService(t);
const { context } = service;
const { database } = context;

function insertKey(number: number, label?: string) {
  const email = `agent${number}@example.com`;
  return createApiKey(context, callerNumber(number), { email, ...(label && { label }) });
}

/** All pages from the newest on: the texts of what matches, page by page. */
async function everyPage(person: Visitor, path: string, selector: string): Promise<string[][]> {
  await person.open(path);
  const pages = [person.texts(selector)];
  while (person.$('a[rel=next]').length > 0) {
    await person.follow('Older');
    pages.push(person.texts(selector));
  }
  return pages;
}

t.test('a key is revoked in three presses, once, under the name of the session', async (t) => {
  const { id, key } = await insertKey(100, 'Desk');
  const [ada, grace] = [await signedIn(service), await signedIn(service, 'Grace')];
  await grace.follow('Keys');
  const before = ada.presses;
  await ada.follow('Keys');
  t.match(ada.text('.rows'), /agent100@example\.com.*Desk.*never used/);
  t.notMatch(ada.answer.body, key);
  await ada.press('Revoke the key of agent100@example.com');
  t.equal(ada.path, '/console/keys?done=revoked');
  t.equal(ada.presses - before, 3);
  t.match(ada.text('.rows'), /revoked \w+ \d+/);

  await grace.press('Revoke the key of agent100@example.com');
  t.match(grace.text('[role=alert]'), /Nothing was done.*revoked before/);
  const actions = await newestActions(service, 100);
  const revocations = actions.filter(({ action }) => action === 'keys revoke');
  t.match(revocations, [{ actor: /^Ada \(console/, details: { api_key_ids: [id] } }]);
  t.equal(revocations.length, 1);
  t.notMatch(service.logLines.join(''), 'agent100@example.com');
});

t.test('keys stand newest first; older ones are revoked where they stand', async (t) => {
  await database.deleteFrom('api_keys').execute();
  for (let number = 0; number < 52; number += 1) await insertKey(number);
  // Those that are made in one millisecond would stand in the order of their random ids.
  await sql`update api_keys set created_at = created_at
    + make_interval(secs => substring(email from '\\d+')::integer)`.execute(database);
  const ada = await signedIn(service);
  const pages = await everyPage(ada, '/console/keys', '.rows > li bdi');
  const emails = Array.from({ length: 52 }, (_, index) => `agent${51 - index}@example.com`);
  t.strictSame(pages, [emails.slice(0, 50), emails.slice(50)]);
  await ada.press('Revoke the key of agent0@example.com');
  t.match(ada.path, /^\/console\/keys\?before=.*&done=revoked$/);
  const revoked = await database
    .selectFrom('api_keys')
    .select('email')
    .where('revoked_at', 'is not', null)
    .execute();
  t.strictSame(revoked, [{ email: 'agent0@example.com' }]);
});

t.test('the audit is one press away, says who did what, and leads to the booking', async (t) => {
  const ada = await signedIn(service);
  const { id } = await holdForPerson(service);
  const [slot] = await someOpenSlots(context, 1);
  await moveByStudio(context, 'ada@desk', id, slot!);
  await cancelByStudio(context, 'ada@desk', id, { reason: null, sequence: null });
  const hours = { opens: '08:00', closes: '22:00' };
  await changeWeek(context, 'ada@desk', { weekdays: [2], hours });
  const before = ada.presses;
  await ada.follow('Audit');
  t.equal(ada.presses - before, 1);
  t.match(ada.texts('.audit > li').slice(0, 4), [
    /ada@desk.*Changed hours.*tuesday opens 08:00 closes 22:00/,
    /Cancelled a booking\s*Ada Park · was: held/,
    /Moved a booking\s*Ada Park · from: \w{3}, .*– .*M · to: \w{3}, .*– .*M$/,
    /Ada \(console [0-9a-f]{8}\).*Signed in/,
  ]);
  t.notMatch(ada.text('.audit'), id.slice(0, 8));
  await ada.follow('Ada Park');
  t.equal(ada.path, `/console/bookings/${id}`);
});

t.test('all changes are shown, each once, newest first', async (t) => {
  const ada = await signedIn(service);
  const desks = Array.from({ length: 120 }, (_, number) => ({
    occurred_at: new Date('2025-06-01T12:00:00Z'),
    actor: `desk ${number}`,
    action: 'mail resend' as const,
    details: '{}',
  }));
  await database.insertInto('audit_log').values(desks).execute();
  const pages = await everyPage(ada, '/console/audit', '.audit > li > p:nth-child(2)');
  t.match(ada.text('.audit'), 'Jun 1, 2025');
  t.match(pages, [{ length: 50 }, { length: 50 }, {}]);
  t.strictSame(pages.flat().slice(0, 120), desks.map(({ actor }) => actor).reverse());
  for (const before of ['x', '-1', '1e9', '99999999999999999999']) {
    await ada.open(`/console/audit?before=${before}`);
    t.equal(ada.$('.audit > li').length, 50, 'what is no position shows the newest');
    t.match(ada.text('.audit'), 'desk 119');
  }
});
