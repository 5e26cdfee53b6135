import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { nodeSupport } from '../../src/platform/node-support.js';
import { slotKey, type Slot } from '../../src/schedule/slots.js';
import type { CommandContext } from '../../src/staff/command-context.js';
import { StaffCommand } from '../../src/staff/command.js';
import { expectConcerns } from '../../src/staff/program.js';
import { artistLines } from '../support/artists.js';
import { untilBoard } from '../support/board.js';
import { temporaryFolder } from '../support/embedded.js';
import { sessionForPerson } from '../support/holds.js';
import { freePort } from '../support/process.js';
import { startReceiver } from '../support/receiver.js';
import { someOpenSlots } from '../support/requests.js';
import { generous } from '../support/service.js';
import { makeThings, type Things } from '../support/staff-rows.js';
import { everyCommand, studioIn, type Studio } from '../support/studio.js';
import { startWholeService } from '../support/whole-service.js';

interface Row {
  id: string;
}

const booking = [
  'id status date time_slot starts_at ends_at timezone label created_at expires_at',
  'confirmed_at cancelled_at expired_at name email phone pronouns idea channel platform',
  'confirmed_via moved_at no_show_at cancellation_reason closed_day_choice studio_word',
  'studio_note',
].join(' ');

/** The members that commands print as JSON: a column that is new in a table is not one of them. */
const printedMembers: Record<string, string> = {
  'artists list': 'slug name about email hidden_at first_day last_day is_new week dated',
  'audit list': 'id occurred_at actor action details',
  'bookings conflicts': `conflicts other_time_zone booking ${booking} busy calendar_id calendar`,
  'bookings list': `bookings ${booking} more`,
  'bookings show': `${booking} history at what by actor code_typed_after_seconds`,
  'calendar feed list': 'id label has_details created_at',
  'calendar watch list':
    'id label host created_at read_at busy_intervals failing_since last_error last_status_code empty_since unreadable problem',
  'clients list': 'clients id name email phone sessions no_shows is_to_come date more',
  'closures list': 'id from to time_slot from_time to_time reason created_at',
  'console passkeys list': 'id name created_at last_used_at',
  'console sessions list': 'id name passkey_id signed_in_at last_seen_at',
  'hours show': 'day opens closes sessions',
  'info show':
    'name description timezone street city region postal_code country email phone website notices text title addresses_to_come from_date',
  'keys list': 'id email label created_at last_used_at revoked_at',
  'mail list':
    'mails id kind recipient booking_id calendar_id status reason created_at attempts resends last_attempt_at last_reply_code last_error next_attempt_at ended_at dismissed_at more',
  'openings list': 'date sessions time_slot schedule',
  'platforms list':
    'name ranges reads_per_minute holds_per_hour live_bookings pending_holds_percent created_at',
  'webhooks list':
    'id url events status disabled_reason disabled_at failing_since created_at deliveries pending delivered failed skipped',
  'webhooks show':
    'id url events status disabled_reason disabled_at failing_since created_at deliveries pending delivered failed skipped recent_deliveries event_id type attempts last_status_code last_attempt_at next_attempt_at',
};

/** The names of all members in the order in which they first appear, without those of `details`. */
function membersOf(data: unknown): string {
  const names = new Set<string>();
  JSON.stringify(data, (name, value: unknown) => {
    names.add(name);
    return name === 'details' ? null : value;
  });
  return [...names].filter((name) => /\D/.test(name)).join(' ');
}

/** Runs every command once and checks its output; returns the commands that were run. */
async function useEveryCommand(
  t: Test,
  studio: Studio,
  things: Things,
  [free, alsoFree]: readonly [Slot, Slot],
  folder: string,
): Promise<Set<string>> {
  const used = new Set<string>();
  const run = async <Data = unknown>(line: string, ...more: string[]): Promise<Data> => {
    const command = everyCommand().find((name) => `${line} `.startsWith(`${name} `))!;
    used.add(command);
    const outcome = await studio(`${line} --json`, ...more);
    t.equal(outcome.code, 0, `${line} ${more.join(' ')} ${outcome.stderr}`);
    const data = outcome.json<Data>();
    const members = printedMembers[command] ?? (command.endsWith(' list') ? 'named above' : null);
    if (members !== null) t.equal(membersOf(data), members, line);
    return data;
  };
  const check = async (rows: [line: string, expected: object][]): Promise<void> => {
    for (const [line, expected] of rows) t.match(await run(line), expected, line);
  };
  const refuse = async (line: string, sentence: RegExp): Promise<void> => {
    used.add(everyCommand().find((name) => `${line} `.startsWith(`${name} `))!);
    const { code, stderr } = await studio(`${line} --json`);
    t.equal(code, 4, line);
    t.match(JSON.parse(stderr), { error: { code: 'refused', message: sentence } }, line);
  };

  const { toCancel, toForget, toMeet, toMiss, toOverlap } = things;
  const { subscriptionId, passkeyId, sessionId } = things;
  const mondays = { day: 'monday', opens: '10:00', closes: '24:00', sessions: ['1:00 PM'] };
  await check([
    ['info set --name Running --street Oak --address-from 2999-01-01', { studio: {} }],
    ['info show', { name: 'Running', addresses_to_come: [{ street: 'Oak' }] }],
    ['info address remove 2999-01-01', { removed: { street: 'Oak' } }],
    ['hours set mon --opens 10am --closes 24:00 --sessions 1pm', { week: [mondays] }],
    ['hours show', [mondays]],
    ['hours set mon --closed --from 2999-12-01 --to 2999-12-31', { week: { 7: { opens: null } } }],
    ['hours remove --from 2999-12-01 --to 2999-12-31', { week: { length: 7 } }],
    [
      'openings add 2999-06-03 --sessions all',
      {
        opening: { sessions: [{ time_slot: '9:00 AM', schedule: 'open' }, {}] },
        in_week: ['1:00 PM'],
      },
    ],
    ['calendar why 2999-06-03 9am', { state: 'too_far', in_week: false, opened: true }],
    ['openings list', [{ date: '2999-06-03', sessions: [{}, {}] }]],
    ['openings remove 2999-06-03 --sessions 9am,1pm --yes', { removed: { sessions: ['9:00 AM'] } }],
  ]);
  await refuse('info set --timezone America/Chicago', /keep their instants: .*Los_Angeles/);
  const zone = 'info set --yes --timezone';
  await check([
    [`${zone} America/Chicago`, { changed: ['timezone'] }],
    [`${zone} America/Los_Angeles`, { changed: ['timezone'] }],
  ]);
  const closing = `closures add ${toMeet.date} --slot`;
  const { closure, ...closed } = await run<{ closure: Row }>(closing, toMeet.timeSlot);
  t.match(closed, { bookings_met: [{ id: toMeet.id, status: 'confirmed' }], decided: [] });
  const onDate = `bookings list --date ${toCancel.date} --status confirmed`;
  const { bookings } = await run<{ bookings: Row[] }>(onDate);
  t.ok(bookings.some(({ id }) => id === toCancel.id));
  const { conflicts } = await run<{ conflicts: { booking: Row }[] }>('bookings conflicts');
  t.match(
    conflicts.find(({ booking }) => booking.id === toOverlap.id),
    { booking: { email: 'edith@example.com' }, busy: [{ calendar: 'Ada', starts_at: String }] },
  );
  const phone = '\u202A+1 (503) 555-0199\u202C';
  const adding = [free.timeSlot, '--name', 'Walk In', '--phone', phone];
  const { added } = await run<{ added: Row }>(`bookings add ${free.date}`, ...adding);
  t.match(added, { status: 'confirmed', phone: '5035550199', channel: 'studio' });
  const move = `bookings move ${added.id} --yes ${alsoFree.date}`;
  t.match(await run(move, alsoFree.timeSlot), {
    moved: { id: added.id, date: alsoFree.date, time_slot: alsoFree.timeSlot },
    from: { date: free.date, time_slot: free.timeSlot },
    schedule: 'open',
  });
  const asked = { decided: [{ outcome: 'done' }], undecided: [], asked: [{ id: toMeet.id }] };
  const linked = { corrected: ['email'], checkout_url: /\/checkout\// };
  await check([
    [`bookings correct ${added.id} --email walk@example.com`, linked],
    ['clients note walk@example.com Mornings', { note: 'Mornings' }],
    ['clients list --search 0199', { clients: [{ id: added.id, sessions: 1 }] }],
    ['clients show WALK+x@example.com', { note: 'Mornings', bookings: [{ id: added.id }] }],
    [`closures decide ${toMeet.id} --ask-bookings --word Ill --yes`, asked],
    ['closures list', [{ id: closure.id, from: toMeet.date }]],
    [`closures remove ${closure.id.slice(0, 8)} --yes`, { removed: { id: closure.id } }],
    [`bookings show ${toCancel.id}`, { email: 'ada@example.com' }],
    [`bookings no-show ${toMiss.id}`, { booking: { no_show_at: String } }],
    [
      `bookings cancel ${toCancel.id} --yes`,
      { cancelled: { id: toCancel.id, status: 'cancelled' } },
    ],
    [`bookings copy ${toCancel.id}`, { not_checked: { bookings: [{ id: toCancel.id }] } }],
    [
      'bookings forget forget@example.com --cancel-bookings --yes',
      { erased: 1, cancelled: [toForget.id] },
    ],
    ['keys list --email ADA@KEYS.EXAMPLE', [{ revoked_at: null }]],
    ['figures', [{ month: /^20/, sessions: Number }, { hours: Number }]],
  ]);
  await refuse(`bookings cancel ${toCancel.id} --yes`, /already cancelled/);

  const { revoked } = await run<{ revoked: [string] }>('keys revoke ada@keys.example --yes');
  const feed = await run<{ added: Row }>('calendar feed add --label Phone');
  const calendar = join(folder, 'ada.ics');
  await writeFile(calendar, 'BEGIN:VCALENDAR\nEND:VCALENDAR\n');
  const watch = 'calendar watch add https://127.0.0.1:1/private.ics --anyway';
  const watching = await run<{ added: Row }>(watch);
  t.match(watching, { added: { host: '127.0.0.1', last_error: 'connection_refused' } });
  const [feedId, watched] = [feed.added.id, watching.added.id];
  await refuse(`keys revoke ${revoked[0].slice(0, 8)} --yes`, /already revoked/);
  await check([
    ['keys list --email ada@keys.example', [{ id: revoked[0], revoked_at: String }]],
    ['platforms add claude 198.51.100.0/24', { added: { name: 'claude' } }],
    [
      'platforms set claude --holds-per-hour 600',
      { changed: { holds_per_hour: 600, ranges: ['198.51.100.0/24'] } },
    ],
    ['platforms list', [{ name: 'claude', holds_per_hour: 600 }]],
    ['platforms remove claude --yes', { removed: { name: 'claude' } }],
    ['console link --name Ada', { url: /\/console\/sign-in\/tsl_/ }],
    ['console sessions list', [{ id: sessionId }]],
    ['console sessions end --all --yes', { ended: [sessionId] }],
    ['console passkeys list', [{ id: passkeyId }]],
    [
      `console passkeys remove ${passkeyId.slice(0, 8)} --yes`,
      { removed: { id: passkeyId }, ended: [] },
    ],
    ['calendar feed list', [{ id: feedId, label: 'Phone' }]],
    [
      `calendar feed rotate ${feedId} --yes`,
      { rotated: { id: feedId }, url: /\/calendar\/tsf_\w+\.ics$/ },
    ],
    [`calendar feed remove ${feedId.slice(0, 8)} --yes`, { removed: { id: feedId } }],
    [`calendar watch fetch ${watched.slice(0, 8)}`, { fetched: { id: watched } }],
    ['calendar watch list', [{ id: watched, read_at: null }]],
    [`calendar watch check ${calendar}`, { busy: [], slots: [], unreadable: [], zones: {} }],
    [`bookings import ${calendar} --dry-run`, { imported: false, rows: [] }],
    [`closures import ${calendar} --dry-run`, { imported: false, rows: [] }],
    ['calendar why 2026-12-24 1pm', { closures: [], busy: [] }],
    [`calendar watch remove ${watched.slice(0, 8)} --yes`, { removed: { id: watched } }],
    ['webhooks list', [{ id: subscriptionId }]],
    [`webhooks disable ${subscriptionId} --yes`, { disabled: subscriptionId }],
    [`webhooks enable ${subscriptionId}`, { enabled: subscriptionId }],
  ]);
  const { recent_deliveries: deliveries } = await run<{
    recent_deliveries: { event_id: string }[];
  }>(`webhooks show ${subscriptionId}`);
  const event = `--event ${deliveries[0]!.event_id}`;
  const { mails } = await run<{ mails: [Row] }>(`mail list --booking ${toMeet.id}`);
  await check([
    [
      `webhooks redeliver ${subscriptionId} ${event} --yes`,
      { redelivered: 1, subscriptions: [subscriptionId] },
    ],
    [`mail show ${mails[0].id}`, { address: 'grace@example.com', status: 'sent' }],
    [`mail preview ${folder}/mails`, { files: Array }],
    ['mail dismiss --all', { dismissed: 0 }],
  ]);
  await refuse(`mail resend ${mails[0].id} --yes`, /Mail is off: set SMTP_URL/);
  await refuse('mail test ada@example.com', /Mail is off: set SMTP_URL/);
  await refuse('mail off --yes', /off already/);
  await refuse('confirmation link --yes', /alone/);
  await refuse('retention resume --yes', /No deletion is held back/);

  used.add('events tail').add('left-out dismiss');
  // The service beside the commands adds events of its own.
  const tail = await studio('events tail --limit 20 --no-follow --json');
  const events = tail.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { data: { change?: string } });
  const removed = events.find(({ data }) => data.change === 'calendar watch remove');
  t.strictSame(Object.keys(removed ?? {}), ['id', 'type', 'occurred_at', 'booking_id', 'data']);

  const audit = await run<{ action: string }[]>('audit list --limit 35');
  t.strictSame(
    audit.map(({ action }) => action).reverse(),
    [
      'info set, info set, hours set, hours set, hours remove, openings add, openings remove, info set, info set, closures add, bookings add, bookings move, bookings correct, clients note, bookings ask, closures remove',
      'bookings no-show, bookings cancel, bookings copy, bookings forget, keys revoke',
      'calendar feed add, calendar watch add, platforms add, platforms set, platforms remove',
      'console link, console sessions end, console passkeys remove, calendar feed rotate, calendar feed remove',
      'calendar watch remove, webhooks disable, webhooks enable, webhooks redeliver',
    ].flatMap((actions) => actions.split(', ')),
  );
  t.notMatch(JSON.stringify(audit), /example\.com/, 'the audit holds no personal data');
  const { sentence } = nodeSupport(Date.now());
  await check(artistLines);
  const checks = [{ check: 'configuration' }, { check: 'node', message: sentence }];
  const file = join(folder, 'studio.backup');
  await check([
    ['doctor', { healthy: true, checks }],
    [`backup ${file}`, { secret_key_included: false }],
    [`export ${file}s`, {}],
  ]);
  for (const line of [`restore ${file} --yes`, `import ${file}s`]) await refuse(line, /in use/);
  return used;
}

t.test('each command declares whom it concerns, as the console’s routes do', async (t) => {
  const ofArtists = [
    'bookings add, bookings cancel, bookings conflicts, bookings correct, bookings list, bookings move',
    'bookings no-show, bookings show, calendar feed add, calendar feed list, calendar feed remove',
    'calendar feed rotate, calendar why, clients list, clients note, clients show, closures add',
    'closures decide, closures list, closures remove, console passkeys list, console passkeys remove',
    'console sessions end, console sessions list, mail list, mail resend, mail show',
  ];
  t.strictSame(everyCommand('artist'), ofArtists.join(', ').split(', '));
  t.same([...everyCommand('artist'), ...everyCommand('owner')].sort(), everyCommand());
  const program = new StaffCommand({} as CommandContext, 'studio');
  program.command('bookings').command('hide');
  t.throws(() => expectConcerns(program), /“hide” does not declare whom it concerns/);
});

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
      ({ studio: { name }, calendar, sessions, taken }) =>
        name === 'Running' &&
        sessions[1].length === 1 &&
        calendar.openings.get('2999-06-03')?.join() === '5:00 PM' &&
        calendar.artists[0]!.closures.length === 0 &&
        !taken.has(slotKey(toCancel)) &&
        !taken.has(slotKey(toForget)) &&
        taken.has(slotKey(toMeet)) &&
        !taken.has(slotKey(one!)) &&
        taken.has(slotKey(two!)),
    );
    // Redelivery is immediate while the service runs.
    await receiver.request(6);
    const { id } = await sessionForPerson(service, { email: 'mae@example.com' });
    const { headers } = await receiver.request(7);
    await service.stop();

    const runs = await Promise.all([1, 2].map(() => studio(`bookings cancel ${id} --yes`)));
    t.strictSame(runs.map(({ code }) => code).sort(), [0, 4]);
    for (const line of [
      'info set --name Stopped',
      `webhooks redeliver ${subscriptionId} --event ${headers['webhook-id']} --yes`,
      'events tail --no-follow',
      'doctor',
      `backup ${folder}/stopped.backup`,
    ]) {
      t.match(await studio(line), { code: 0, stderr: '' }, line);
    }
    t.match((await studio('audit list --json')).json<object[]>().slice(1, 4), [
      { action: 'webhooks redeliver' },
      { action: 'info set' },
      { action: 'bookings cancel', details: { booking_id: id } },
    ]);
    const again = await startWholeService(t, environment);
    await receiver.request(8);
    const { studio: after } = await again.context.board.read();
    t.equal(after.name, 'Stopped', 'a start reads what was changed meanwhile');
    await again.stop();

    await rm(join(folder, 'data', 'secret-key'));
    const keyless = await studio('bookings add 2999-06-01 1pm --name Ada');
    const advice = /set SECRET_KEY .* or copy its file secret-key/;
    t.match(keyless, { code: 4, stdout: '', stderr: advice });
  },
);
