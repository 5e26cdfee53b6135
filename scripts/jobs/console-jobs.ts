import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cancelByStudio } from '../../src/domain/studio/cancellation.js';
import { button, field, link, text } from './hand.js';
import { type Job, ownerJob } from './scene.js';
import { today } from './start.js';

/** A table of the old system. */
const oldBookings = `Client,Email,Phone,Start,Staff,Status
Olive Old,olive@example.com,5035557001,2027-01-05 09:00,Jon,Booked
Otto Old,otto@example.com,5035557002,2027-01-05 13:00,Jon,Cancelled
Odd Old,odd@example.com,5035557003,2027-01-06 09:00,Mara,Booked
`;

/** The jobs of the studio, each with the fewest presses that an owner who knows the console needs. */
export const consoleJobs: Job[] = [
  ownerJob(
    [1, 'who comes today and with whom; the next one’s number', '0', 'Today is open.'],
    async (owner, { studio }) => {
      const comes = await studio.bookings(today, today);
      for (const { name, artist } of comes) await owner.see(link(name, artist));
      const [next] = comes;
      const last = comes.at(-1) ?? next;
      const number = await owner.screenOf(link(new RegExp(next.phone.slice(-4))));
      return `The number is on screen ${number}, the last of ${comes.length} on screen ${await owner.screenOf(link(last.name))}.`;
    },
  ),
  {
    number: 2,
    title: 'she calls: next Friday',
    async run({ studio, atConsole, part }) {
      const [her] = await studio.bookings('2026-12-08', '2026-12-10', 'Mara');
      const owner = await atConsole();
      const move = async (artist?: string) => {
        await owner.tap(link('Bookings'));
        await owner.type(field('Name, e-mail, phone or id'), her.name.slice(0, 4));
        await owner.enter();
        await owner.tap(link(her.name, /Dec (8|9|10|11), .*Mara/));
        await owner.tap(link('Move'));
        if (artist !== undefined) await owner.tap(link(artist));
        await owner.tap(link(/^Friday, December 11 at/));
        await owner.tap(button('Move to this time'));
        await owner.see(text(/^Moved/));
      };
      const path = 'Bookings, the field, Enter, her session, Move, the time, Move to this time.';
      await part(owner, ['the same artist', '7 + 4 letters', path], () => move());
      await owner.open(`${studio.url}/console`);
      const other = 'The same, and Jon above the times.';
      await part(owner, ['another artist', '8 + 4 letters', other], () => move('Jon'));
    },
  },
  ownerJob(
    [3, 'Jon is sick: his sessions today', '2', 'Jon cannot work today, Close and do this.'],
    async (owner) => {
      await owner.tap(link('Jon Cannot work today'));
      await owner.tap(button('Close and do this'));
      await owner.see(text(/Closed/));
    },
  ),
  ownerJob(
    [4, 'a walk-in', '4 + 22 letters', 'Add at the free time, Name, Phone, Add the booking.'],
    async (owner) => {
      await owner.tap(link(/^Add a booking at .* with (Mara|Zoë)$/));
      await owner.type(field('Name'), 'Walter Wolfe');
      await owner.type(field('Phone'), '5035550107');
      await owner.tap(button('Add the booking'));
      await owner.see(text(/^Added/));
    },
  ),
  ownerJob(
    [5, 'lunch, an hour today', 'impossible', 'The hour in the column, Close.'],
    async (owner) => {
      await owner.tap(link(/close hours of Zoë$/, 'Zoë'));
      await owner.tap(button('Close'));
      await owner.see(text(/^Closed/));
    },
  ),
  ownerJob(
    [5, 'two hours tomorrow', 'a session: 8', 'The hour in the week, Close 1:00 – 3:00 PM.'],
    async (owner) => {
      await owner.tap(link('1 PM: close hours on Wednesday, December 2 of Mara'));
      await owner.tap(button(/^Close 1:00 – 3:00/));
      await owner.see(text(/^Closed/));
    },
  ),
  ownerJob(
    [6, 'a client’s e-mail was wrong', '4 + address', 'Her name, Correct, E-mail, Save.'],
    async (owner, { studio }) => {
      const [her] = await studio.bookings(today, today, 'Mara');
      await owner.tap(link(her.name));
      await owner.tap(link('Correct'));
      await owner.type(field('E-mail'), 'right@example.com');
      await owner.tap(button(/^Save (the corrections|for this and)/));
      await owner.see(link('right@example.com'));
    },
  ),
  {
    number: 7,
    title: 'find by part of a number',
    async run({ studio, atConsole, part }) {
      const [her] = await studio.bookings('2026-12-05', '2026-12-12', 'Zoë');
      const owner = await atConsole();
      const path = 'Clients, the field, Enter: who is found alone is shown.';
      await part(owner, ['', '3 + 4 letters', path], async () => {
        await owner.tap(link('Clients'));
        await owner.type(field('Name, e-mail or phone'), her.phone.slice(-4));
        await owner.enter();
        await owner.see(text(her.name));
      });
      const there = 'They are there.';
      await part(owner, ['her other sessions', '1', there], () => owner.screenOf(text('Sessions')));
      await part(owner, ['a note', '3', 'Note, Save the note.'], async () => {
        await owner.type(field('Note about the client'), 'Late');
        await owner.tap(button('Save the note'));
        await owner.see(text(/saved/));
      });
    },
  },
  {
    number: 8,
    title: 'what has happened since yesterday',
    async run({ studio, atConsole, part }) {
      const [gone] = await studio.bookings('2026-12-15', '2026-12-20');
      await cancelByStudio(studio.context, 'console Jon', gone.id);
      const owner = await atConsole();
      await part(owner, ['', '0, after 3 screens', 'Today is open.'], async () => {
        const news = text(new RegExp(`${gone.name} was cancelled`));
        return `On screen ${await owner.screenOf(news)}.`;
      });
    },
  },
  ownerJob(
    [
      9,
      'a new artist from Monday with her own week',
      '19',
      'Studio, Artists, Name, Add, First day, not here on two days, Let people book them.',
    ],
    async (owner) => {
      await owner.tap(link('Studio'));
      await owner.tap(link('Artists'));
      await owner.type(field('Name'), 'Cleo');
      await owner.tap(button('Add this artist'));
      await owner.type(field('First day'), '2026-12-07');
      for (const day of ['Friday', 'Saturday']) await owner.tap(field('not here', day));
      await owner.tap(button('Let people book them'));
      await owner.see(text(/Monday, December 7|can book them/));
    },
  ),
  ownerJob(
    [
      10,
      'an artist leaves',
      '4 + 36',
      'Studio, Artists, her name, Last day, Save the days, For all: Move, Save.',
    ],
    async (owner) => {
      await owner.tap(link('Studio'));
      await owner.tap(link('Artists'));
      await owner.tap(link('Zoë'));
      await owner.type(field('Last day'), '2026-12-12');
      await owner.tap(button('Save the days'));
      await owner.tap(button('Move'));
      await owner.tap(button(/^Save/));
      await owner.see(text(/^Saved/));
    },
  ),
  ownerJob(
    [
      11,
      'December’s hours: Mondays, too',
      'impossible',
      'Hours, All weeks, Add dates for the studio, two days, Monday’s times and session, Save.',
    ],
    async (owner) => {
      await owner.tap(link('Hours'));
      await owner.tap(link('All weeks, and those of dates'));
      await owner.tap(link('Add dates for the studio'));
      await owner.type(field('First day'), '2026-12-02');
      await owner.type(field('Last day'), '2026-12-31');
      await owner.type(field('Monday opens'), '12:00');
      await owner.type(field('Monday closes'), '17:00');
      await owner.tap(field('1:00 PM', 'Monday'));
      await owner.tap(button('Save these days'));
      await owner.see(text(/^Saved/));
    },
  ),
  ownerJob([12, 'the month per artist', 'impossible', 'Figures.'], async (owner) => {
    await owner.tap(link('Figures'));
    await owner.see(text('December 2026'));
    return `Zoë is on screen ${await owner.screenOf(text('Zoë'))}.`;
  }),
  {
    number: 13,
    title: 'Jon’s sessions in his phone',
    async run({ atConsole, part }) {
      const jon = await atConsole('jon');
      const path = 'Jon: Calendars, Label, Make the address, Subscribe on this device.';
      await part(jon, ['', '6 + 12 letters', path], async () => {
        await jon.tap(link('Calendars'));
        await jon.type(field('Label'), 'Phone');
        await jon.tap(button('Make the address'));
        await jon.tap(link('Subscribe on this device'));
      });
    },
  },
  ownerJob(
    [14, 'take over from the old system', 'terminal', 'Terminal: bookings import, twice.'],
    async (owner, { studio }) => {
      const file = join(studio.context.config.dataDir, 'old.csv');
      await writeFile(file, oldBookings);
      await studio.command('bookings', 'import', file, '--dry-run');
      await studio.command('bookings', 'import', file, '--yes');
      await owner.open(`${studio.url}/console?date=2027-01-05`);
      await owner.see(link('Olive Old', 'Jon'));
    },
  ),
];
