import t from 'tap';
import { createApiKey } from '../../src/access/api-keys.js';
import { registerPlatformMetrics } from '../../src/domain/booking/caps.js';
import { createLogger } from '../../src/platform/log.js';
import { createPrometheusMetrics } from '../../src/platform/metrics/prometheus.js';
import { agent } from '../support/agents.js';
import { confirmCheckout } from '../support/checkouts.js';
import {
  assistant,
  claudeAddress,
  listPlatform,
  tokenOf,
  unlistedAddress,
} from '../support/platforms.js';
import { callerNumber, personNumber, someOpenSlots } from '../support/requests.js';
import { generous, startService, uncapped } from '../support/service.js';
import { findingOf, studioOn } from '../support/studio.js';

const { app, context } = await startService(t, generous);
const studio = studioOn(context);

t.test('keys are revoked by key, by prefix and by e-mail, and never shown', async (t) => {
  const make = (label: string) =>
    createApiKey(context, callerNumber(1), { email: 'Ada@Example.com', label });
  const made = [await make('one'), await make('two'), await make('three')] as const;
  const [{ id: byKey, key }, { id: byPrefix }, { id: byEmail }] = made;
  const mistyped = `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`;
  for (const [whose, revoked] of [
    [key, byKey],
    [byPrefix.slice(0, 8), byPrefix],
    ['ada@example.com', byEmail],
  ] as const) {
    const run = await studio(`keys revoke ${whose} --yes --json`);
    t.strictSame(run.json(), { revoked: [revoked] });
  }
  t.match(await studio(`keys revoke ${mistyped}`), { code: 2, stderr: /mistyped/ });
  t.equal((await studio('keys revoke nobody@example.com --yes')).code, 3);
  const { stdout } = await studio('keys list --json');
  for (const each of made) t.notMatch(stdout, each.key);
  const forgotten = await studio('bookings forget ada@EXAMPLE.com --yes --json');
  t.match(forgotten.json(), { api_keys_deleted: 3 });
  t.strictSame((await studio('keys list --json')).json(), []);
});

t.test('platforms are listed with their defaults, in canonical form, and audited', async (t) => {
  t.match(await studio('platforms list'), { code: 0, stdout: 'No platforms.\n' });
  const added = await studio('platforms add claude 160.79.104.0/21 --json');
  t.match(added.json(), {
    added: {
      ...{ name: 'claude', ranges: ['160.79.104.0/21'], reads_per_minute: 6_000 },
      ...{ holds_per_hour: 300, live_bookings: 100, pending_holds_percent: 50 },
    },
  });
  const set = await studio('platforms set claude 2001:0DB8:0:0::/32 192.0.2.1 --live-bookings 200');
  t.match(set, { code: 0, stdout: /2001:db8::\/32, 192\.0\.2\.1\/32 +6000 +300 +200 +50 %/ });
  t.match((await studio('platforms list')).stdout, /^NAME +RANGES .*\nclaude +2001:db8::\/32/);
  t.match(await studio('platforms remove claude'), { code: 4, stderr: /add --yes/ });
  t.match(await studio('platforms remove claude --yes'), { code: 0 });
  t.match((await studio('audit list --json')).json(), [
    { action: 'platforms remove', details: { name: 'claude' } },
    { action: 'platforms set', details: { live_bookings: 200 } },
    { action: 'platforms add', details: { ranges: ['160.79.104.0/21'] } },
  ]);
});

t.test('staff see the platform of a booking beside its channel', async (t) => {
  await listPlatform(context);
  const slots = await someOpenSlots(context, 2);
  const { result } = await assistant(app).hold(slots[0]!, 'ada');
  const id = String(result.structuredContent?.['id']);
  await agent(app).hold(slots[1]!);
  const listed = await studio('bookings list --json');
  t.match(listed.json<{ bookings: object[] }>().bookings, [
    { channel: 'mcp', platform: 'claude' },
    { channel: 'rest', platform: null },
  ]);
  t.match((await studio('bookings list')).stdout, /ada@example\.com +mcp, claude\n/);
  t.match((await studio(`bookings show ${id}`)).stdout, /Channel +mcp, claude\n/);
  t.match(await studio('platforms remove claude --yes'), { code: 0 });
});

t.test('names and addresses belong to one platform only', async (t) => {
  for (const [line, code, stderr] of [
    ['add claude 160.79.104.0/21 2001:db8::/32', 0, ''],
    ['add other 160.79.104.0/24', 4, /overlap with .* of claude/],
    ['add other 160.0.0.0/8', 4, /overlap with .* of claude/],
    ['add other 2001:db8:1::/48', 4, /overlap with .* of claude/],
    ['add other 160.79.105.3', 4, /overlap with .* of claude/],
    ['add claude 192.0.2.0/24', 4, /a platform claude already/],
    ['add other 192.0.2.0/24', 0, ''],
    ['set other 160.79.104.0/30', 4, /overlap with .* of claude/],
    ['set claude 160.79.104.0/22', 0, ''],
    ['set nobody --holds-per-hour 9', 3, /no platform nobody/],
    ['remove nobody --yes', 3, /no platform nobody/],
  ] as const) {
    t.match(await studio(`platforms ${line}`), { code, stderr }, line);
  }
  const both = await Promise.all(
    ['one', 'two'].map((name) => studio(`platforms add ${name} 203.0.113.0/24`)),
  );
  t.strictSame(both.map(({ code }) => code).sort(), [0, 4], 'also at the same moment');
});

t.test(
  'doctor suggests a platform for networks at their cap, and warns of platforms at a limit',
  async (t) => {
    const caps = { ...uncapped, MAX_LIVE_BOOKINGS_PER_CALLER: '2', MAX_PENDING_HOLDS: '6' };
    const service = await startService(t, caps);
    service.expectLog(/as many live bookings|too_many_pending_holds/);
    const { app, context } = service;
    const finding = (subject: string) => findingOf(studioOn(context, caps), subject);
    t.match(await finding('platforms'), { status: 'ok', message: 'No platforms are listed.' });
    const slots = await someOpenSlots(context, 10);
    const stranger = agent(app, { address: unlistedAddress });
    for (const index of [0, 1]) await stranger.hold(slots[index]!, undefined, personNumber(index));
    t.match(await finding('callers'), {
      status: 'warning',
      message: /^1 network and .*list its addresses with "studio platforms add"/,
    });

    await listPlatform(context, { live_bookings: 3 });
    t.match(await finding('platforms'), { status: 'ok', message: '1 platform, none at a limit.' });
    const claude = assistant(app);
    const first = await claude.hold(slots[2]!, 'ada', personNumber(2));
    await claude.hold(slots[3]!, 'ada', personNumber(3));
    await claude.hold(slots[4]!, 'grace', personNumber(4));
    t.match(await finding('callers'), { message: /^1 network and/ }, 'its people are no networks');
    t.match(await finding('platforms'), {
      status: 'warning',
      message:
        /^claude has reached its limit of 3 live bookings .*; claude .* of 3 pending holds\./,
    });
    await confirmCheckout(context, tokenOf(first));
    const message = /^(?!.*(pending|198\.51))/;
    t.match(await finding('platforms'), { status: 'warning', message });
  },
);

t.test('metrics count refusals and bookings of a platform by its name', async (t) => {
  const metrics = createPrometheusMetrics(createLogger('silent'));
  const service = await startService(
    t,
    { ...uncapped, MAX_PENDING_HOLDS: '4', WRITES_PER_HOUR_ANONYMOUS: '1' },
    { overrides: { metrics } },
  );
  service.expectLog(/too_many_pending_holds/);
  const { app, context } = service;
  registerPlatformMetrics(context);
  await listPlatform(context, { holds_per_hour: 4, reads_per_minute: 2 });
  const claude = assistant(app, claudeAddress);
  const slots = await someOpenSlots(context, 6);
  const hold = (person: number) => claude.hold(slots[person]!, `p ${person}`, personNumber(person));
  const first = await hold(1);
  await hold(2);
  t.equal((await hold(3)).outcome, 'too_many_pending_holds');
  await confirmCheckout(context, tokenOf(first));
  t.equal((await hold(4)).outcome, 'held');
  t.equal((await hold(4)).outcome, 'rate_limited', 'by the limit of the person');
  for (let index = 0; index < 3; index += 1) await claude.read('ada');
  const text = await metrics.text();
  for (const sample of [
    'refusals_total{platform="claude",limit="pending_holds"} 1',
    'bookings{platform="claude",cap="pending_holds"} 2',
    'bookings{platform="claude",cap="live_bookings"} 3',
  ]) {
    t.ok(text.includes(`booking_platform_${sample}`), sample);
  }
  t.match(text, /booking_platform_refusals_total\{platform="claude",limit="reads"\} [1-3]\n/);
  t.notMatch(text, 'limit="holds"');
  t.notMatch(text, /198\.51/);
});
