import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { addBooking } from '../../src/domain/studio/bookings.js';
import { packageRoot } from '../../src/platform/package-root.js';
import { ofArtist } from '../../src/schedule/artists.js';
import { openSlots } from '../../src/schedule/calendar.js';
import { addDays } from '../../src/schedule/dates.js';
import { addArtists } from '../../test/support/artists.js';
import { consoleLink } from '../../test/support/console.js';
import { freePort } from '../../test/support/process.js';
import { startDemoStudio } from '../demo/demo.js';
import { today } from './start.js';

const wantedBookings = 85;
const days = 31;

const firstNames =
  'Ada Bao Cleo Dele Elif Finn Grace Hana Ines Jonah Kavya Luca Maya Noor Otis'.split(' ');
const lastNames = 'Park Okafor Ruiz Kaya Mori Weiss Rao Haddad'.split(' ');

type Booked = Record<'id' | 'name' | 'phone' | 'artist', string>;

export type Studio = Awaited<ReturnType<typeof startStudio>>;

/** A studio of three artists with 85 bookings in the month, its mails, and a website that frames it. */
export async function startStudio() {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">
      <title>Night Heron</title><body><h1>Our website</h1>
      <script src="${url}/embed.js" async></script>`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  // For browsers another site than the service, whose host is 127.0.0.1.
  const websiteUrl = `http://localhost:${(server.address() as AddressInfo).port}`;
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const { service, mailbox, stop } = await startDemoStudio({
    ...{ PORT: String(port), PUBLIC_BASE_URL: url, CONFIRMATION: 'code' },
    ...{ EMBED_ORIGINS: websiteUrl, MAX_CODES_PER_HOUR: '1000' },
  });
  const { context } = service;
  await addArtists(context, 3);
  await fill();

  /** Books four of ten times, a few more on the first days, each artist as many. */
  async function fill(): Promise<void> {
    const { calendar, taken } = await context.board.read();
    // So that sessions of today are taken, too.
    const midnight = Date.parse(`${today}T00:00:00-08:00`);
    const range = { from: today, to: addDays(today, days - 1) };
    const free = calendar.artists.flatMap(({ id }) =>
      openSlots(ofArtist(calendar, id), taken, range, midnight).flatMap(({ date, slots }) =>
        slots.map(({ timeSlot }) => ({ date, timeSlot, artistId: id })),
      ),
    );
    free.sort((one, other) => one.date.localeCompare(other.date));
    let count = 0;
    for (const [index, slot] of free.entries()) {
      const isFree = slot.date < '2026-12-04' ? index % 3 === 0 : index % 5 > 1;
      if (count === wantedBookings || isFree) continue;
      const first = firstNames[count % firstNames.length] ?? '';
      const last = lastNames[count % lastNames.length] ?? '';
      const { outcome } = await addBooking(context, 'seed', slot, {
        name: `${first} ${last}`,
        email: `${first}.${last}@example.com`.toLowerCase(),
        phone: `503555${String(1_000 + 37 * (count % 120))}`,
      });
      if (outcome !== 'added') throw new Error(`${slot.date} ${slot.timeSlot}: ${outcome}`);
      count += 1;
    }
    await sql`update events set occurred_at = occurred_at - interval '9 days'`.execute(
      context.database,
    );
    await context.board.refresh();
  }

  const bookings = () =>
    context.database.selectFrom('bookings').selectAll().orderBy('starts_at').orderBy('artist_id');

  return {
    ...{ url, context, mailbox, websiteUrl },
    /** A link that signs in the owner, or an artist. */
    async consoleLink(slug?: string): Promise<string> {
      const { artists } = await context.board.read();
      const artist = artists.find((each) => each.slug === slug) ?? null;
      return consoleLink({ context }, artist?.name, artist);
    },
    /** The confirmed bookings of these dates, by time; at least one. */
    async bookings(from: string, to: string, artist?: string): Promise<[Booked, ...Booked[]]> {
      const rows = await bookings().where('date', '>=', from).where('date', '<=', to).execute();
      const [first, ...others] = rows
        .filter((row) => row.status === 'confirmed' && artist === (artist && row.artist_name))
        .map(({ id, name, phone, artist_name }) => ({
          ...{ id, name: name ?? '', phone: phone ?? '', artist: artist_name ?? '' },
        }));
      if (first === undefined) throw new Error(`nothing is booked from ${from} to ${to}`);
      return [first, ...others];
    },
    bookingOf: (name: string) => bookings().where('name', '=', name).executeTakeFirstOrThrow(),
    /** Runs a command of the studio at the terminal; resolves with what it prints. */
    async command(...args: string[]): Promise<string> {
      const node = [
        '--import',
        'tsx',
        '--import',
        './test/support/preload.ts',
        'src/staff/main.ts',
      ];
      const { stdout } = await promisify(execFile)(process.execPath, [...node, ...args], {
        cwd: packageRoot(),
        env: { ...process.env, DATA_DIR: context.config.dataDir, PORT: String(port) },
      });
      return stdout;
    },
    async stop(): Promise<void> {
      server.close();
      server.closeAllConnections();
      await stop();
    },
  };
}
