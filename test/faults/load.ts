import { setTimeout as delay } from 'node:timers/promises';
import type { Slot } from '../../src/schedule/slots.js';
import { holdRequest } from '../support/requests.js';
import type { Evidence } from './audit.js';

export type Load = ReturnType<typeof startLoad>;

const clients = 8;
/** Keeps the event rate below what one subscription can receive, at two concurrent requests. */
const pauseMs = 100;
const patienceMs = 20_000;
const confirmedOf = 20;

export function slotName({ date, timeSlot }: Slot): string {
  return `${date} ${timeSlot}`;
}

/**
 * Simulated clients that send load to several processes while faults are injected. Each holds a slot,
 * reads the booking, sometimes confirms it, and reads open times. Without a response it retries the
 * hold on another process with the same key.
 */
export function startLoad(urls: readonly string[], slots: readonly Slot[]) {
  const acknowledged: Evidence['acknowledged'] = { held: [], confirmed: [] };
  /** The number of responses by kind, such as `hold 201`. */
  const answers = new Map<string, number>();
  let slowest = 0;
  let isOver = false;

  /** Sends a request and counts its outcome. Returns null if there is no complete response. */
  async function ask(what: string, url: string, options: RequestInit = {}) {
    const began = performance.now();
    let answer: { status: number; body: string } | null = null;
    let outcome: string;
    try {
      const signal = AbortSignal.timeout(patienceMs);
      const response = await fetch(url, { ...options, signal });
      answer = { status: response.status, body: await response.text() };
      outcome = String(answer.status);
    } catch (error) {
      outcome = (error as Error).name === 'TimeoutError' ? 'no answer in 20 s' : 'cut off';
    }
    slowest = Math.max(slowest, performance.now() - began);
    const key = `${what} ${outcome}`;
    answers.set(key, (answers.get(key) ?? 0) + 1);
    return answer;
  }

  async function visit(client: number): Promise<void> {
    for (let round = 0; !isOver; round += 1) {
      const step = client + round * clients;
      const slot = slots[(step * 7) % slots.length]!;
      const at = (offset: number) => urls[(step + offset) % urls.length]!;
      const hold = (offset: number) =>
        ask('hold', `${at(offset)}/api/public/holds`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': `load-${step}` },
          // A mailbox of its own: one receives at most 20 mails a day.
          body: JSON.stringify(holdRequest(slot, { email: `ada${step}@example.com` })),
        });
      const answer = (await hold(0)) ?? (await hold(1));
      if (answer?.status === 201) {
        const { data } = JSON.parse(answer.body) as { data: { id: string; checkout_url: string } };
        acknowledged.held.push({ id: data.id, slot: slotName(slot) });
        await ask('status', `${at(1)}/api/public/bookings/${data.id}`);
        if (step % confirmedOf === 0) await confirm(at(1), data);
      }
      await ask('read', `${at(0)}/api/public/availability?from=${slot.date}&to=${slot.date}`);
      await delay(pauseMs);
    }
  }

  async function confirm(url: string, hold: { id: string; checkout_url: string }) {
    const answer = await ask('confirm', url + new URL(hold.checkout_url).pathname, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ action: 'confirm' }),
      redirect: 'manual',
    });
    // The result is on the page that follows, not in the response to the form.
    if (answer?.status !== 303) return;
    const status = await ask('status', `${url}/api/public/bookings/${hold.id}`);
    if (status?.status === 200 && status.body.includes('"status":"confirmed"')) {
      acknowledged.confirmed.push(hold.id);
    }
  }

  const visits = Array.from({ length: clients }, (_, client) => visit(client));
  return {
    acknowledged,
    answers,
    slowestMs: () => slowest,
    async stop() {
      isOver = true;
      await Promise.all(visits);
    },
  };
}
