import type { Studio } from '../../generated/schemas.js';
import type { Config } from '../config/config.js';
import type { StudioRow } from '../database/rows/studio.js';
import { type Artist, choosableArtists } from '../schedule/artists.js';
import { bookableWeek } from '../schedule/bookable-week.js';
import { WEEKDAYS, type WeekdayName } from '../schedule/dates.js';
import { longestSessionHours, timeSlots } from '../schedule/slots.js';
import { durationWords } from '../schedule/words.js';

type StudioFacts = Parameters<typeof bookableWeek>[0] & {
  studio: StudioRow;
  artists: readonly Artist[];
};

export function studioView(
  { studio, ...data }: StudioFacts,
  { holdLifetimeSeconds, publicBaseUrl }: Pick<Config, 'holdLifetimeSeconds' | 'publicBaseUrl'>,
): Studio {
  const artists = choosableArtists(data);
  return {
    name: studio.name,
    description: studio.description,
    timezone: studio.timezone,
    address: {
      street: studio.street,
      city: studio.city,
      region: studio.region,
      postal_code: studio.postal_code,
      country: studio.country,
    },
    contact: { email: studio.email, phone: studio.phone, website: studio.website },
    hours: bookableWeek(data).map(({ weekday, opens, closes, sessions }) => ({
      day: WEEKDAYS[weekday - 1] as WeekdayName,
      opens,
      closes,
      sessions: sessions.map(({ timeSlot, ends }) => ({ time_slot: timeSlot, ends })),
    })),
    session_times: [...timeSlots],
    session_minutes: longestSessionHours * 60,
    notices: studio.notices.map(({ title, text }) => ({ title, text })),
    ...(artists.length > 0 && {
      artists: artists.map(({ slug, name, about }) => {
        return { name, about, book_url: `${publicBaseUrl}/book?artist=${slug}` };
      }),
    }),
    booking_flow: {
      hold_minutes: holdLifetimeSeconds / 60,
      payment_required: false,
      steps: [
        {
          step: 1,
          actor: 'agent',
          title: 'Find an open time',
          description: 'List open times and agree on one with the person.',
        },
        {
          step: 2,
          actor: 'agent',
          title: 'Hold it',
          description: `Hold the time while the person is there. The hold lasts ${durationWords(holdLifetimeSeconds)}.${artists.length === 0 ? '' : ' It is with whoever is free: give a person who wants a certain artist the book_url of that artist instead.'}`,
        },
        {
          step: 3,
          actor: 'end_user',
          title: 'Lock it in',
          description:
            'The person opens the checkout link and confirms. The agent never does this step.',
        },
        {
          step: 4,
          actor: 'agent',
          title: 'See that it is confirmed',
          description: 'Read the booking until its status is no longer pending.',
        },
      ],
    },
  };
}
