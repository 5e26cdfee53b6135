/**
 * Subscribes to the service's webhooks, prints what arrives, and ends the subscription on Ctrl-C.
 * The second argument is the URL at which the service reaches this program: https on a public
 * address, or http if the service runs on the same machine.
 *
 *     npm install tattoo-studio-booking-2.2.0.tgz
 *     node webhook-receiver.mjs http://127.0.0.1:3000 http://127.0.0.1:4000/
 */
import { createServer } from 'node:http';
import { createClient } from 'tattoo-studio-booking/client';
import { parseEvent, WebhookVerificationError } from 'tattoo-studio-booking/webhooks';

const [baseUrl = 'http://127.0.0.1:3000', url = 'http://127.0.0.1:4000/'] = process.argv.slice(2);
const client = createClient({ baseUrl });
const server = createServer().listen(new URL(url).port || 443);

const { data, error } = await client.POST('/api/public/webhooks', { body: { url } });
if (error) throw new Error(error.error.message);
// Keep both: the service shows them only once.
const { signing_secret: secret, manage_token: token } = data.data;
console.log(`${data.data.events.join(', ')} → ${url}`);

const seen = new Set();
server.on('request', async (request, response) => {
  try {
    const event = await parseEvent(request, secret);
    // Respond first, then process; and process each event once, because it may be repeated.
    response.writeHead(204).end();
    if (seen.has(event.id)) return;
    seen.add(event.id);
    console.log(`${event.timestamp} ${event.type}: ${event.data.label}, ${event.data.status}`);
  } catch (problem) {
    response.writeHead(problem instanceof WebhookVerificationError ? 400 : 500).end();
    console.error(problem.message);
  }
});

process.once('SIGINT', async () => {
  await client.DELETE('/api/public/webhooks', { headers: { authorization: `Bearer ${token}` } });
  server.close();
  server.closeAllConnections();
});
