import t from 'tap';
import { confirmBooking } from '../../src/repositories/booking-transitions.js';
import { noProof } from '../../src/repositories/proof.js';
import { reminderToken } from '../../src/secrets/links.js';
import { bookingRow, storedBookings } from '../support/bookings.js';
import { codeMode } from '../support/codes.js';
import { pressOn } from '../support/forms.js';
import { holdForPerson } from '../support/holds.js';
import { someOpenSlots } from '../support/requests.js';
import { generous, startService } from '../support/service.js';

const agents = {
  'a signed agent': { 'signature-agent': '"https://agent.example"' },
  'an empty Signature-Agent': { 'signature-agent': '' },
  'an API key': { authorization: `Bearer tsk_${'a'.repeat(38)}` },
  'a malformed API key': { authorization: 'Bearer tsk_nothing' },
};

for (const [mode, environment] of Object.entries({ link: generous, code: codeMode })) {
  t.test(`with CONFIRMATION=${mode}, what an agent sends changes nothing`, async (t) => {
    const service = await startService(t, environment);
    const { app, context } = service;
    const pending = await holdForPerson(service);
    const confirmed = await holdForPerson(service);
    await confirmBooking(context.database, confirmed.id, noProof);
    await context.board.refresh();
    const before = await storedBookings(context);
    const [slot] = await someOpenSlots(context, 1);
    const move = { date: slot!.date, time_slot: slot!.timeSlot, sequence: '0' };
    for (const { id, token } of [pending, confirmed]) {
      const path = `/checkout/${token}`;
      const reminders = `/reminders/${reminderToken(context.keyring, await bookingRow(context, id))}`;
      const ofBooking = ['confirm', 'release', 'cancel', 'hold_again', 'send_code'];
      for (const [url, action, fields] of [
        ...ofBooking.map((action) => [path, action, {}] as const),
        ...['move', 'send_code'].map((action) => [`${path}/move`, action, move] as const),
        ...['stop', 'resume'].map((action) => [reminders, action, {}] as const),
      ]) {
        for (const [name, headers] of Object.entries(agents)) {
          const page = await pressOn(service, url, action, { fields, headers });
          t.equal(page.statusCode, 403, `${name}: ${action}`);
          t.match(page.body, 'Please press the button yourself');
          t.match(page.body, 'give the link to the person you book for');
          const plain = { ...headers, accept: 'application/json' };
          const envelope = await pressOn(service, url, action, { fields, headers: plain });
          t.equal(envelope.statusCode, 403);
          const message = /Only the person may do this/;
          t.match(envelope.json(), { error: { code: 'forbidden', message } });
        }
      }
      for (const [name, headers] of Object.entries(agents)) {
        for (const method of ['GET', 'HEAD'] as const) {
          t.equal((await app.inject({ method, url: path, headers })).statusCode, 200, name);
        }
      }
    }
    t.strictSame(
      await storedBookings(context),
      before,
      'nothing has changed, and nothing is mailed',
    );
  });
}
