import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { BrowserContextOptions, Frame, Page } from 'playwright-core';
import type { Test } from 'tap';
import type { Context } from '../../src/context.js';
import { addDays } from '../../src/schedule/dates.js';
import type { Slot } from '../../src/schedule/slots.js';
import { ada, everyBooking } from './book-pages.js';
import type { ChatOptions, ChatPage } from './chat-page.js';
import { endpoint } from './mcp.js';
import { openPage } from './pages.js';
import { projectRoot } from './project.js';
import { someOpenSlots } from './requests.js';
import type { BrowserService } from './service.js';

/** What SEP-1865 prescribes for a view that declares no origins. */
const viewPolicy = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'self'",
].join('; ');

/** The sandbox proxy of SEP-1865: it passes messages on, and shows the view. */
const sandboxPage = `<!doctype html><html lang="en"><title>Sandbox</title>
<style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0 }</style>
<iframe title="The view" sandbox="allow-scripts"></iframe>
<script>
  const view = document.querySelector('iframe');
  const policy = ${JSON.stringify(`<head><meta http-equiv="Content-Security-Policy" content="${viewPolicy}">`)};
  addEventListener('message', ({ source, data }) => {
    if (source === view.contentWindow) parent.postMessage(data, '*');
    else if (source !== parent) return;
    else if (data?.method === 'ui/notifications/sandbox-resource-ready')
      view.srcdoc = data.params.html.replace('<head>', policy);
    else view.contentWindow.postMessage(data, '*');
  });
  const ready = 'ui/notifications/sandbox-proxy-ready';
  parent.postMessage({ jsonrpc: '2.0', method: ready, params: {} }, '*');
</script></html>`;

const chatPage = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
<title>Chat</title><style>body { margin: 0 } iframe { display: block; width: 100%; border: 0 }</style>
<iframe title="Sandbox"></iframe><script src="/chat.js"></script></html>`;

let served: Promise<number> | undefined;

/** Serves the chat and, for browsers on another site, its sandbox. Resolves with the port. */
async function serveChat(): Promise<number> {
  const { outputFiles } = await build({
    entryPoints: [join(projectRoot, 'test/support/chat-page.ts')],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  });
  const script = outputFiles[0]!.text;
  const server = createServer(({ url }, response) => {
    const isScript = url === '/chat.js';
    const type = isScript ? 'text/javascript' : 'text/html';
    response.writeHead(200, { 'content-type': `${type}; charset=utf-8` });
    response.end(isScript ? script : url === '/sandbox' ? sandboxPage : chatPage);
  });
  server.unref().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

export interface SentMessage {
  id?: number;
  method?: string;
  params?: { name?: string; arguments?: Record<string, unknown> };
}

export interface ChatSetting extends Partial<Omit<ChatOptions, 'endpoint' | 'sandboxUrl'>> {
  browserOptions?: BrowserContextOptions;
  /** The test controls the clock of the page, which shows this at first; `true`: the run's time. */
  clock?: true | Date;
}

export const everyCapability = {
  openLinks: {},
  serverTools: {},
  updateModelContext: { text: {}, structuredContent: {} },
};

/** Opens a chat that shows the view; resolves when the view has received what it is shown for. */
export async function openChat(t: Test, service: BrowserService, setting: ChatSetting = {}) {
  const { browserOptions, clock, ...options } = setting;
  const port = await (served ??= serveChat());
  const viewport = { width: 400, height: 900 };
  const page = await openPage(t, service, { viewport, ...browserOptions });
  if (clock !== undefined) await page.clock.install(clock === true ? {} : { time: clock });
  await page.addInitScript(recordAnswers);
  await page.goto(`http://localhost:${port}/`);
  const started: ChatOptions = {
    capabilities: everyCapability,
    context: {},
    args: {},
    linkAnswer: 'opened',
    ...options,
    endpoint: endpoint(service.url).href,
    sandboxUrl: `http://127.0.0.1:${port}/sandbox`,
  };
  const chat = await page.evaluateHandle(() => (window as unknown as { chat: ChatPage }).chat);
  await chat.evaluate((present, given) => present.start(given), started);
  const sandbox = await frameIn(page);
  const view = await frameIn(sandbox);
  const sent = () => chat.evaluate((present) => present.sent as SentMessage[]);
  return {
    page,
    view,
    /** All messages of the view. */
    sent,
    /** The arguments of the view's calls of a tool. */
    calls: async (tool: string) =>
      (await sent()).flatMap(({ params }) => (params?.name === tool ? [params.arguments!] : [])),
    /** Resolves once the view has received an answer to each of its calls of a tool so far. */
    async answered(tool: string) {
      const calls = (await sent()).filter(({ params }) => params?.name === tool);
      const ids = calls.map(({ id }) => id);
      // In a loop of the test's own: the clock of the page may stand still.
      while (!(await view.evaluate(areAnswered, ids)));
    },
    /** The addresses that the view has asked the chat to open; resolves once there is one. */
    async opened() {
      await page.waitForFunction((present) => present.opened.length > 0, chat);
      return chat.evaluate((present) => present.opened);
    },
    /** What the view has told the model; resolves once it has `count` times. */
    async contexts(count: number) {
      await page.waitForFunction(([present, least]) => present.contexts.length >= least, [
        chat,
        count,
      ] as const);
      return chat.evaluate((present) => present.contexts as object[]);
    },
    /** Calls a method of the bridge, which sends the view a message. */
    bridge: (method: keyof ChatPage['bridge'], params: object): Promise<unknown> =>
      chat.evaluate(
        ({ bridge }, call) => bridge[call.method](call.params as never) as Promise<object>,
        { method, params },
      ),
  };
}

export type Chat = Awaited<ReturnType<typeof openChat>>;

/** Records, in each frame of a page, the ids of the answers that it receives. */
function recordAnswers(): void {
  const answeredIds: unknown[] = [];
  Object.assign(window, { answeredIds });
  addEventListener('message', ({ data }: MessageEvent<SentMessage | null>) => {
    if (data?.method === undefined) answeredIds.push(data?.id);
  });
}

function areAnswered(ids: unknown[]): boolean {
  const { answeredIds } = window as unknown as { answeredIds: unknown[] };
  return ids.every((id) => answeredIds.includes(id));
}

async function frameIn(outer: Page | Frame): Promise<Frame> {
  const element = await outer.waitForSelector('iframe');
  const frame = (await element.contentFrame())!;
  await frame.waitForSelector('main, iframe');
  return frame;
}

/** A month of dates, from the day of the first slot that tests use. */
export async function openRange(context: Context): Promise<{ from: string; to: string }> {
  const [slot] = await someOpenSlots(context, 1);
  return { from: slot.date, to: addDays(slot.date, 30) };
}

/** A chat in which the model has listed the open times. */
export async function openTimesChat(t: Test, service: BrowserService, setting: ChatSetting = {}) {
  const args = await openRange(service.context);
  const chat = await openChat(t, service, { tool: 'list_open_times', args, ...setting });
  await waitForState(chat, 'times');
  return chat;
}

/** Resolves once the view is in a state; where it never is, the error has what it shows instead. */
export async function waitForState(chat: Chat, state: string): Promise<void> {
  const { view } = chat;
  try {
    await view.waitForSelector(`[data-state=${state}]`);
  } catch (cause) {
    const shown = await view.getAttribute('#view', 'data-state');
    const words = `It is ${shown}, after ${(await chat.sent()).length} messages: ${await wordsOf(chat)}`;
    throw new Error(words, { cause });
  }
}

/**
 * Presses a button that a person could press. At no point of the screen: where the chat gives the
 * frame another height at that moment, because the view has read something, a click would be lost.
 */
export async function press({ view }: Chat, button: string): Promise<void> {
  await view.click(button, { trial: true });
  await view.focus(button);
  await view.dispatchEvent(button, 'click');
}

/** The button of an open time. */
export function timeButton({ date, timeSlot }: Slot): string {
  return `button[data-slot="${date} ${timeSlot}"]`;
}

/** Chooses a time, types what a hold takes, and presses the button. */
export async function holdInView(
  chat: Chat,
  slot: Slot,
  changes: Partial<typeof ada> = {},
): Promise<void> {
  await press(chat, timeButton(slot));
  const { name, email, phone } = ada;
  for (const [field, text] of Object.entries({ name, email, phone, ...changes })) {
    await chat.view.fill(`#${field}`, text);
  }
  await press(chat, '#hold');
}

/** The bookings of a slot, oldest first. */
export async function bookingsOf(context: Context, { date, timeSlot }: Slot) {
  const rows = await everyBooking(context);
  return rows.filter((row) => row.date === date && row.time_slot === timeSlot);
}

/** The words that the view shows. */
export function wordsOf({ view }: Chat): Promise<string> {
  return view.innerText('main');
}
