import t from 'tap';
import type { Page } from 'playwright-core';
import type { Studio } from '../../generated/schemas.js';
import { openPage, startPages } from '../support/pages.js';

interface Described {
  [member: string]: unknown;
  address: Record<string, unknown>;
  openingHoursSpecification: Record<string, unknown>[];
  hasMap: string;
}

const dataBlock = 'script[type="application/ld+json"]';

/** The studio as the page describes it to machines, read as a browser parses the page. */
async function describedStudio(page: Page): Promise<Described> {
  return JSON.parse((await page.locator(dataBlock).textContent()) ?? '') as Described;
}

/** The content of an Open Graph property; null without it. */
async function openGraph(page: Page, property: string): Promise<string | null> {
  const element = page.locator(`meta[property="og:${property}"]`);
  return (await element.count()) === 1 ? element.getAttribute('content') : null;
}

async function studioOf(url: string): Promise<Studio> {
  const answer = await fetch(`${url}/api/public/studio`);
  return ((await answer.json()) as { data: Studio }).data;
}

void t.test('the JSON-LD of the dashboard says what the interface says', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { url } = pages;
  const page = await openPage(t, pages);
  await page.goto(url);
  const { hasMap, ...described } = await describedStudio(page);
  const studio = await studioOf(url);
  const { address, contact, hours } = studio;
  const open = hours.filter(({ opens }) => opens !== null);
  t.ok(open.length > 0 && open.length < 7, 'with and without hours');
  t.strictSame(described, {
    '@context': 'https://schema.org',
    '@type': 'TattooParlor',
    name: studio.name,
    description: studio.description,
    url: `${url}/`,
    sameAs: contact.website,
    telephone: contact.phone,
    email: contact.email,
    address: {
      '@type': 'PostalAddress',
      streetAddress: address.street,
      addressLocality: address.city,
      addressRegion: address.region,
      postalCode: address.postal_code,
      addressCountry: address.country,
    },
    openingHoursSpecification: open.map(({ day, opens, closes }) => ({
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: day.slice(0, 1).toUpperCase() + day.slice(1),
      opens,
      closes,
    })),
    potentialAction: {
      '@type': 'ReserveAction',
      target: {
        '@type': 'EntryPoint',
        urlTemplate: `${url}/book`,
        actionPlatform: [
          'https://schema.org/DesktopWebPlatform',
          'https://schema.org/MobileWebPlatform',
        ],
      },
      result: { '@type': 'Reservation', name: 'Tattoo session' },
    },
  });
  t.equal(hasMap, await page.getByText('Open the map').getAttribute('href'));
});

void t.test('the dashboard has a title, text and address for those who share it', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const page = await openPage(t, pages);
  await page.goto(pages.url);
  const studio = await studioOf(pages.url);
  for (const [property, content] of Object.entries({
    type: 'website',
    title: await page.title(),
    description: studio.description,
    url: `${pages.url}/`,
    site_name: studio.name,
    locale: 'en_US',
    image: null,
  })) {
    t.equal(await openGraph(page, property), content, property);
  }
});

void t.test('the policy of the dashboard is violated by nothing on it', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  // Not one that fails the test at the first violation, as the last of them is wanted.
  const page = await pages.browser.newPage();
  await page.addInitScript(() => {
    const violations: string[] = [];
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      violations.push(`${violatedDirective} ${blockedURI}`),
    );
    Object.assign(window, { violations });
  });
  const violations = () =>
    page.evaluate(() => (window as unknown as { violations: string[] }).violations);
  await page.goto(pages.url, { waitUntil: 'load' });
  await page.waitForFunction(() => document.querySelector('#connection')?.textContent === 'Live');
  t.equal(await page.locator(dataBlock).count(), 1);
  t.strictSame(await violations(), []);
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = true';
    document.head.append(script);
  });
  t.equal((await violations()).length, 1, 'a script that would run is one');
});

void t.test('no text of the studio ends the data block or a tag of Open Graph', async (t) => {
  const pages = await startPages(t);
  if (pages === null) return;
  const { context } = pages.service;
  const page = await openPage(t, pages);
  for (const hostile of [
    '</script><script>alert(1)</script>',
    '</SCRIPT ><img src=x onerror=alert(2)>',
    '<!--<script>',
    ']]>--></title>\u2028\u2029"\\u003c/script>\\',
    `"'><meta property="og:url" content="https://elsewhere.example">&lt;`,
  ]) {
    await context.database
      .updateTable('studio')
      .set({ name: hostile, description: hostile, city: hostile, phone: hostile })
      .execute();
    await context.board.refresh();
    await page.goto(pages.url);
    const described = await describedStudio(page);
    t.equal(described['name'], hostile);
    t.equal(described['description'], hostile);
    t.equal(described['telephone'], hostile);
    t.equal(described.address['addressLocality'], hostile);
    t.equal(await openGraph(page, 'description'), hostile);
    t.equal(await openGraph(page, 'site_name'), hostile);
    t.equal(await openGraph(page, 'url'), `${pages.url}/`);
    t.equal(await page.locator('script').count(), 2, 'the data block and the script of the page');
    t.equal(await page.locator('img').count(), 0);
    t.ok(await page.locator('.colophon').isVisible(), 'the page is complete');
  }
});
