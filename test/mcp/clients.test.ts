import t, { type Test } from 'tap';
import type { Context } from '../../src/context.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import {
  connectClient,
  connectModernClient,
  inspectorClient,
  refusalOf,
  type Connected,
  type ToolClient,
} from '../support/mcp.js';
import { startTestService } from '../support/service.js';

const names = ['get_studio_info', 'list_open_times', 'hold_slot', 'get_booking_status'];

/** Lists and calls every tool, and compares the results with those of REST. */
async function useAllTools(
  t: Test,
  client: ToolClient,
  { url, context }: { url: string; context: Context },
): Promise<void> {
  const rest = async (path: string) =>
    ((await (await fetch(`${url}/api/public${path}`)).json()) as { data: unknown }).data;

  t.strictSame(
    (await client.list()).map((tool) => tool.name),
    names,
    'tools/list',
  );
  const studio = await client.call('get_studio_info');
  t.strictSame(studio.structuredContent, await rest('/studio'));

  const [slot] = await someOpenSlots(context, 1);
  const range = { from: slot!.date, to: slot!.date };
  const times = await client.call('list_open_times', range);
  t.strictSame(
    times.structuredContent,
    await rest(`/availability?from=${range.from}&to=${range.to}`),
  );

  // The inspector would parse digits as a number.
  const request = holdRequest(slot!, { phone: '(555) 555-0142' });
  const held = await client.call('hold_slot', { ...request });
  const id = String(held.structuredContent?.['id']);
  t.equal(held.structuredContent?.['status'], 'pending');
  t.equal(held.content.length, 2);

  const booking = await client.call('get_booking_status', { booking_id: id });
  t.strictSame(booking.structuredContent, await rest(`/bookings/${id}`));
  for (const result of [studio, times, held, booking]) {
    t.notOk(result.isError);
    t.strictSame(
      JSON.parse(result.content[0]?.text ?? ''),
      result.structuredContent,
      'the first text is the same data as JSON',
    );
  }
}

const clients: [
  name: string,
  revision: string,
  connect: (t: Test, url: string) => Promise<Connected>,
][] = [
  ['the client of SDK 1', '2025-11-25', connectClient],
  ['the client of SDK 2 by default', '2025-11-25', connectModernClient],
  [
    'the client of SDK 2 that detects the version',
    '2026-07-28',
    (t, url) => connectModernClient(t, url, 'auto'),
  ],
  [
    'the client of SDK 2 pinned to the newest revision',
    '2026-07-28',
    (t, url) => connectModernClient(t, url, { pin: '2026-07-28' }),
  ],
];

void t.test('official clients get the same results from the tools as from REST', async (t) => {
  const service = await startTestService(t);
  for (const [name, revision, connect] of clients) {
    await t.test(`${name} lists and calls all four tools`, async (t) => {
      const client = await connect(t, service.url);
      t.equal(client.revision, revision);
      t.match(client.serverInfo, { name: 'test.studio/booking', version: '2.0.0' });
      t.match(client.instructions, /only the person opens the link/i);
      await useAllTools(t, client, service);
    });
  }
  await t.test("the inspector's command line lists and calls all four tools", (t) =>
    useAllTools(t, inspectorClient(service.url), service),
  );
});

void t.test(
  'optional arguments that are null or empty are absent; required ones are refused',
  async (t) => {
    const service = await startTestService(t);
    const slots = await someOpenSlots(service.context, 2 * clients.length);
    for (const [name, , connect] of clients) {
      const client = await connect(t, service.url);
      for (const nothing of [null, '']) {
        const slot = slots.shift()!;
        const range = { from: slot.date, to: slot.date };
        const all = await client.call('list_open_times', range);
        const times = await client.call('list_open_times', { ...range, time_slot: nothing });
        t.strictSame(times.structuredContent, all.structuredContent, name);
        const optional = { pronouns: nothing, idea: nothing, idempotency_key: nothing };
        const request = holdRequest(slot);
        const lacking = await client.call('hold_slot', { ...request, ...optional, phone: nothing });
        t.match(refusalOf(lacking), { details: [{ path: 'arguments.phone' }] }, name);
        const held = await client.call('hold_slot', { ...request, ...optional });
        t.equal(held.structuredContent?.['status'], 'pending', name);
      }
    }
  },
);
