import t from 'tap';
import {
  connectClient,
  connectModernClient,
  legacyRequest,
  modernRequest,
  post,
  refusalOf,
  type CallResult,
} from '../support/mcp.js';
import { holdRequest, someOpenSlots } from '../support/requests.js';
import { generous, startTestService } from '../support/service.js';

const modern = modernRequest('tools/list');

void t.test(
  'the list of tools has at most 9,000 characters in every protocol version',
  async (t) => {
    const { url } = await startTestService(t);
    for (const answer of [
      await post(url, legacyRequest('tools/list')),
      await post(url, modern.body, modern.headers),
    ]) {
      const { result } = answer.json as { result: { tools: unknown[] } };
      t.equal(result.tools.length, 4);
      const { length } = JSON.stringify(result);
      t.ok(length <= 9_000, `${length} characters`);
    }
  },
);

void t.test(
  'a model that has only the tools is sent to no address of the REST interface',
  async (t) => {
    const { url, context } = await startTestService(t, {
      ...generous,
      WRITES_PER_HOUR_ANONYMOUS: '3',
      MAX_LIVE_BOOKINGS_PER_PERSON: '1',
    });
    const client = await connectClient(t, url);
    const [slot, other] = await someOpenSlots(context, 2);
    const key = crypto.randomUUID();
    const nobody = { booking_id: crypto.randomUUID() };
    const hold = (request: object): Promise<CallResult> => client.call('hold_slot', { ...request });
    const results = {
      studio: await client.call('get_studio_info'),
      held: await hold({ ...holdRequest(slot!), idempotency_key: key }),
      slot_unavailable: await hold(holdRequest(slot!)),
      idempotency_key_reused: await hold({ ...holdRequest(other!), idempotency_key: key }),
      live: await hold(holdRequest(other!)),
      invalid_request: await hold({ ...holdRequest(other!), email: 'nobody' }),
      booking_not_found: await client.call('get_booking_status', nobody),
      rate_limited: await hold(holdRequest(other!, { email: 'eve@example.com' })),
    };
    const texts = {
      instructions: client.instructions,
      tools: await client.list(),
      ...results,
    };
    for (const [name, text] of Object.entries(texts)) {
      t.notMatch(JSON.stringify(text), /\b(?:GET|POST|DELETE) \//u, name);
      if (/_/u.test(name)) t.equal(refusalOf(text as CallResult).code, name);
    }
    t.equal(refusalOf(results.live).code, 'rate_limited', 'the cap of live bookings');
  },
);

void t.test('the instructions say how long a hold lasts, in every protocol version', async (t) => {
  const fifteen = await startTestService(t);
  const two = await startTestService(t, { ...generous, HOLD_LIFETIME_SECONDS: '90' });
  for (const connect of [connectClient, connectModernClient]) {
    t.match((await connect(t, fifteen.url)).instructions, 'A hold lasts 15 minutes');
    t.match((await connect(t, two.url)).instructions, 'A hold lasts 90 seconds');
  }
});

void t.test(
  'texts say that the link opens on this machine only, exactly where it does',
  async (t) => {
    for (const [address, isLocal] of [
      ['http://localhost:3000', true],
      ['http://127.0.0.1:3000', true],
      ['https://book.example.com', false],
    ] as const) {
      const { url, context } = await startTestService(t, { ...generous, PUBLIC_BASE_URL: address });
      const client = await connectClient(t, url);
      const [slot] = await someOpenSlots(context, 1);
      const { structuredContent } = await client.call('hold_slot', { ...holdRequest(slot!) });
      const { agent_instructions } = structuredContent!['handoff'] as {
        agent_instructions: string[];
      };
      const advice = 'The link opens on this machine only, not on a phone: tell the person so.';
      t.equal(client.instructions?.includes(advice), isLocal, address);
      t.equal(agent_instructions.includes(advice), isLocal, address);
    }
  },
);

void t.test('the message of a hold says until when, on the clock of the studio', async (t) => {
  const { url, context } = await startTestService(t);
  const client = await connectClient(t, url);
  const [slot] = await someOpenSlots(context, 1);
  const { structuredContent } = await client.call('hold_slot', { ...holdRequest(slot!) });
  const { label, expires_at, handoff } = structuredContent as {
    label: string;
    expires_at: string;
    handoff: { message: string };
  };
  const until = new Date(expires_at)
    .toLocaleTimeString('en-US', {
      timeZone: 'America/Los_Angeles',
      hour: 'numeric',
      minute: '2-digit',
    })
    .replace(/\s/u, ' ');
  t.equal(
    handoff.message,
    `Your session on ${label} is held for you until ${until}, the studio's time (America/Los_Angeles). Open this link to lock it in; booking is free.`,
  );
});

void t.test('a slot that is held is not said to be held by another', async (t) => {
  const { url, context } = await startTestService(t);
  const client = await connectClient(t, url);
  const [slot] = await someOpenSlots(context, 1);
  const { structuredContent } = await client.call('hold_slot', { ...holdRequest(slot!) });
  const { message } = refusalOf(await client.call('hold_slot', { ...holdRequest(slot!) }));
  t.equal(
    message,
    `${String(structuredContent?.['label'])} is held at the moment. If that is your own hold, wait for its person, and send the same idempotency key when you repeat a call. Otherwise, offer the person one of the alternatives.`,
  );
});
