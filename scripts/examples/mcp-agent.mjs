/**
 * Books a session through the MCP connector, as a model would: it reads the tools and calls them.
 *
 *     npm install @modelcontextprotocol/client
 *     node mcp-agent.mjs http://127.0.0.1:3000/api/public/mcp \
 *       '{"name": "Ada Park", "email": "ada@example.com", "phone": "5555550142"}'
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

const [address = 'http://127.0.0.1:3000/api/public/mcp', details = '{}'] = process.argv.slice(2);
const person = JSON.parse(details);
const client = new Client({ name: 'example-agent', version: '1.0.0' });
await client.connect(new StreamableHTTPClientTransport(new URL(address)));

/** Calls a tool and returns its data. An error has a message that is written for the model. */
async function call(name, values = {}) {
  const { isError, structuredContent, content } = await client.callTool({
    name,
    arguments: values,
  });
  if (isError) throw new Error(content[0].text);
  // A second text is a sentence for the person.
  return { ...structuredContent, sentence: content[1]?.text };
}

const { tools } = await client.listTools();
console.log(tools.map(({ name, title }) => `${name}: ${title}`).join('\n'));
const { required } = tools.find(({ name }) => name === 'hold_slot').inputSchema;
const asked = required.filter((name) => !(name in { date: '', time_slot: '', ...person }));
if (asked.length > 0) throw new Error(`Ask the person for: ${asked.join(', ')}`);

const day = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const { days } = await call('list_open_times', { from: day(1), to: day(31) });
const [{ date, slots }] = days;
const slot = { date, time_slot: slots[0].time_slot };
const hold = await call('hold_slot', { ...slot, ...person, idempotency_key: crypto.randomUUID() });
console.log(`${hold.sentence}\n${hold.checkout_url}`);

let booking = hold;
while (booking.status === 'pending') {
  await wait(hold.handoff.poll_interval_seconds * 1000);
  booking = await call('get_booking_status', { booking_id: hold.id });
}
console.log(`${booking.label}: ${booking.status}`);
await client.close();
