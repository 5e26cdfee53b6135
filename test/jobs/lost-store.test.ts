import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { connectBullmq } from '../../src/jobs/bullmq.js';
import { createLogger } from '../../src/platform/log.js';
import { allowConnections, createTestDatabase } from '../support/database.js';

void t.test(
  'workers whose database fails as they connect neither stall the process nor pass as ready',
  async (t) => {
    const connection = await createTestDatabase(t);
    await allowConnections(connection, false);
    const bullmq = connectBullmq(null, connection, createLogger('silent'));
    t.teardown(() => bullmq.close());
    const worker = bullmq.createWorker('some', () => Promise.resolve(), {});
    const queue = bullmq.createQueue('some');
    await t.rejects(bullmq.ready(), { code: '55000' });
    await nextTurn();
    await Promise.all([worker.close(), queue.close()]);
  },
);
