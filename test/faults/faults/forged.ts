import { setTimeout as delay } from 'node:timers/promises';
import { query } from '../../support/embedded.js';
import { installSplit, type Fault } from '../fault.js';
import type { Load } from '../load.js';

const doubleAnExpiredHold = `
  insert into bookings select (jsonb_populate_record(booking, jsonb_build_object(
    'id', gen_random_uuid(), 'checkout_token_hash', sha256('forged'::bytea),
    'idempotency_key', null, 'idempotency_scope', null))).*
  from bookings booking where status = 'expired' limit 1
  returning id`;

/** Not a fault of the service, but in the evidence: an auditor that finds nothing here is blind. */
export const forged: Fault[] = [
  {
    name: 'forged: a booking deleted, a slot held twice, a delivery unheard of',
    mustBeFound: [/was answered with 201 and is no row/, / at once$/, /the receiver never got/],
    async prepare(scope, servers) {
      const installation = await installSplit(scope, servers);
      const { connectionString, receiver } = installation;
      return {
        installation,
        async strike({ acknowledged }: Load) {
          const lost = acknowledged.held[0]!.id;
          await query(connectionString, `delete from events where booking_id = '${lost}'`);
          await query(connectionString, `delete from bookings where id = '${lost}'`);
          // Of another booking, since the deleted one's events are gone.
          await receiver.request(20);
          receiver.requests.splice(19, 1);
          while ((await query(connectionString, doubleAnExpiredHold)).length === 0) {
            await delay(500);
          }
        },
      };
    },
  },
];
