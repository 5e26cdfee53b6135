import type { Kysely } from 'kysely';
import type { Database } from './rows/schema.js';

const open = {
  opens: '09:00',
  closes: '20:00',
  sessions: ['9:00 AM', '1:00 PM', '5:00 PM'],
} as const;
const closed = { opens: null, closes: null, sessions: [] };
const sunday = { opens: '12:00', closes: '17:00', sessions: ['1:00 PM'] } as const;
/** From Monday on. */
const week = [closed, open, open, open, open, open, sunday];

/** Its website, e-mail address and phone number are of those that are reserved for examples. */
export const exampleStudio = {
  name: 'Night Heron Tattoo',
  description:
    'A small custom studio for fine line, botanical and blackwork tattoos, one guest at a time.',
  timezone: 'America/Los_Angeles',
  street: '418 SE Alder Row',
  city: 'Portland',
  region: 'OR',
  postal_code: '97214',
  country: 'US',
  email: 'hello@nightheron.example',
  phone: '+1 555-555-0100',
  website: 'https://nightheron.example',
  notices: [
    {
      title: 'Age',
      text: 'You must be 18 or older. Bring a government-issued photo ID.',
    },
    {
      title: 'Preparation',
      text: 'Eat beforehand, drink water, and wear something that leaves the spot easy to reach. No alcohol for 24 hours before your session.',
    },
    {
      title: 'Privacy',
      text: 'We use your details only for this booking and delete them a year after your session. Write to us to have them deleted sooner.',
    },
  ],
};

/**
 * Inserts a complete example studio into a database that has none, so that a first start has a
 * calendar to show.
 */
export async function seedExampleStudio(database: Kysely<Database>): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const inserted = await transaction
      .insertInto('studio')
      .values({ ...exampleStudio, notices: JSON.stringify(exampleStudio.notices) })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted === undefined) return;

    const days = week.map((day, index) => ({
      ...{ artist_id: null, weekday: index + 1, ...day },
      sessions: [...day.sessions],
    }));
    await transaction.insertInto('week_days').values(days).execute();
  });
}
