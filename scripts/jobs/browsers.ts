import { findProgram } from '../../test/support/process.js';
import { shiftDate } from '../../test/support/shift-date.js';
import { installTools, importTool } from '../../test/support/tools.js';

/** What is used here of puppeteer-core, which drives both browsers alike. */
interface Puppeteer {
  launch(options: Record<string, unknown>): Promise<{
    createBrowserContext(): Promise<BrowserProfile>;
    version(): Promise<string>;
    close(): Promise<void>;
  }>;
}

interface BrowserProfile {
  newPage(): Promise<BrowserPage>;
  close(): Promise<void>;
}

export interface ElementHandle {
  click(): Promise<void>;
  evaluate<Value, Args extends unknown[]>(
    run: (element: Element, ...args: Args) => Value,
    ...args: Args
  ): Promise<Value>;
}

/** A page, or a frame in it. */
export interface View {
  url(): string;
  evaluate<Value, Args extends unknown[]>(
    run: (...args: Args) => Value,
    ...args: Args
  ): Promise<Value>;
  evaluateHandle<Args extends unknown[]>(
    run: (...args: Args) => Element | null,
    ...args: Args
  ): Promise<{ asElement(): ElementHandle | null }>;
  waitForNavigation(): Promise<unknown>;
}

export interface BrowserPage extends View {
  goto(url: string): Promise<unknown>;
  bringToFront(): Promise<void>;
  goBack(): Promise<unknown>;
  goForward(): Promise<unknown>;
  waitForSelector(selector: string): Promise<{ contentFrame(): Promise<View | null> }>;
  screenshot(options: { path: string; fullPage: boolean }): Promise<unknown>;
  keyboard: { type(text: string): Promise<void>; press(key: string): Promise<void> };
  setDefaultTimeout(milliseconds: number): void;
  setViewport(size: { width: number; height: number }): Promise<void>;
  evaluateOnNewDocument(run: string | ((value: number) => void), value?: number): Promise<unknown>;
}

export const browserNames = ['chromium', 'firefox'] as const;
export type BrowserName = (typeof browserNames)[number];

const programs = {
  chromium: ['chromium', 'chromium-browser', 'google-chrome'],
  firefox: ['firefox-esr', 'firefox'],
};

const phone = { width: 390, height: 664 };
const patienceMs = 60_000;

export type JobBrowser = NonNullable<Awaited<ReturnType<typeof launch>>>;

/** A real browser on a phone's screen; null where the machine has none. */
export async function launch(name: BrowserName) {
  const executablePath = findProgram(...programs[name]);
  if (executablePath === null) return null;
  installTools();
  const { default: puppeteer } = await importTool<{ default: Puppeteer }>('puppeteer-core');
  const browser = await puppeteer.launch({
    ...{ browser: name === 'firefox' ? 'firefox' : 'chrome', executablePath },
    ...{ timeout: patienceMs, protocolTimeout: patienceMs },
    ...(name === 'chromium' && {
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'],
    }),
  });
  const shiftMs = Number(process.env['TEST_CLOCK_SHIFT_MS']);
  return {
    name,
    version: await browser.version(),
    close: () => browser.close(),
    /** A fresh profile, whose pages show the clock of the run. */
    async newProfile() {
      const profile = await browser.createBrowserContext();
      return {
        close: () => profile.close(),
        async newPage(): Promise<BrowserPage> {
          const page = await profile.newPage();
          page.setDefaultTimeout(patienceMs);
          // What is sent to a page has calls of the compiler's helper in it.
          await page.evaluateOnNewDocument('globalThis.__name = (named) => named');
          await page.evaluateOnNewDocument(shiftDate, shiftMs);
          await page.setViewport(phone);
          return page;
        },
      };
    },
  };
}
