import { setTimeout as delay } from 'node:timers/promises';
import { holdBody, type Slot } from '../../scripts/bench/slots.js';
import type { AcknowledgedHold } from './audit.js';

/** Simulated clients that send load to several processes while faults are injected. */
export interface Load {
  acknowledged: { held: AcknowledgedHold[]; confirmed: string[] };
  /** The number of responses by kind, such as `hold 201`. */
  answers: Map<string, number>;
  slowestMs(): number;
  stop(): Promise<void>;
}

const clients = 8;
/** Keeps the event rate below what one subscription can receive, at two concurrent requests. */
const pauseMs = 100;
const patienceMs = 20_000;
const confirmedOf = 20;

export function slotName(slot: Slot): string {
  return `${slot.date} ${slot.time_slot}`;
}

/**
 * Each client holds a slot, reads the booking, sometimes confirms it, and reads open times. Without a
 * response it retries the hold on another process with the same key.
 */
export function startLoad(urls: readonly string[], slots: readonly Slot[]): Load {
  const acknowledged: Load['acknowledged'] = { held: [], confirmed: [] };
  const answers = new Map<string, number>();
  let slowest = 0;
  let isOver = false;

  /** Sends a request and counts its outcome. Returns null if there is no complete response. */
  async function ask(what: string, url: string, options: RequestInit = {}) {
    const began = performance.now();
    let answer: Response | null = null;
    let body = '';
    let outcome: string;
    try {
      answer = await fetch(url, { ...options, signal: AbortSignal.timeout(patienceMs) });
      body = await answer.text();
      outcome = String(answer.status);
    } catch (error) {
      answer = null;
      outcome = (error as Error).name === 'TimeoutError' ? 'no answer in 20 s' : 'cut off';
    }
    slowest = Math.max(slowest, performance.now() - began);
    const key = `${what} ${outcome}`;
    answers.set(key, (answers.get(key) ?? 0) + 1);
    return answer === null ? null : { status: answer.status, body };
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
          body: holdBody(slot).replace('ada@', `ada${step}@`),
        });
      const answer = (await hold(0)) ?? (await hold(1));
      if (answer?.status === 201) {
        const { data } = JSON.parse(answer.body) as { data: { id: string; checkout_url: string } };
        acknowledged.held.push({ id: data.id, slot: slotName(slot) });
        await ask('status', `${at(1)}/api/public/bookings/${data.id}`);
        if (step % confirmedOf === 0) await confirm(at(1), data.id, data.checkout_url);
      }
      await ask('read', `${at(0)}/api/public/availability?from=${slot.date}&to=${slot.date}`);
      await delay(pauseMs);
    }
  }

  async function confirm(url: string, id: string, checkoutUrl: string): Promise<void> {
    const { pathname } = new URL(checkoutUrl);
    const page = `${url}${pathname}`;
    const answer = await ask('confirm', page, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ action: 'confirm' }),
      redirect: 'manual',
    });
    // The result is on the page that follows, not in the response to the form.
    if (answer?.status !== 303) return;
    const status = await ask('status', `${url}/api/public/bookings/${id}`);
    if (status?.status === 200 && status.body.includes('"status":"confirmed"')) {
      acknowledged.confirmed.push(id);
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
