import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { slotKey, type Slot } from '../../src/calendar/slots.js';
import { nodeSupport } from '../../src/platform/node-support.js';
import { untilBoard } from '../support/board.js';
import { confirmedBooking, makeThings, type Held, type Things } from '../support/command-rows.js';
import { temporaryFolder } from '../support/embedded.js';
import { freePort } from '../support/process.js';
import { startReceiver } from '../support/receiver.js';
import { someOpenSlots } from '../support/requests.js';
import { generous } from '../support/service.js';
import { everyCommand, studioIn, type Studio } from '../support/studio.js';
import { startWholeService } from '../support/whole-service.js';

/** Runs every command once and checks its output; returns the commands that were run, and a file. */
async function useEveryCommand(
  t: Test,
  studio: Studio,
  things: Things,
  [free, alsoFree]: readonly [Slot, Slot],
  folder: string,
): Promise<Set<string>> {
  const used = new Set<string>();
  const run = async <Data = unknown>(command: string, ...args: string[]): Promise<Data> => {
    used.add(command);
    const outcome = await studio(...command.split(' '), ...args, '--json');
    t.equal(outcome.code, 0, `${command} ${args.join(' ')} ${outcome.stderr}`);
    return outcome.json<Data>();
  };

  const { toCancel, toForget, toMeet, toMiss, toOverlap, subscriptionId } = things;
  t.match(await run('info set', '--name', 'Studio running'), { changed: ['name'] });
  t.match(await run('info show'), { name: 'Studio running' });
  const mondays = { day: 'monday', opens: '10:00', closes: '18:00', sessions: ['1:00 PM'] };
  const set = ['mon', '--opens', '10am', '--closes', '18:00', '--sessions', '1pm'];
  t.match(await run('hours set', ...set), { week: [mondays] });
  t.match(await run('hours show'), [mondays]);

  const closed = await run<{ closure: { id: string } }>(
    'closures add',
    toMeet.date,
    '--slot',
    toMeet.timeSlot,
  );
  t.match(closed, { bookings_met: [{ id: toMeet.id, status: 'confirmed' }] });
  t.match(await run('closures list'), [{ id: closed.closure.id, from: toMeet.date }]);
  const removed = await run('closures remove', closed.closure.id.slice(0, 8), '--yes');
  t.match(removed, { removed: { id: closed.closure.id } });

  const listed = await run<{ bookings: Held[] }>(
    'bookings list',
    '--date',
    toCancel.date,
    '--status',
    'confirmed',
  );
  t.ok(listed.bookings.some((each) => each.id === toCancel.id));
  t.match(await run('bookings show', toCancel.id), { email: 'ada@example.com' });
  const { conflicts } = await run<{ conflicts: { booking: Held }[] }>('bookings conflicts');
  t.match(
    conflicts.find(({ booking }) => booking.id === toOverlap.id),
    { booking: { email: 'edith@example.com' }, busy: [{ calendar: 'Ada', starts_at: String }] },
  );
  const person = ['--name', 'Walk In', '--phone', '\u202A+1 (503) 555-0199\u202C'];
  const { added } = await run<{ added: Held }>('bookings add', free.date, free.timeSlot, ...person);
  t.match(added, { status: 'confirmed', phone: '5035550199', channel: 'studio' });
  const moved = await run('bookings move', added.id, alsoFree.date, alsoFree.timeSlot, '--yes');
  t.match(moved, {
    moved: { id: added.id, date: alsoFree.date, time_slot: alsoFree.timeSlot },
    from: { date: free.date, time_slot: free.timeSlot },
    schedule: 'open',
  });
  t.match(await run('bookings no-show', toMiss.id), { booking: { no_show_at: String } });
  const cancelled = await run('bookings cancel', toCancel.id, '--yes');
  t.match(cancelled, { cancelled: { id: toCancel.id, status: 'cancelled' } });
  const again = await studio('bookings', 'cancel', toCancel.id, '--yes', '--json');
  t.equal(again.code, 4);
  t.match(JSON.parse(again.stderr), { error: { code: 'refused', message: /already cancelled/ } });
  const whose = ['forget@example.com', '--cancel-bookings', '--yes'];
  t.match(await run('bookings forget', ...whose), { erased: 1, cancelled: [toForget.id] });

  const address = 'ada@keys.example';
  t.match(await run('keys list', '--email', address.toUpperCase()), [{ revoked_at: null }]);
  const { revoked } = await run<{ revoked: string[] }>('keys revoke', address, '--yes');
  t.match(await run('keys list', '--email', address), [{ id: revoked[0], revoked_at: String }]);
  t.equal((await studio('keys', 'revoke', revoked[0]!.slice(0, 8), '--yes')).code, 4);

  t.match(await run('platforms add', 'claude', '198.51.100.0/24'), { added: { name: 'claude' } });
  t.match(await run('platforms set', 'claude', '--holds-per-hour', '600'), {
    changed: { holds_per_hour: 600, ranges: ['198.51.100.0/24'] },
  });
  t.match(await run('platforms list'), [{ name: 'claude', holds_per_hour: 600 }]);
  t.match(await run('platforms remove', 'claude', '--yes'), { removed: { name: 'claude' } });

  t.match(await run('console link', '--name', 'Ada'), { url: /\/console\/sign-in\/tsl_/ });
  t.strictSame(await run('console sessions list'), []);
  t.match(await run('console sessions end', '--all', '--yes'), { ended: [] });
  const passkeys = await run<{ id: string }[]>('console passkeys list');
  t.ok(passkeys.some(({ id }) => id === things.passkeyId));
  const unlocked = await run('console passkeys remove', things.passkeyId.slice(0, 8), '--yes');
  t.match(unlocked, { removed: { id: things.passkeyId }, ended: [] });

  const feed = await run<{ added: { id: string } }>('calendar feed add', '--label', 'Phone');
  const listedFeeds = await run<{ id: string }[]>('calendar feed list');
  t.match(listedFeeds, [{ id: feed.added.id, label: 'Phone' }]);
  const rotated = await run('calendar feed rotate', feed.added.id, '--yes');
  t.match(rotated, { rotated: { id: feed.added.id }, url: /\/calendar\/tsf_\w+\.ics$/ });
  t.match(await run('calendar feed remove', feed.added.id.slice(0, 8), '--yes'), {
    removed: { id: feed.added.id },
  });
  const secret = 'https://127.0.0.1:1/private.ics';
  const watching = await run<{ added: { id: string } }>('calendar watch add', secret);
  t.match(watching, { added: { host: '127.0.0.1', last_error: 'connection_refused' } });
  const watched = watching.added.id;
  t.match(await run('calendar watch fetch', watched.slice(0, 8)), { fetched: { id: watched } });
  t.match(await run('calendar watch list'), [{ id: watched, read_at: null }]);
  const unwatched = await run('calendar watch remove', watched.slice(0, 8), '--yes');
  t.match(unwatched, { removed: { id: watched } });

  const subscriptions = await run<{ id: string }[]>('webhooks list');
  t.ok(subscriptions.some(({ id }) => id === subscriptionId));
  t.match(await run('webhooks disable', subscriptionId, '--yes'), { disabled: subscriptionId });
  t.match(await run('webhooks enable', subscriptionId), { enabled: subscriptionId });
  const shown = await run<{ recent_deliveries: { event_id: string }[] }>(
    'webhooks show',
    subscriptionId,
  );
  const event = shown.recent_deliveries[0]!.event_id;
  const redelivered = await run('webhooks redeliver', subscriptionId, '--event', event, '--yes');
  t.match(redelivered, { redelivered: 1, subscriptions: [subscriptionId] });

  const { mails } = await run<{ mails: Held[] }>('mail list', '--booking', toMeet.id);
  t.match(await run('mail show', mails[0]!.id), { address: 'grace@example.com', status: 'sent' });
  used.add('mail resend').add('mail test').add('mail off').add('confirmation link');
  const refused = { code: 4, stderr: /Mail is off: set SMTP_URL/ };
  t.match(await studio('mail', 'resend', mails[0]!.id, '--yes'), refused);
  t.match(await studio('mail', 'test', 'ada@example.com'), refused);
  t.match(await studio('mail', 'off', '--yes'), { code: 4, stderr: /off already/ });
  t.match(await studio('confirmation', 'link', '--yes'), { code: 4, stderr: /alone/ });
  t.match(await run('mail preview', join(folder, 'mails')), { files: Array });

  used.add('events tail');
  const tail = await studio('events', 'tail', '--limit', '3', '--no-follow', '--json');
  const events = tail.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match(events.slice(1), [
    { type: 'booking.cancelled', booking_id: toForget.id },
    { type: 'calendar.changed', data: { change: 'calendar watch remove' } },
  ]);

  const audit = await run<{ action: string }[]>('audit list', '--limit', '23');
  t.strictSame(audit.map(({ action }) => action).reverse(), [
    'info set',
    'hours set',
    'closures add',
    'closures remove',
    'bookings add',
    'bookings move',
    'bookings no-show',
    'bookings cancel',
    'bookings forget',
    'keys revoke',
    'platforms add',
    'platforms set',
    'platforms remove',
    'console link',
    'console passkeys remove',
    'calendar feed add',
    'calendar feed rotate',
    'calendar feed remove',
    'calendar watch add',
    'calendar watch remove',
    'webhooks disable',
    'webhooks enable',
    'webhooks redeliver',
  ]);
  t.notMatch(JSON.stringify(audit), /example\.com/, 'the audit holds no personal data');
  const { sentence } = nodeSupport(Date.now());
  const checks = [{ check: 'configuration' }, { check: 'node', message: sentence }];
  t.match(await run('doctor'), { healthy: true, checks });
  const file = join(folder, 'studio.backup');
  t.match(await run('backup', file), { secret_key_included: false });

  used.add('restore');
  const restored = await studio('restore', file, '--yes', '--json');
  t.equal(restored.code, 4, 'a database in use is never overwritten');
  t.match(JSON.parse(restored.stderr), { error: { message: /in use/ } });
  return used;
}

void t.test(
  'every command works on a running service, which shows the change; on a stopped one they start its database, one after the other',
  async (t) => {
    const folder = await temporaryFolder(t);
    const environment = {
      ...generous,
      DATA_DIR: join(folder, 'data'),
      PORT: String(await freePort()),
    };
    const service = await startWholeService(t, environment);
    const studio = studioIn(environment);
    const receiver = await startReceiver();
    t.teardown(() => receiver.close());
    const things = await makeThings(service, receiver);
    const { toCancel, toForget, toMeet, subscriptionId } = things;
    await receiver.request(5);
    const [one, two] = await someOpenSlots(service.context, 2);

    const used = await useEveryCommand(t, studio, things, [one!, two!], folder);
    t.strictSame([...used].sort(), everyCommand(), 'every command was used');
    await untilBoard(
      service.context,
      ({ studio: { name }, calendar, taken }) =>
        name === 'Studio running' &&
        calendar.sessions[1].length === 1 &&
        calendar.closures.length === 0 &&
        !taken.has(slotKey(toCancel)) &&
        !taken.has(slotKey(toForget)) &&
        taken.has(slotKey(toMeet)) &&
        !taken.has(slotKey(one!)) &&
        taken.has(slotKey(two!)),
    );
    // Redelivery is immediate while the service runs.
    await receiver.request(6);
    const { id } = await confirmedBooking(service.context, 'mae@example.com');
    const { headers } = await receiver.request(7);
    await service.stop();

    const runs = await Promise.all([1, 2].map(() => studio('bookings', 'cancel', id, '--yes')));
    t.strictSame(runs.map(({ code }) => code).sort(), [0, 4]);
    const event = ['--event', headers['webhook-id']!, '--yes'];
    for (const line of [
      ['info', 'set', '--name', 'Studio stopped'],
      ['webhooks', 'redeliver', subscriptionId, ...event],
      ['events', 'tail', '--no-follow'],
      ['doctor'],
      ['backup', join(folder, 'stopped.backup')],
    ]) {
      t.match(await studio(...line), { code: 0, stderr: '' }, line.join(' '));
    }
    t.match((await studio('audit', 'list', '--json')).json<object[]>().slice(1, 4), [
      { action: 'webhooks redeliver' },
      { action: 'info set' },
      { action: 'bookings cancel', details: { booking_id: id } },
    ]);
    const again = await startWholeService(t, environment);
    await receiver.request(8);
    const { studio: after } = await again.context.board.read();
    t.equal(after.name, 'Studio stopped', 'a start reads what was changed meanwhile');
    await again.stop();

    await rm(join(folder, 'data', 'secret-key'));
    const keyless = await studio('bookings', 'add', '2999-06-01', '1pm', '--name', 'Ada');
    const advice = /set SECRET_KEY .* or copy its file secret-key/;
    t.match(keyless, { code: 4, stdout: '', stderr: advice });
  },
);
