import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { HoldRequest } from '../../generated/schemas.js';
import type { Slot } from '../../src/schedule/slots.js';
import { holdRequest } from './requests.js';

/** A client of the service: at an address, with an API key or without. */
export function agent(
  app: FastifyInstance,
  { address = '192.0.2.1', key }: { address?: string; key?: string } = {},
) {
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const from = { remoteAddress: address };
  const send = (options: InjectOptions) =>
    patiently(() =>
      app.inject({ ...options, headers: { ...headers, ...options.headers }, ...from }),
    );
  const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
    send({ method: 'POST', url, payload, headers });
  return {
    read: () => send({ url: '/api/public/studio' }),
    hold: (slot: Slot, idempotencyKey?: string, changes: Partial<HoldRequest> = {}) =>
      post(
        '/api/public/holds',
        holdRequest(slot, changes),
        idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      ),
    /** Requests a hold with an invalid body. */
    brokenHold: () => post('/api/public/holds', { date: 'soon' }),
    mintKey: () => post('/api/public/agent-keys', { email: 'agent-owner@example.com' }),
  };
}

/**
 * Repeats the request while the service reports overload. Injected requests alone starve the event
 * loop, which the service takes for an overload.
 */
export async function patiently(
  send: () => Promise<LightMyRequestResponse>,
): Promise<LightMyRequestResponse> {
  for (;;) {
    await aMoment();
    const answer = await send();
    if (answer.statusCode !== 503 || !answer.body.includes('service_unavailable')) return answer;
  }
}

/** Lets the event loop handle what has arrived. */
export function aMoment(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A new API key, minted from a random address. */
export async function newKey(app: FastifyInstance): Promise<{ id: string; key: string }> {
  const octet = () => Math.floor(Math.random() * 256);
  const address = `10.${octet()}.${octet()}.${octet()}`;
  const answer = await agent(app, { address }).mintKey();
  return answer.json<{ data: { id: string; key: string } }>().data;
}

/** The budget that a response was charged to, by its headers: `reads 59/60`. */
export function charged({ headers }: Pick<LightMyRequestResponse, 'headers'>): string {
  const [, name, quota] =
    /^"([a-z-]+)";q=(\d+);w=\d+$/.exec(String(headers['ratelimit-policy'])) ?? [];
  const [, same, remaining] =
    /^"([a-z-]+)";r=(\d+);t=\d+$/.exec(String(headers['ratelimit'])) ?? [];
  return name === same ? `${name} ${remaining}/${quota}` : 'two budgets';
}

/** The token in the checkout address of a hold. */
export function checkoutTokenOf(answer: LightMyRequestResponse): string {
  const { data } = answer.json<{ data: { checkout_url: string } }>();
  return data.checkout_url.slice(data.checkout_url.lastIndexOf('/') + 1);
}
