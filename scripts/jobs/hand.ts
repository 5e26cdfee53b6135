import type { BrowserPage, ElementHandle, View } from './browsers.js';

/** What a person presses or reads, as they would name it. */
export interface Target {
  role: 'link' | 'button' | 'field' | 'text';
  /** The whole name (of a field: its beginning), or a pattern of it. */
  name: string | RegExp;
  /** A part of the page: its name, or a line of a list or table that has the pattern in it. */
  within?: string | RegExp | undefined;
}

type Name = Target['name'];

const target =
  (role: Target['role']) =>
  (name: Name, within?: Name): Target => ({ role, name, within });

export const link = target('link');
/** Also what opens details. */
export const button = target('button');
/** Also a box to tick and a choice of several. */
export const field = target('field');
export const text = target('text');

export interface Counts {
  /** Links, buttons and boxes pressed, and fields that got the focus. */
  presses: number;
  /** What was typed. */
  letters: number;
  /** Choices in the phone's own lists, calendars and clocks, beside the press that opens them. */
  picks: number;
}

const patienceMs = 15_000;
const pauseMs = 50;

export type Hand = ReturnType<typeof createHand>;

/** A person at a page, whose presses are counted. What cannot be done throws. */
export function createHand(page: BrowserPage) {
  const counts: Counts = { presses: 0, letters: 0, picks: 0 };
  let view: View = page;

  async function find(wanted: Target): Promise<ElementHandle> {
    await page.bringToFront();
    const given = [wanted.role, portable(wanted.name), portable(wanted.within)] as const;
    for (const end = performance.now() + patienceMs; ;) {
      const found = await view
        .evaluateHandle(findElement, ...given)
        .then((handle) => handle.asElement())
        // The page is on its way to another.
        .catch(() => null);
      if (found !== null) return found;
      if (performance.now() > end) {
        const shown = await view.evaluate(() => document.body.innerText);
        throw new Error(`${page.url()} has no ${wanted.role} “${wanted.name}”:\n${shown}`);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  async function press(element: ElementHandle, isDownload = false): Promise<void> {
    const way = await element.evaluate(wayOf);
    if (way === 'covered') throw new Error(`${page.url()}: something lies over what is pressed`);
    counts.presses += 1;
    if (isDownload || way === 'stays') return element.click();
    await Promise.all([(way === 'top' ? page : view).waitForNavigation(), element.click()]);
    if (way === 'top') view = page;
  }

  return {
    page,
    counts,
    /** Opens a page without a press: it is open when the job begins. Counts from here. */
    async open(url: string): Promise<void> {
      view = page;
      await page.goto(url);
      Object.assign(counts, { presses: 0, letters: 0, picks: 0 });
    },
    /** From here on in the frame of a page. */
    async enterFrame(): Promise<void> {
      view = (await (await page.waitForSelector('iframe')).contentFrame()) ?? page;
    },
    async tap(wanted: Target): Promise<void> {
      await press(await find(wanted));
    },
    /** Presses what opens no page: the phone gets a file. */
    async download(wanted: Target): Promise<void> {
      await press(await find(wanted), true);
    },
    /** Types into a field, or chooses in the phone's own list. A press unless it has the focus. */
    async type(wanted: Target, typed: string): Promise<void> {
      const element = await find(wanted);
      const { isFocused, isPicker } = await element.evaluate(readField);
      if (!isFocused) counts.presses += 1;
      if (isPicker) {
        counts.picks += 1;
        await element.evaluate(choose, typed);
        return;
      }
      if (!isFocused) await element.click();
      await element.evaluate((it) => (it as HTMLInputElement).select());
      await page.keyboard.type(typed);
      counts.letters += [...typed].length;
    },
    /** The key of the phone's keyboard that sends the form. */
    async enter(): Promise<void> {
      counts.presses += 1;
      await Promise.all([view.waitForNavigation(), page.keyboard.press('Enter')]);
    },
    /** Resolves with the text once the page shows it. */
    async see(wanted: Target): Promise<string> {
      const element = await find(wanted);
      return element.evaluate((it) => (it.textContent ?? '').replaceAll(/\s+/g, ' ').trim());
    },
    /** The screen, from 1, on which it is seen as the page scrolls. */
    async screenOf(wanted: Target): Promise<number> {
      const element = await find(wanted);
      return element.evaluate((it) => {
        const { bottom } = it.getBoundingClientRect();
        return Math.ceil((bottom + scrollY) / innerHeight);
      });
    },
  };
}

type Portable = { source: string; flags: string } | null;

function portable(name: Name | undefined): Portable {
  if (name === undefined) return null;
  if (typeof name !== 'string') return { source: name.source, flags: name.flags };
  return { source: `^${name.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)}$`, flags: '' };
}

/** Runs in the page, as those below. The first that is visible. */
function findElement(role: Target['role'], name: Portable, within: Portable): Element | null {
  const selectors = {
    link: 'a[href]',
    button: 'button, summary',
    field: 'input:not([type=hidden]), select, textarea',
    text: 'h1, h2, h3, h4, p, li, dt, dd, th, td, legend, label, pre',
  };
  const parts = 'section, li, tr, fieldset, nav, article, [role=group], [role=region]';
  const single = (words: string | null | undefined) => (words ?? '').replaceAll(/\s+/g, ' ').trim();
  const labelled = (element: Element) =>
    element.getAttribute('aria-label') ??
    element
      .getAttribute('aria-labelledby')
      ?.split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .join(' ');
  const nameOf = (element: Element) =>
    single(
      labelled(element) ??
        (role === 'field' ? (element as HTMLInputElement).labels?.[0]?.textContent : null) ??
        element.textContent,
    );
  // The label of a field ends with a hint, or the options of a list.
  const beginning =
    role === 'field' ? name?.source.replace(/^(\^.*)\$$/, String.raw`$1(?!\w)`) : name?.source;
  const wanted = new RegExp(beginning ?? '', name?.flags);
  const isWithin = (element: Element) => {
    if (within === null) return true;
    const pattern = new RegExp(within.source, within.flags);
    for (
      let part = element.parentElement?.closest(parts);
      part;
      part = part.parentElement?.closest(parts)
    ) {
      if (
        pattern.test(
          single(
            labelled(part) ?? (/^(LI|TR|FIELDSET)$/.test(part.tagName) ? part.textContent : ''),
          ),
        )
      )
        return true;
    }
    return false;
  };
  const all = [...document.querySelectorAll(selectors[role])];
  return (
    all.find(
      (element) =>
        wanted.test(nameOf(element)) &&
        isWithin(element) &&
        element.checkVisibility({ visibilityProperty: true }),
    ) ?? null
  );
}

/** Where a press leads: nowhere, to another page in the frame, or to one in the whole window. */
function wayOf(element: Element): 'covered' | 'stays' | 'here' | 'top' {
  element.scrollIntoView({ block: 'center' });
  const { left, top, width, height } =
    element.getClientRects()[0] ?? element.getBoundingClientRect();
  const hit = document.elementFromPoint(left + width / 2, top + height / 2);
  const label = (element as HTMLInputElement).labels?.[0];
  if (hit === null || !(element.contains(hit) || hit.contains(element) || label?.contains(hit)))
    return 'covered';
  const usual = document.querySelector('base')?.target;
  const place = (named: string) =>
    (named || usual) === '_top' || window.parent === window ? 'top' : 'here';
  if (element instanceof HTMLAnchorElement) {
    const isPage = element.protocol.startsWith('http') && !element.hasAttribute('download');
    const isHere =
      element.hash !== '' && element.href.split('#')[0] === location.href.split('#')[0];
    return isPage && !isHere ? place(element.target) : 'stays';
  }
  const sends = element instanceof HTMLButtonElement && element.type === 'submit' && element.form;
  return sends ? place(sends.target) : 'stays';
}

function readField(element: Element) {
  const type = element.tagName === 'SELECT' ? 'select' : (element as HTMLInputElement).type;
  element.scrollIntoView({ block: 'center' });
  return {
    isFocused: document.activeElement === element,
    isPicker: ['select', 'date', 'time', 'month'].includes(type),
  };
}

/** `wanted`: the label of an option, or a value. */
function choose(element: Element, wanted: string): void {
  const input = element as HTMLInputElement | HTMLSelectElement;
  input.focus();
  const option =
    input instanceof HTMLSelectElement
      ? [...input.options].find((each) => each.text.trim() === wanted)
      : undefined;
  if (input instanceof HTMLSelectElement && !option) throw new Error(`no option ${wanted}`);
  input.value = option?.value ?? wanted;
  for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
}
