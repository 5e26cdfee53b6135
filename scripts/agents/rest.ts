import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Booking, Hold } from '../../src/client/types.js';
import type { Agent, Answer } from './agent.js';

/** Where the values of a call go, as the contract has them. */
export interface Values {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
}

/** What every client of REST can do: call an operation by its `operationId`. */
export type CallOperation = (
  operationId: string,
  values: Values,
) => Promise<{ response: Response; body: unknown }>;

/** The longest wait of the service. */
const prefer = 'wait=50';

export function agentOverRest(callOperation: CallOperation): Agent {
  const call = async <Data>(operationId: string, values: Values) => {
    const { response, body } = await callOperation(operationId, values);
    return { response, answer: answerOf<Data>(response, body) };
  };
  const answer = async <Data>(operationId: string, values: Values) =>
    (await call<Data>(operationId, values)).answer;

  return {
    listOpenTimes: (range) => answer('listAvailability', { query: range }),
    hold: (body) => answer('createHold', { body, headers: { 'Idempotency-Key': randomUUID() } }),
    readBooking: (id) => answer('getBooking', { path: { id } }),
    async waitForPerson({ id, handoff }: Hold) {
      for (;;) {
        const values = { path: { id }, headers: { Prefer: prefer } };
        const { response, answer } = await call<Booking>('getBooking', values);
        if ('error' in answer || answer.data.status !== 'pending') return answer;
        const hasWaited = response.headers.has('preference-applied');
        if (!hasWaited) await pause(handoff.poll_interval_seconds * 1000);
      }
    },
    webhooks: {
      subscribe: (body) => answer('createWebhook', { body }),
      unsubscribe: (manageToken) =>
        answer('deleteWebhook', { headers: { Authorization: `Bearer ${manageToken}` } }),
    },
    unable: [],
    close: () => Promise.resolve(),
  };
}

function answerOf<Data>(response: Response, body: unknown): Answer<Data> {
  const answer = body as Answer<Data>;
  if (response.ok && 'data' in answer) return answer;
  if ('error' in answer) return { ...answer, retryAfter: response.headers.get('retry-after') };
  throw new Error(`status ${response.status}, with neither data nor error`);
}
