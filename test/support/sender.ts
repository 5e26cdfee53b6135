import type { Test } from 'tap';
import { createSender, type SendRequest } from '../../src/webhooks/send.js';
import type { SendResult } from '../../src/webhooks/send-result.js';
import { answer, startReceiver, type Behaviour } from './receiver.js';

/** Always the same instant. */
export const clock = { now: () => Date.UTC(2026, 10, 21, 12, 0, 0) };

/** Starts a receiver and a sender that may reach it, until the test ends. */
export async function startSender(
  t: Test,
  {
    behaviour = answer(204),
    totalSeconds = 15,
    resolve,
    allowPrivateTargets = true,
  }: {
    behaviour?: Behaviour;
    totalSeconds?: number;
    resolve?: (hostname: string) => Promise<string[]>;
    allowPrivateTargets?: boolean;
  } = {},
) {
  const receiver = await startReceiver(behaviour);
  const timeouts = { connectSeconds: 5, totalSeconds };
  const sender = createSender({
    allowPrivateTargets,
    clock,
    timeouts,
    ...(resolve && { resolve }),
  });
  t.teardown(() => Promise.all([sender.close(), receiver.close()]));
  const send = (request: Partial<SendRequest> = {}): Promise<SendResult> =>
    sender.send({ url: `${receiver.origin}/hook`, headers: {}, body: '{}', ...request });
  return { receiver, sender, send };
}
