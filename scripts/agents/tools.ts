import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Booking, ErrorResponse } from '../../src/client/types.js';
import type { Agent, Answer } from './agent.js';

/** The result of a tool, as every client of MCP gives it. */
export interface ToolResult {
  content: { type: string; text?: string }[];
  structuredContent?: unknown;
  isError?: boolean;
}

/** What every client of MCP can do. */
export interface ToolClient {
  call(name: string, args: Record<string, unknown>): Promise<ToolResult>;
  close(): Promise<void>;
}

export function agentOverTools(client: ToolClient): Agent {
  const call = async <Data>(name: string, args: object): Promise<Answer<Data>> =>
    answerOf<Data>(await client.call(name, { ...args }));
  const readBooking = (id: string) => call<Booking>('get_booking_status', { booking_id: id });

  return {
    listOpenTimes: (range) => call('list_open_times', range),
    hold: (request) => call('hold_slot', { ...request, idempotency_key: randomUUID() }),
    readBooking,
    async waitForPerson({ id, handoff }) {
      for (;;) {
        await pause(handoff.poll_interval_seconds * 1000);
        const answer = await readBooking(id);
        if ('error' in answer || answer.data.status !== 'pending') return answer;
      }
    },
    webhooks: null,
    close: () => client.close(),
  };
}

function answerOf<Data>({ isError, structuredContent, content }: ToolResult): Answer<Data> {
  if (isError !== true) return { data: structuredContent as Data };
  return JSON.parse(content[0]?.text ?? '') as ErrorResponse;
}
