import t from 'tap';
import { readDocument, valueAt, type Json, type JsonObject } from '../support/document.js';
import { startTestService } from '../support/service.js';

const maxCharacters = 60_000;

const { app } = await startTestService(t);
const { body } = await app.inject('/api/public/openapi.json');
const served = JSON.parse(body) as JsonObject;

t.test('/openapi.json is openapi.yaml, at the public address', async (t) => {
  const { servers, ...rest } = served;
  const { servers: _servers, ...written } = readDocument();
  t.match(servers, [{ url: 'http://studio.test' }]);
  t.strictSame(rest, written);
});

t.test('a language model reads the document whole, and what a booking needs first', async (t) => {
  t.ok(body.length <= maxCharacters, `${body.length} of ${maxCharacters} characters`);
  const order = Object.keys(served);
  t.strictSame(order.slice(0, 5), ['openapi', 'info', 'servers', 'security', 'paths']);
  t.equal(order.at(-1), 'components');
  t.strictSame(Object.keys(served['paths'] as JsonObject).slice(0, 4), [
    '/api/public/studio',
    '/api/public/availability',
    '/api/public/holds',
    '/api/public/bookings/{id}',
  ]);
  const { schemas } = served['components'] as { schemas: JsonObject };
  const firstSchemas = Object.keys(schemas).slice(0, 8);
  t.ok(['HoldRequest', 'Hold', 'Availability', 'Booking'].every((x) => firstSchemas.includes(x)));
  for (const item of Object.values(served['paths'] as Record<string, JsonObject>)) {
    for (const operation of Object.values(item)) {
      const members = Object.keys(operation as JsonObject);
      t.equal(members.at(-1), 'responses', 'what is sent stands before what is answered');
    }
  }
});

t.test('every $ref of the served document leads to a part of it', async (t) => {
  const references = [...body.matchAll(/"\$ref":"([^"]+)"/gu)].map(([, reference]) => reference!);
  t.ok(references.length > 100);
  for (const reference of new Set(references)) {
    t.match(reference, /^#\/components\//u);
    t.not(valueAt(served as Json, reference), undefined, reference);
  }
});
