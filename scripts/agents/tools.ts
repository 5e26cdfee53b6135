import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Booking, ErrorResponse } from '../../src/client/types.js';
import type { Agent, Answer } from './agent.js';

/** The longest wait that the tool allows. */
const wait_seconds = 50;

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

type BookingStatus = Booking & { poll_interval_seconds?: number };

export function agentOverTools(client: ToolClient): Agent {
  const call = async <Data>(name: string, args: object): Promise<Answer<Data>> =>
    answerOf<Data>(await client.call(name, { ...args }));
  return {
    listOpenTimes: (range) => call('list_open_times', range),
    hold: (request) => call('hold_slot', { ...request, idempotency_key: randomUUID() }),
    readBooking: (id) => call('get_booking_status', { booking_id: id }),
    async waitForPerson({ id: booking_id }) {
      for (;;) {
        const answer = await call<BookingStatus>('get_booking_status', {
          booking_id,
          wait_seconds,
        });
        if ('error' in answer || answer.data.status !== 'pending') return answer;
        // Where too many calls wait already.
        await pause((answer.data.poll_interval_seconds ?? 0) * 1000);
      }
    },
    unable: ['subscribe'],
    close: () => client.close(),
  };
}

function answerOf<Data>({ isError, structuredContent, content }: ToolResult): Answer<Data> {
  if (isError !== true) return { data: structuredContent as Data };
  return JSON.parse(content[0]?.text ?? '') as ErrorResponse;
}
