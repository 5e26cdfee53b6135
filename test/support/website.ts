import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import type { Test } from 'tap';
import { openPage } from './pages.js';
import { generous, startService, type BrowserService } from './service.js';

/** A foreign website, on a free port of loopback. */
export async function startWebsite(t: Test) {
  type Show = (request: IncomingMessage) => { body: string; headers?: Record<string, string> };
  const pages = new Map<string, Show>();
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '');
    const { body, headers = {} } = page?.(request) ?? { body: '' };
    const type = { 'content-type': 'text/html; charset=utf-8' };
    response.writeHead(page === undefined ? 404 : 200, { ...type, ...headers }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return {
    /** For browsers another site than the service, whose host is 127.0.0.1. */
    origin: `http://localhost:${port}`,
    /** The same server at the service's host: the service's site, and an origin of its own. */
    originAtService: `http://127.0.0.1:${port}`,
    /** Sets what a path answers with. All others answer 404. */
    show: (path: string, page: Show) => void pages.set(path, page),
  };
}

export interface Embedded extends BrowserService {
  website: Awaited<ReturnType<typeof startWebsite>>;
}

/**
 * Starts a service that the website may frame, and the website, which shows one script at `/`.
 * Returns a function that declares a test of them; without a browser, it is skipped.
 */
export async function embeddedTests(t: Test) {
  const website = await startWebsite(t);
  const environment = { ...generous, EMBED_ORIGINS: `https://studio.example,${website.origin}` };
  const service = await startService(t, environment, { browser: 'whole' });
  if (service !== null) website.show('/', () => ({ body: websitePage(scriptTag(service)) }));
  return (title: string, run: (t: Test, pages: Embedded) => Promise<void>): void => {
    void t.test(title, { skip: service === null }, async (t) => {
      if (service !== null) await run(t, { ...service, website });
    });
  };
}

export function scriptTag({ url }: Pick<BrowserService, 'url'>): string {
  return `<script src="${url}/embed.js" async></script>`;
}

export function websitePage(content: string): string {
  return `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
    <title>Night Heron</title><body style="margin: 0"><h1>Our website</h1>${content}<p id="end">The end</p>`;
}

/** The frame of the n-th script, once its page is loaded. */
export async function frameOf(page: Page, index = 0): Promise<Frame> {
  const element = await page.waitForSelector(`:nth-match(iframe, ${index + 1})`);
  const frame = (await element.contentFrame())!;
  await frame.waitForSelector('main');
  return frame;
}

/** Resolves once the frame is exactly as tall as the page in it, which then has no scrollbar. */
export async function waitUntilFits(frame: Frame): Promise<void> {
  await frame.waitForFunction(() => {
    const { scrollHeight, scrollWidth, clientHeight, clientWidth } = document.documentElement;
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    return (
      innerHeight === height &&
      clientWidth === innerWidth &&
      scrollHeight <= clientHeight &&
      scrollWidth <= clientWidth
    );
  });
}

export async function openWebsite(
  t: Test,
  pages: Embedded,
  options = {},
  path = '/',
): Promise<Page> {
  const page = await openPage(t, pages, { viewport: { width: 390, height: 800 }, ...options });
  await page.goto(pages.website.origin + path);
  return page;
}
