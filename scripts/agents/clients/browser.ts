import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import type { Availability, Booking, Hold } from '../../../src/client/types.js';
import { findProgram } from '../../../test/support/process.js';
import type { Agent, Client } from '../agent.js';
import type { OpenTime } from '../steps.js';

/**
 * An assistant in a browser, without a model, which follows roles and names only. It stops at the page
 * of its hold, whose acts are the person's.
 */
export const browser: Client = async (baseUrl) => {
  const executablePath = findProgram('chromium-headless-shell', 'chromium', 'google-chrome');
  if (executablePath === null) throw new Error('there is no Chromium on this machine');
  const program = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  return agentOn(await program.newPage(), baseUrl, () => program.close());
};

function agentOn(page: Page, baseUrl: string, close: () => Promise<void>): Agent {
  const headed = (name: string) => page.getByRole('heading', { name });
  const links = page.getByRole('link', { name: / on \w+, \w+ \d+$/ });

  async function openTimes(): Promise<void> {
    await page.goto(baseUrl);
    await page.getByRole('link', { name: 'Choose a time' }).click();
    await headed('Book a session').waitFor();
  }

  /** What the page shows as open. */
  async function readTimes() {
    const names = await links.evaluateAll((all) => all.map(({ ariaLabel }) => ariaLabel ?? ''));
    return names.map(timeOf).map((time) => ({ ...time, starts_at: startOf(time), label: '' }));
  }

  return {
    async listOpenTimes() {
      await openTimes();
      const times = await readTimes();
      const days = times.map(({ date, ...slot }) => ({ date, slots: [slot] }));
      return { data: { days } as unknown as Availability };
    },
    async hold({ date, time_slot, name, email, phone }) {
      const link = page.getByRole('link', { name: linkTo({ date, time_slot }) });
      if ((await link.count()) === 0) await openTimes();
      await link.click();
      const taken = headed('That time has been taken');
      await page.getByLabel('Your name').or(taken).waitFor();
      if (await taken.isVisible()) {
        const message = await taken.innerText();
        const alternatives = (await readTimes()).slice(0, 5);
        return { error: { code: 'slot_unavailable', message, request_id: '', alternatives } };
      }
      await page.getByLabel('Your name').fill(name);
      await page.getByLabel('Your e-mail address').fill(email);
      await page.getByLabel('Your phone number').fill(phone);
      await page.getByRole('button', { name: 'Hold this time' }).click();
      await headed('This time is held for you').waitFor();
      const starts_at = startOf({ date, time_slot });
      return { data: { date, time_slot, starts_at, checkout_url: page.url() } as Hold };
    },
    async waitForPerson() {
      for (;;) {
        await page.reload();
        if (await headed('Your session is confirmed').isVisible()) break;
        await pause(reloadMs);
      }
      return { data: { status: 'confirmed' } as Booking };
    },
    readBooking: () => Promise.reject(new Error('a booking is read by its link only')),
    unable: ['be away', 'subscribe', 'be refused'],
    close,
  };
}

const reloadMs = 1_000;
const clock = /\d+:00 [AP]M/;
const day = /\w+, (?<month>\w+) (?<day>\d+)$/;
const dayMs = 86_400_000;

/** Of a link such as `1:00 PM on Tuesday, December 1`: the next such date. */
function timeOf(name: string): OpenTime {
  const [timeSlot] = clock.exec(name) ?? [];
  const { month, day: number } = day.exec(name)?.groups ?? {};
  const thisYear = new Date().getUTCFullYear();
  const at = [thisYear, thisYear + 1]
    .map((year) => Date.parse(`${month} ${number}, ${year} UTC`))
    .find((each) => each > Date.now() - 2 * dayMs);
  const date = new Date(at ?? NaN).toISOString().slice(0, 10);
  return { date, time_slot: timeSlot as OpenTime['time_slot'] };
}

/** On the studio's clock, whose zone a name does not tell. */
function startOf({ date, time_slot }: OpenTime): string {
  const hour = (Number.parseInt(time_slot, 10) % 12) + (time_slot.endsWith('PM') ? 12 : 0);
  return `${date}T${String(hour).padStart(2, '0')}:00:00`;
}

function linkTo({ date, time_slot }: OpenTime): string {
  const words = new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  });
  return `${time_slot} on ${words.format(new Date(date))}`;
}
