import t from 'tap';
import { forgetPerson } from '../../src/domain/studio/personal-data.js';
import { reminderToken } from '../../src/secrets/links.js';
import { bookingRow } from '../support/bookings.js';
import { pressOn } from '../support/forms.js';
import { holdForPerson, sessionForPerson } from '../support/holds.js';
import { generous, startService } from '../support/service.js';
import { visitor } from '../support/visitor.js';

const service = await startService(t, generous, { isReachable: true });
const { app, context } = service;

async function confirmed(email: string) {
  const { id } = await sessionForPerson(service, { email });
  return {
    id,
    path: `/reminders/${reminderToken(context.keyring, await bookingRow(context, id))}`,
  };
}

const stoppedAt = async (id: string) => (await bookingRow(context, id)).reminders_stopped_at;
const isStopped = async (id: string) => (await stoppedAt(id)) !== null;

t.test('one press stops reminders and another takes it back', async (t) => {
  const { id, path } = await confirmed('ada@example.com');
  const person = visitor(service);
  await person.open(path);
  t.notOk(await isStopped(id), 'opening it does nothing');
  for (const [button, shown] of [
    ['Stop reminders', 'We no longer remind a•••@example.com of sessions by e-mail.'],
    ['Remind me again', 'We remind a•••@example.com of sessions by e-mail.'],
  ] as const) {
    await person.press(button);
    t.match(person.text('main'), shown);
    t.equal(person.path, path);
    t.equal(await isStopped(id), button === 'Stop reminders');
  }
});

t.test('it applies to every booking of the mailbox, later ones too, and to no other', async (t) => {
  const { path, id } = await confirmed('ada@gmail.com');
  const same = await confirmed('A.da@gmail.com');
  const other = await confirmed('bao@gmail.com');
  const pending = await holdForPerson(service);
  await pressOn(service, path, 'stop');
  const at = await stoppedAt(id);
  const stopped = await Promise.all([id, same.id, other.id, pending.id].map(isStopped));
  t.strictSame(stopped, [true, true, false, false]);

  const twice = await pressOn(service, path, 'stop');
  t.match(twice, { statusCode: 303, headers: { location: path } });
  t.strictSame(await stoppedAt(id), at, 'the first press counts');
  t.match(await app.inject(same.path), { body: /No more reminders/ });
  const later = await confirmed('ad.a+tattoo@gmail.com');
  t.match(await app.inject(later.path), { body: /No more reminders/ });
  await pressOn(service, later.path, 'resume');
  t.strictSame(await Promise.all([id, same.id].map(isStopped)), [false, false]);
});

t.test('a foreign post, an unknown link and a forgotten person change nothing', async (t) => {
  const { path, id } = await confirmed('grace@example.com');
  for (const origin of [undefined, 'https://evil.example']) {
    const headers = { accept: undefined, origin };
    t.equal((await pressOn(service, path, 'stop', { headers })).statusCode, 403);
  }
  t.equal((await pressOn(service, path, 'cancel')).statusCode, 400);
  const wrong = `/reminders/${path.at(-1)}${path.slice(-42)}`;
  const truncated = ['/reminders', '/reminders/', '/reminders/unknown'];
  for (const url of [...truncated, wrong, `${path}/more`]) {
    const unknown = await app.inject({ url, headers: { accept: 'text/html' } });
    t.match(unknown, { statusCode: 404, body: /We do not know this link/ }, url);
  }
  t.equal((await pressOn(service, '/reminders/unknown', 'stop')).statusCode, 404);
  t.notOk(await isStopped(id));

  const headers = { 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' };
  const head = await app.inject({ method: 'HEAD', url: path });
  t.match(head, { statusCode: 200, body: '', headers });
  const deleted = await app.inject({ method: 'DELETE', url: path });
  t.match(deleted, { statusCode: 405, headers: { allow: 'GET, HEAD, POST' } });

  await forgetPerson(context, 'test', { id }, { cancelBookings: true });
  const forgotten = await app.inject(path);
  t.match(forgotten, { statusCode: 200, body: /have been erased/ });
  t.notMatch(forgotten.body, /<button/);
  t.equal((await pressOn(service, path, 'stop')).statusCode, 303);
  t.notOk(await isStopped(id));
});
