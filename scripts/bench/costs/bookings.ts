import { Pool } from 'undici';
import { sendAll, type Call } from '../load.js';
import { expiryProbe } from '../probes/expiry.js';
import { clients } from '../probes/holds.js';
import { holdBody, openSlots, placeHold } from '../slots.js';
import { costOfAttempts, holdCall } from './attempts.js';
import type { Cost, Subject } from './cost.js';
import { bytesOf } from './requests.js';

/** Few enough that all rounds find open slots. */
const holdsPerRound = 180;
const lapsesPerRound = 1_000;

/** Holds with their jobs, refusals, the press of the person, and the lapse of a hold. */
export async function costsOfBookings(subject: Subject): Promise<Cost[]> {
  const { service, meter, progress } = subject;
  const pool = new Pool(service.url, { connections: clients });
  const costs: Cost[] = [];
  const measure = async (
    what: string,
    work: () => Promise<number>,
    example?: () => Promise<{ call: Call; status: number }>,
  ) => {
    progress(what);
    const usage = await meter.measure(work);
    const shown = await example?.();
    const bytes = shown === undefined ? null : await bytesOf(service.url, shown.call, shown.status);
    costs.push({ what, ...usage, bytes });
  };

  const urls: string[] = [];
  const holdAll = async (): Promise<void> => {
    const left = (await openSlots(service.url, holdsPerRound)).values();
    await Promise.all(
      Array.from({ length: clients }, async () => {
        for (const slot of left) urls.push((await placeHold(service.url, slot)).checkout_url);
      }),
    );
  };
  await measure(
    'hold, with its job',
    async () => {
      await holdAll();
      return holdsPerRound;
    },
    async () => {
      const [spare] = await openSlots(service.url, 1);
      return { call: holdCall(holdBody(spare!)), status: 201 };
    },
  );
  const pressed = urls.map((url, index) => confirmCall(url, index));
  const perRound = Math.floor(pressed.length / presses);
  await measure(
    'confirmation by link',
    async () => {
      await sendAll(pool, pressed.splice(0, perRound), clients);
      return perRound;
    },
    async () => ({ call: pressed.at(-1)!, status: 303 }),
  );
  const [taken] = await openSlots(service.url, 1);
  await placeHold(service.url, taken!);
  costs.push(await costOfAttempts(subject, 'hold that is refused, with alternatives', taken!, 409));
  const lapse = expiryProbe(service);
  await measure('hold that lapses: its job and its end', async () => {
    await lapse.measure();
    return lapsesPerRound;
  });
  await pool.close();
  return costs;
}

/** The rounds of a measurement with the one before them, and one press for its bytes. */
const presses = 5;

/** From one of many addresses: pages have a limit for each that no setting changes. */
function confirmCall(url: string, index: number): Call {
  const { origin, pathname: path } = new URL(url);
  const headers = {
    origin,
    'content-type': 'application/x-www-form-urlencoded',
    'x-forwarded-for': `192.0.2.${(index % 250) + 1}`,
  };
  return { method: 'POST', path, headers, body: 'action=confirm' };
}
