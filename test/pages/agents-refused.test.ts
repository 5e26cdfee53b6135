import t, { type Test } from 'tap';
import { confirmCheckout } from '../../src/domain/checkout.js';
import { reminderToken } from '../../src/platform/reminder-token.js';
import { codeMode, pressOn } from '../support/codes.js';
import { holdForPerson, type HeldForPerson } from '../support/pages.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startTestService, type TestService } from '../support/service.js';

const agents = {
  'a signed agent': { 'signature-agent': '"https://agent.example"' },
  'an empty Signature-Agent': { 'signature-agent': '' },
  'an API key': { authorization: `Bearer tsk_${'a'.repeat(38)}` },
  'a malformed API key': { authorization: 'Bearer tsk_nothing' },
};

const modes = { link: {}, code: codeMode };

/** Every change of a person, as the form that makes it. */
async function changesOf(
  service: TestService,
  { token }: HeldForPerson,
): Promise<[path: string, action: string, fields: Record<string, string>][]> {
  const [slot] = await someOpenSlots(service.context, 1);
  const path = `/checkout/${token}`;
  const move = { date: slot!.date, time_slot: slot!.timeSlot, sequence: '0' };
  return [
    [path, 'confirm', {}],
    [path, 'release', {}],
    [path, 'cancel', {}],
    [path, 'hold_again', {}],
    [path, 'send_code', {}],
    [`${path}/move`, 'move', move],
    [`${path}/move`, 'send_code', move],
  ];
}

async function rows({ context: { database } }: TestService) {
  const bookings = await database.selectFrom('bookings').selectAll().orderBy('id').execute();
  const mails = await database.selectFrom('mails').selectAll().execute();
  return { bookings, mails };
}

async function refusesAgents(t: Test, environment: Record<string, string>): Promise<void> {
  const service = await startTestService(t, { ...generous, ...environment });
  const pending = await holdForPerson({ service });
  const confirmed = await holdForPerson({ service });
  await service.context.database
    .updateTable('bookings')
    .set({ status: 'confirmed', confirmed_at: new Date(), confirmed_via: 'link' })
    .where('id', '=', confirmed.id)
    .execute();
  await service.context.board.refresh();
  const before = await rows(service);
  for (const held of [pending, confirmed]) {
    for (const [path, action, fields] of await changesOf(service, held)) {
      for (const [name, headers] of Object.entries(agents)) {
        const page = await pressOn(service, path, action, { fields, headers });
        t.equal(page.statusCode, 403, `${name}: ${action}`);
        t.match(page.body, 'Please press the button yourself');
        t.match(page.body, 'give the link to the person you book for');
        const plain = { ...headers, accept: 'application/json' };
        const envelope = await pressOn(service, path, action, { fields, headers: plain });
        t.equal(envelope.statusCode, 403);
        t.match(envelope.json(), {
          error: { code: 'forbidden', message: /Only the person may do this/ },
        });
      }
    }
    for (const [name, headers] of Object.entries(agents)) {
      for (const method of ['GET', 'HEAD'] as const) {
        const url = `/checkout/${held.token}`;
        t.equal((await service.app.inject({ method, url, headers })).statusCode, 200, name);
      }
    }
  }
  t.strictSame(await rows(service), before, 'nothing has changed, and nothing is mailed');
}

for (const [mode, environment] of Object.entries(modes)) {
  void t.test(
    `with CONFIRMATION=${mode}, a request that says that an agent sends it changes nothing, and shows who should press`,
    (t) => refusesAgents(t, environment),
  );
}

void t.test('an agent neither stops nor resumes reminders', async (t) => {
  const service = await startTestService(t);
  const { context } = service;
  const { id, token } = await holdForPerson({ service });
  await confirmCheckout(context, token);
  const path = `/reminders/${reminderToken(context.keyring, id)}`;
  const refuses = async (action: string) => {
    const before = await rows(service);
    for (const headers of Object.values(agents)) {
      t.equal((await pressOn(service, path, action, { headers })).statusCode, 403);
    }
    t.strictSame(await rows(service), before);
  };
  await refuses('stop');
  t.equal((await pressOn(service, path, 'stop')).statusCode, 303, 'the person does');
  await refuses('resume');
});
