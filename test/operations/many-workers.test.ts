import t from 'tap';
import { startBackground } from '../../src/background.js';
import { holdForPerson } from '../support/holds.js';
import { startReceiver } from '../support/receiver.js';
import { someOpenSlots } from '../support/requests.js';
import { startNeighbour } from '../support/service.js';
import { startWebhookService } from '../support/webhooks.js';

const processes = 3;
const holds = 30;

void t.test(
  'several dispatchers and sweepers at once do each thing once: events, expiries and deliveries',
  async (t) => {
    const receivers = [await startReceiver(), await startReceiver()];
    t.teardown(() => Promise.all(receivers.map((receiver) => receiver.close())));
    const service = await startWebhookService(t, { HOLD_LIFETIME_SECONDS: '1' });
    for (const receiver of receivers) await service.prove(await service.subscribe(receiver));

    const contexts = [service.context];
    while (contexts.length < processes) contexts.push(await startNeighbour(t, service.context));
    const slots = await someOpenSlots(service.context, holds);
    const place = async (from: number, to: number) => {
      for (let index = from; index < to; index += 1) {
        await holdForPerson({ context: contexts[index % processes]! }, {}, slots[index]);
      }
    };
    // Half of it is due when they start, and half arrives while they run.
    await place(0, holds / 2);
    const backgrounds = await Promise.all(contexts.map(startBackground));
    t.teardown(() => Promise.all(backgrounds.map((background) => background.stop())));
    await place(holds / 2, holds);

    const { pool } = service.context;
    const left = async () => {
      const { rows } = await pool.query<{ left: number }>(`
        select ((select count(*) from bookings where status = 'pending')
          + (select count(*) from events where dispatched_at is null)
          + (select count(*) from webhook_deliveries where status = 'pending'))::integer as left`);
      return rows[0]?.left;
    };
    while ((await left()) !== 0) {
      await Promise.all(
        backgrounds.flatMap(({ dispatcher, sweeper }) => [
          dispatcher.dispatchAll(),
          sweeper.sweep(),
        ]),
      );
    }

    const { rows: events } = await pool.query<{ type: string; count: number; bookings: number }>(`
      select type, count(*)::integer, count(distinct booking_id)::integer as bookings
      from events group by type order by type`);
    t.strictSame(events, [
      { type: 'hold.created', count: holds, bookings: holds },
      { type: 'hold.expired', count: holds, bookings: holds },
    ]);
    const { rows: attempts } = await pool.query<{ attempts: number; count: number }>(
      'select attempts, count(*)::integer from webhook_deliveries group by attempts',
    );
    t.strictSame(attempts, [{ attempts: 1, count: holds * 2 * receivers.length }]);
    for (const { requests } of receivers) {
      t.equal(requests.length, holds * 2);
      t.equal(new Set(requests.map(({ headers }) => headers['webhook-id'])).size, holds * 2);
    }
  },
);
