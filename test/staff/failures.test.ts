import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { sql } from 'kysely';
import t from 'tap';
import { placeHold } from '../../src/domain/holds.js';
import { changeStudio } from '../../src/domain/studio-settings.js';
import { launch } from '../support/process.js';
import { bundledProgram } from '../support/project.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { startTestService } from '../support/service.js';
import { studioIn } from '../support/studio.js';

void t.test(
  'a command fails when the server accepts connections but does not respond',
  async (t) => {
    const silent = createServer((socket) => socket.on('error', () => undefined));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    t.teardown(() => silent.close());
    const { port } = silent.address() as AddressInfo;
    const studio = studioIn({
      DATABASE_URL: `postgres://studio@127.0.0.1:${port}/none`,
      SECRET_KEY: 'x'.repeat(40),
    });
    const shown = await studio('hours', 'show');
    t.match(shown, { code: 1, stderr: /^The database does not answer/ });
  },
);

void t.test('a hold that lapses while it is being cancelled is reported as expired', async (t) => {
  const { context } = await startTestService(t);
  const { databaseUrl, secretKey } = context.config;
  const [slot] = await someOpenSlots(context, 1);
  const { booking } = await placeHold(context, callerNumber(1), holdRequest(slot!), null);
  // From the second statement of a transaction on, the clock is an hour ahead: the hold lapses
  // after the command has read and locked it.
  await sql`
    create or replace function booking_now() returns timestamptz language sql volatile as $$
      select date_trunc('milliseconds', clock_timestamp()) +
        case when statement_timestamp() > transaction_timestamp()
          then interval '1 hour' else interval '0' end $$`.execute(context.database);
  const studio = studioIn({ DATABASE_URL: databaseUrl!, SECRET_KEY: secretKey! });
  const cancelled = await studio('bookings', 'cancel', booking.id, '--yes');
  t.match(cancelled, { code: 4, stdout: '', stderr: /is already expired; nothing was changed/ });
});

void t.test('events tail exits with 0 when its reader closes the pipe', async (t) => {
  const { context } = await startTestService(t);
  const { databaseUrl, secretKey } = context.config;
  const environment = { DATABASE_URL: databaseUrl!, SECRET_KEY: secretKey! };
  const program = [bundledProgram('studio'), 'events', 'tail', '--json'];
  await changeStudio(context, 'ada@desk', { name: 'Day Heron' });
  const { child } = launch(t, environment, program);
  const exited = once(child, 'exit');
  await once(child.stdout!, 'data');
  child.stdout!.destroy();
  for (let round = 0; child.exitCode === null && child.signalCode === null; round += 1) {
    await changeStudio(context, 'ada@desk', { name: `Heron ${round}` });
  }
  const [code] = (await exited) as [number | null];
  t.equal(code, 0);
});
