import { sql } from 'kysely';
import t from 'tap';
import type { Context } from '../../src/context.js';
import { openWithCode, sendCode } from '../../src/domain/booking/codes.js';
import { confirmBooking } from '../../src/repositories/booking-transitions.js';
import { readLinkEffects } from '../../src/repositories/codes.js';
import { sha256 } from '../../src/secrets/keyring.js';
import { createCheckoutToken } from '../../src/secrets/tokens.js';
import { bookingRow } from '../support/bookings.js';
import { confirmCheckout } from '../support/checkouts.js';
import { ageCodes, codeMode, codesOf, newestCode, wrongDigits } from '../support/codes.js';
import { holdForPerson } from '../support/holds.js';
import { callerNumber, personNumber } from '../support/requests.js';
import { startNeighbour, startService } from '../support/service.js';

const service = await startService(t, codeMode);
const { context } = service;
let people = 0;

/** A hold of a person of its own, and a browser that has not asked for its code. */
async function startWithHold() {
  people += 1;
  const { id, token } = await holdForPerson(service, personNumber(people));
  const browser = createCheckoutToken();
  const ask = (by = browser, from = people) =>
    sendCode(context, { id }, 'pending', by, callerNumber(from));
  const type = (digits: unknown, by: string | null = browser, at: Context = context) =>
    openWithCode(at, { id }, 'pending', by, digits);
  return { id, token, browser, ask, type };
}

/** As `startWithHold`, and the browser has asked. */
async function startWithCode() {
  const held = await startWithHold();
  await held.ask();
  return { ...held, right: await newestCode(service, held.id) };
}

t.test(
  'of 50 tries at once in two processes three are compared, and a restart gives no more',
  async (t) => {
    const { type, right, browser } = await startWithCode();
    const neighbour = await startNeighbour(t, context);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        type(wrongDigits(right, index + 1), browser, index % 2 ? context : neighbour),
      ),
    );
    const left = outcomes.flatMap((each) =>
      each.outcome === 'code_invalid' ? [each.triesLeft] : [],
    );
    t.strictSame(left.toSorted(), [0, 1, 2]);
    t.equal(outcomes.filter(({ outcome }) => outcome === 'code_missing').length, 47);

    const restarted = await startNeighbour(t, context);
    for (const each of [context, neighbour, restarted]) {
      t.strictSame(await type(right, browser, each), { outcome: 'code_missing' });
    }
  },
);

t.test('a try is committed before anything is compared', async (t) => {
  const { id, type, right, browser } = await startWithCode();
  let triesWhenCompared: Promise<number> | undefined;
  const keyring = {
    ...context.keyring,
    fingerprints() {
      triesWhenCompared = codesOf(service, id).then(([code]) => code!.tries);
      throw new Error('the process ends here');
    },
  };
  const dying = { ...context, keyring };
  await t.rejects(type('123456', browser, dying), /the process ends here/);
  t.equal(await triesWhenCompared, 1, 'another connection sees it');
  t.match(await type(wrongDigits(right)), { triesLeft: 1 });
});

t.test('each code has three tries of its own, and its browser alone has them', async (t) => {
  const { id, ask, type, right } = await startWithCode();
  for (const triesLeft of [2, 1, 0]) {
    t.strictSame(await type(wrongDigits(right)), { outcome: 'code_invalid', triesLeft });
  }
  t.strictSame(await type(right), { outcome: 'code_missing' });
  t.strictSame(await ask(), { outcome: 'sent' }, 'another can be asked for at once');
  const next = await newestCode(service, id);

  const other = createCheckoutToken();
  t.strictSame(await type(next, other), { outcome: 'code_missing' }, 'of another browser');
  t.strictSame(await ask(other, 1_000), { outcome: 'sent' });
  const ofOther = await newestCode(service, id);
  for (let tries = 0; tries < 5; tries += 1) await type(wrongDigits(ofOther), other);
  t.strictSame(await type(ofOther), { outcome: 'code_invalid', triesLeft: 2 });
  t.strictSame(await type(next), { outcome: 'opened' }, 'though a newer one of another lives');
});

t.test('where there is nothing to guess, nothing is counted', async (t) => {
  const { id, browser, ask, type } = await startWithHold();
  for (const by of [null, browser, null, browser, null, browser]) {
    t.strictSame(await type('000000', by), { outcome: 'code_missing' });
  }
  await ask();
  for (const typed of ['', '12345', '12345a', ['123456'], undefined]) {
    t.strictSame(await type(typed, browser), { outcome: 'code_invalid', triesLeft: null });
  }
  const right = await newestCode(service, id);
  t.strictSame(await type(wrongDigits(right), browser), { outcome: 'code_invalid', triesLeft: 2 });
});

t.test('a right code is no try, and opens 15 minutes in its browser', async (t) => {
  const { id, token, browser, type, right } = await startWithCode();
  for (const typed of [right, right, wrongDigits(right), '']) {
    t.strictSame(await type(typed), { outcome: 'opened' }, 'and once open, nothing is compared');
  }
  t.match(await codesOf(service, id), [{ tries: 0, used_at: null }]);
  t.equal(await confirmCheckout(context, token, null, createCheckoutToken()), 'code_needed');
  await ageCodes(service, id, 901);
  t.equal(await confirmCheckout(context, token, null, browser), 'code_needed');
  await ageCodes(service, id, -2);
  t.equal(await confirmCheckout(context, token, null, browser), 'done');
  t.match(await bookingRow(context, id), { status: 'confirmed', confirmed_via: 'code' });
});

t.test(
  'the statement of a change itself asks for the code, of this booking and browser, and spends no other',
  async (t) => {
    const [one, other] = [await startWithCode(), await startWithCode()];
    await one.type(one.right);
    await other.type(other.right);
    const confirmIn = (id: string, browser: string) =>
      confirmBooking(context.database, id, {
        modeNeedingCode: 'code_on',
        browserHash: sha256(browser),
      });
    const { holds } = await readLinkEffects(context.database);
    t.equal(await confirmIn(one.id, createCheckoutToken()), null);
    t.equal(await confirmIn(one.id, other.browser), null);
    t.match(await confirmIn(one.id, one.browser), { status: 'confirmed' });
    t.match(await codesOf(service, other.id), [{ used_at: null }]);
    const left = await readLinkEffects(context.database);
    t.equal(left.holds, holds - 1, 'what is confirmed is no hold any more');
  },
);

t.test('a right code is spent by the change that it allows, or not at all', async (t) => {
  const { id, token, browser, type, right } = await startWithCode();
  const { database } = context;
  await type(right);
  // The transaction of the change ends as in a crash.
  await sql`
    create function fail() returns trigger language plpgsql as $$
    begin raise exception 'the process ends here'; end $$`.execute(database);
  await sql`
    create trigger fail before insert on events for each row execute function fail()
  `.execute(database);
  await t.rejects(confirmCheckout(context, token, null, browser), /the process ends here/);
  t.match(await codesOf(service, id), [{ used_at: null }]);
  t.match(await bookingRow(context, id), { status: 'pending', code_proven_at: null });
  await sql`drop trigger fail on events`.execute(database);

  t.equal(await confirmCheckout(context, token, null, browser), 'done', 'nothing is lost');
  const { status, code_proven_at: provenAt } = await bookingRow(context, id);
  t.equal(status, 'confirmed');
  t.match(await codesOf(service, id), [{ used_at: provenAt }]);
});
