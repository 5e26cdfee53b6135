import { randomUUID } from 'node:crypto';
import { refusalOf, type Answer } from '../agent.js';
import { expect, findOpenAfternoon } from './steps.js';
import type { Task } from './task.js';

/** Each refusal says alone what was wrong, what to do, and whether to try again, and when. */
export const beRefused: Task = {
  name: 'be refused',
  async run({ agent, person, useUpHolds }) {
    const time = await findOpenAfternoon(agent);

    const malformed = await agent.hold({ ...time, ...person, email: 'ada' });
    const { details = [] } = refusalOf(malformed, 'invalid_request');
    const named = details.map(({ path }) => path.split('.').at(-1));
    expect(named.length === 1 && named[0] === 'email', 'details name the malformed member alone');
    expectAdvice(malformed);

    const unknown = await agent.readBooking(randomUUID());
    refusalOf(unknown, 'booking_not_found');
    expectAdvice(unknown);

    await useUpHolds(time);
    const limited = await agent.hold({ ...time, ...person });
    refusalOf(limited, 'rate_limited');
    expectAdvice(limited, { isLater: true });
  },
};

/** Only a refusal that names a time may be sent again as it is, after that time. */
function expectAdvice(answer: Answer<unknown>, { isLater = false } = {}): void {
  if ('data' in answer) return;
  const { message, retry_after_seconds: seconds } = answer.error;
  expect(message !== '', 'a message');
  expect((seconds !== undefined) === isLater, `when to try again, and it says ${seconds}`);
  const { retryAfter } = answer;
  if (retryAfter === undefined) return;
  expect(retryAfter === (seconds?.toString() ?? null), 'Retry-After is retry_after_seconds');
}
