import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import t from 'tap';
import { compile, createProject, runForPerson } from '../support/consumer.js';
import { startReachableService } from '../support/person.js';
import { someOpenSlots } from '../support/requests.js';

const program = `
import { client } from './api/client.gen.js';
import { createHold, getBooking, getStudio, listAvailability } from './api/index.js';

const [from = '', to = ''] = process.argv.slice(2);
const studio = await getStudio({ throwOnError: true });
console.log('studio', studio.data.data.name, 'at', client.getConfig().baseUrl);
const { data: open } = await listAvailability({ query: { from, to }, throwOnError: true });
const [day] = open.data.days;
const time_slot = day?.slots[0]?.time_slot;
if (day === undefined || time_slot === undefined) throw new Error('nothing is open');
const body = { date: day.date, time_slot, name: 'Ada Park', email: 'ada@example.com', phone: '5555550142' };
const { data: held } = await createHold({ body, headers: { 'Idempotency-Key': 'one' }, throwOnError: true });
console.log(held.data.handoff.message, held.data.checkout_url);
const path = { id: held.data.id };
const { data: booking } = await getBooking({ path, headers: { Prefer: 'wait=60' }, throwOnError: true });
console.log('status', booking.data.status);
const { error } = await createHold({ body });
console.log('refused', error?.error.code, error?.error.alternatives?.length);
declare const process: { argv: string[] };
`;

t.test(
  'a client generated from the served document by another generator books a slot',
  async (t) => {
    const service = await startReachableService(t);
    const project = await createProject(t, { 'program.ts': program });
    await createClient({
      input: `${service.url}/api/public/openapi.json`,
      output: { path: join(project, 'api'), module: { extension: '.js' } },
      logs: { level: 'silent', file: false },
    });

    t.equal(await compile(project, 'typescript', { module: 'nodenext' }), '');
    const [slot] = await someOpenSlots(service.context, 1);
    t.match(await runForPerson(t, project, 'program.js', [slot!.date, slot!.date]), [
      `studio Night Heron Tattoo at ${service.url}`,
      /^Your session on .* http/,
      'status confirmed',
      'refused slot_unavailable 5',
    ]);
  },
);
