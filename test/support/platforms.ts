import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { addPlatform } from '../../src/access/platforms.js';
import type { Context } from '../../src/context.js';
import type { NewPlatform } from '../../src/repositories/platforms.js';
import type { Slot } from '../../src/schedule/slots.js';
import { patiently } from './agents.js';
import { standingClock } from './clock.js';
import { legacyRequest, type CallResult } from './mcp.js';
import { holdRequest, someOpenSlots } from './requests.js';
import { startService, uncapped } from './service.js';

/** An address in the range of `claude`, and one in that of `other`. */
export const claudeAddress = '198.51.100.7';
export const otherAddress = '203.0.113.7';
export const unlistedAddress = '192.0.2.7';

/** Lists a platform, `claude` where no other name is given, in the database and in this process. */
export async function listPlatform(
  context: Pick<Context, 'database' | 'platforms'>,
  changes: Partial<NewPlatform> = {},
): Promise<void> {
  const { outcome } = await addPlatform(context, 'a test', {
    name: 'claude',
    ranges: ['198.51.100.0/24'],
    ...changes,
  });
  if (outcome !== 'done') throw new Error(outcome);
  await context.platforms.refresh();
}

/** A hosted assistant: it calls tools from one address, for the person whom `subject` names. */
export function assistant(app: FastifyInstance, address = claudeAddress) {
  const call = async (
    name: string,
    args: object,
    subject?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const meta = subject === undefined ? {} : { _meta: { 'openai/subject': subject } };
    const http = await patiently(() =>
      app.inject({
        method: 'POST',
        url: '/api/public/mcp',
        remoteAddress: address,
        headers: { accept: 'application/json, text/event-stream', ...headers },
        payload: legacyRequest('tools/call', { name, arguments: args, ...meta }),
      }),
    );
    const { result } = http.json<{ result: CallResult }>();
    /** `held`, `done`, or the code of the refusal. */
    const outcome = outcomeOf(result);
    return { http, result, outcome };
  };
  return {
    call,
    read: (subject?: unknown) => call('get_studio_info', {}, subject),
    hold: (
      slot: Slot,
      subject?: unknown,
      changes: Parameters<typeof holdRequest>[1] = {},
      headers: Record<string, string> = {},
    ) => call('hold_slot', holdRequest(slot, changes), subject, headers),
  };
}

/** An answer of the connector to a tool call. */
export type ToolAnswer = Awaited<ReturnType<ReturnType<typeof assistant>['call']>>;

function outcomeOf({ isError, content, structuredContent }: CallResult): string {
  if (isError !== true) return structuredContent?.['checkout_url'] === undefined ? 'done' : 'held';
  return (JSON.parse(content[0]?.text ?? '') as { error: { code: string } }).error.code;
}

/** The token in the checkout address of a hold. */
export function tokenOf({ result }: ToolAnswer): string {
  const url = String(result.structuredContent?.['checkout_url']);
  return url.slice(url.lastIndexOf('/') + 1);
}

/** The service with the platform `claude`, its assistant, and slots to hold. */
export async function startWithPlatform(
  t: Test,
  {
    environment = uncapped as Record<string, string>,
    platform = {} as Partial<NewPlatform>,
    slotCount = 40,
  } = {},
) {
  const clock = standingClock();
  const service = await startService(t, environment, { overrides: { clock } });
  await listPlatform(service.context, platform);
  const slots = await someOpenSlots(service.context, slotCount);
  const nextSlot = (): Slot => {
    const slot = slots.shift();
    if (slot === undefined) throw new Error('no slot is left');
    return slot;
  };
  return { ...service, clock, nextSlot, claude: assistant(service.app) };
}
