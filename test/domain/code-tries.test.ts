import t from 'tap';
import { openWithCode, sendCode } from '../../src/domain/codes.js';
import { bookingRow } from '../support/bookings.js';
import { ageCodes, codeMode, newestCode, wrongDigits } from '../support/codes.js';
import { holdForPerson } from '../support/pages.js';
import { startNeighbour, startTestService } from '../support/service.js';

void t.test(
  'of 50 tries at once in two processes five are compared, and a restart gives no more',
  async (t) => {
    const service = await startTestService(t, codeMode);
    const { context } = service;
    const neighbour = await startNeighbour(t, context);
    const { id } = await holdForPerson({ service });
    t.strictSame(await sendCode(context, { id }, 'pending'), { outcome: 'sent' });
    const right = await newestCode(service, id);
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        openWithCode(index % 2 ? context : neighbour, id, wrongDigits(right, index + 1)),
      ),
    );
    const left = outcomes.flatMap((each) =>
      each.outcome === 'code_invalid' ? [each.triesLeft] : [],
    );
    t.strictSame(left.toSorted(), [0, 1, 2, 3, 4]);
    t.equal(outcomes.filter(({ outcome }) => outcome === 'code_exhausted').length, 45);

    const restarted = await startNeighbour(t, context);
    for (const each of [context, neighbour, restarted]) {
      t.match(await openWithCode(each, id, right), { outcome: 'code_exhausted', of: 'tries' });
      t.match(await sendCode(each, { id }, 'pending'), { outcome: 'code_exhausted', of: 'tries' });
    }
  },
);

void t.test('a try is committed before anything is compared', async (t) => {
  const service = await startTestService(t, codeMode);
  const { context } = service;
  const { id } = await holdForPerson({ service });
  await sendCode(context, { id }, 'pending');
  let triesWhenCompared: Promise<number> | undefined;
  const keyring = {
    ...context.keyring,
    fingerprints() {
      triesWhenCompared = bookingRow(context, id).then(({ code_tries }) => code_tries);
      throw new Error('the process ends here');
    },
  };
  await t.rejects(openWithCode({ ...context, keyring }, id, '123456'), /the process ends here/);
  t.equal(await triesWhenCompared, 1, 'another connection sees it');
  const right = await newestCode(service, id);
  t.match(await openWithCode(context, id, wrongDigits(right)), { triesLeft: 3 });
});

void t.test('the tries are over all codes of a booking, and of a day', async (t) => {
  const service = await startTestService(t, codeMode);
  const { context } = service;
  const { id } = await holdForPerson({ service });
  for (let tries = 0; tries < 5; tries += 1) {
    if (tries % 2 === 0) await sendCode(context, { id }, 'pending');
    const right = await newestCode(service, id);
    t.match(await openWithCode(context, id, wrongDigits(right)), { triesLeft: 4 - tries });
    await ageCodes(service, id, 31);
  }
  const right = await newestCode(service, id);
  t.match(await openWithCode(context, id, right), { outcome: 'code_exhausted' });
  await ageCodes(service, id, 86_400);
  await sendCode(context, { id }, 'pending');
  const next = await newestCode(service, id);
  t.match(await openWithCode(context, id, wrongDigits(next)), { triesLeft: 4 });
  t.match(await openWithCode(context, id, next), { outcome: 'opened' });
});

void t.test('what is not six digits costs no try', async (t) => {
  const service = await startTestService(t, codeMode);
  const { id } = await holdForPerson({ service });
  for (const typed of ['', '12345', '12345a', ['123456'], undefined]) {
    t.strictSame(await openWithCode(service.context, id, typed), {
      outcome: 'code_invalid',
      triesLeft: null,
    });
  }
  t.match(await openWithCode(service.context, id, '123456'), { triesLeft: 4 }, 'without any code');
});
