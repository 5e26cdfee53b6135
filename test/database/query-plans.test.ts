import pg from 'pg';
import t, { type Test } from 'tap';
import { openWithCode, sendCode } from '../../src/domain/codes.js';
import { moveCheckout } from '../../src/domain/moves.js';
import { addBooking, moveByStudio, recordNoShow } from '../../src/domain/studio-bookings.js';
import { createTestDatabase } from '../support/database.js';
import { writeHistory } from '../support/history.js';
import { startReceiver } from '../support/receiver.js';
import { callerNumber, holdRequest, someOpenSlots } from '../support/requests.js';
import { startSmtp } from '../support/smtp.js';
import { startWebhookService, type WebhookService } from '../support/webhooks.js';

interface Statement {
  text: string;
  values: unknown[];
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
}

const largeTables = ['bookings', 'events', 'webhook_deliveries', 'mails'];
/** Enough rows for PostgreSQL to prefer an index over a sequential scan. */
const bookings = 6_000;
/** Deletions of old data, and switching mail on, may scan a table: they are rare. */
const isRare = ({ text }: Statement): boolean =>
  /name is not null|delete from (webhook_deliveries|mails)|'mail_off'/.test(text);

t.test('no statement of daily work scans a large table sequentially', async (t) => {
  const { connectionString } = await createTestDatabase(t);
  const database = new pg.Client({ connectionString });
  await database.connect();
  t.teardown(() => database.end());
  const smtp = await startSmtp(t);
  const service = await startWebhookService(t, {
    DATABASE_URL: connectionString,
    SMTP_URL: smtp.url,
    MAIL_FROM: 'booking@nightheron.example',
  });
  await writeHistory(database, bookings);

  const statements = record(service.context.pool);
  await runDailyWork(t, service);
  // Of the move two, and one of what was added; the others may have been overtaken.
  await smtp.waitFor(3);
  t.ok(statements.size > 20, 'the statements are recorded');

  for (const statement of statements.values()) {
    if (isRare(statement)) continue;
    const { rows } = await database.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (format json) ${statement.text}`,
      statement.values,
    );
    const scans = nodesOf(rows[0]!['QUERY PLAN'][0].Plan).filter(
      (node) =>
        node['Node Type'] === 'Seq Scan' && largeTables.includes(node['Relation Name'] ?? ''),
    );
    t.same(scans, [], statement.text.replace(/\s+/g, ' ').trim().slice(0, 120));
  }
});

/** Records every statement that is sent through the pool, by its text. */
function record(pool: pg.Pool): Map<string, Statement> {
  const statements = new Map<string, Statement>();
  const seen = new WeakSet<pg.PoolClient>();
  pool.on('acquire', (client) => {
    if (seen.has(client)) return;
    seen.add(client);
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => {
      const [first] = args;
      // A prepared statement is an object with both.
      const [text, values] =
        typeof first === 'object' ? [(first as Statement).text, (first as Statement).values] : args;
      if (typeof text === 'string' && /^\s*(select|insert|update|delete|with)\b/i.test(text)) {
        statements.set(text, { text, values: Array.isArray(values) ? values : [] });
      }
      return query(...args);
    }) as typeof client.query;
  });
  return statements;
}

/** The requests of agents, people and subscribers, and the background work that follows. */
async function runDailyWork(t: Test, service: WebhookService): Promise<void> {
  const { app, context } = service;
  const receiver = await startReceiver();
  t.teardown(() => receiver.close());
  const subscriber = await service.subscribe(receiver);
  await service.startBackground();

  const [first, second, third, ...others] = await someOpenSlots(context, 8);
  const slots = [first!, second!, third!];
  const post = (slot: (typeof slots)[number], key: string) =>
    app.inject({
      method: 'POST',
      url: '/api/public/holds',
      headers: { 'idempotency-key': key },
      payload: holdRequest(slot),
      remoteAddress: callerNumber(7).address,
    });
  const held: { id: string; checkout_url: string }[] = [];
  for (const [index, slot] of slots.entries()) {
    const answer = await post(slot, `key-${index}`);
    t.equal(answer.statusCode, 201);
    t.equal((await post(slot, `key-${index}`)).headers['idempotency-replayed'], 'true');
    held.push(answer.json<{ data: { id: string; checkout_url: string } }>().data);
  }
  t.equal((await post(slots[0]!, 'another')).statusCode, 409);
  for (const { id } of held)
    t.equal((await app.inject(`/api/public/bookings/${id}`)).statusCode, 200);

  const pathOf = ({ checkout_url }: { checkout_url: string }) => new URL(checkout_url).pathname;
  await moveCheckout(context, pathOf(held[0]!).split('/')[2]!, others[0]!, 0);
  for (const [index, action] of ['confirm', 'release'].entries()) {
    const pathname = pathOf(held[index]!);
    t.equal((await app.inject(pathname)).statusCode, 200);
    const answer = await app.inject({
      method: 'POST',
      url: pathname,
      headers: {
        origin: context.config.publicBaseUrl,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: new URLSearchParams({ action }).toString(),
    });
    t.ok(answer.statusCode < 400, `${action}: ${answer.statusCode}`);
  }
  const confirmed = { id: held[0]!.id };
  t.match(await sendCode(context, confirmed, 'confirmed'), { outcome: 'sent' });
  t.match(await openWithCode(context, confirmed.id, '000000'), { outcome: /code_invalid|opened/ });
  const actor = 'test';
  t.match(await moveByStudio(context, actor, held[0]!.id, others[1]!), { outcome: 'moved' });
  const walkIn = { name: 'Grace' };
  const added = await addBooking(context, actor, others[2]!, walkIn);
  if (added.outcome !== 'added') throw new Error(added.outcome);
  t.equal((await post(slots[0]!, 'key-0')).headers['idempotency-replayed'], 'true');
  await service.untilDelivery(
    subscriber,
    ({ type, status }) => type === 'booking.confirmed' && status === 'delivered',
  );
  await service.shiftClock(context.config.holdLifetimeSeconds * 1_000 + 1);
  await service.untilDelivery(subscriber, ({ type }) => type === 'hold.expired');

  await service.shiftClock(added.booking.starts_at.getTime() - Date.now());
  for (const undo of [false, true]) {
    const { outcome } = await recordNoShow(context, actor, added.booking.id, { undo });
    t.equal(outcome, 'changed');
  }
}

function nodesOf(plan: Plan): Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];
}
