import type { Studio } from '../../generated/schemas.js';
import { WEEKDAYS } from '../calendar/dates.js';
import { timeSlots } from '../calendar/slots.js';
import type { OpeningHoursRow, StudioRow } from '../repositories/studio.js';

export function studioView(
  studio: StudioRow,
  openingHours: readonly OpeningHoursRow[],
  holdLifetimeSeconds: number,
): Studio {
  const holdMinutes = holdLifetimeSeconds / 60;
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
    hours: WEEKDAYS.map((day, index) => {
      const hours = openingHours.find((row) => row.weekday === index + 1);
      return { day, opens: hours?.opens ?? null, closes: hours?.closes ?? null };
    }),
    session_times: [...timeSlots],
    booking_flow: {
      hold_minutes: holdMinutes,
      payment_required: false,
      steps: [
        {
          step: 1,
          actor: 'agent',
          title: 'Find an open time',
          description:
            'List open times with GET /api/public/availability and agree on one with the person.',
        },
        {
          step: 2,
          actor: 'agent',
          title: 'Hold it',
          description: `Place a hold with POST /api/public/holds. It lasts ${holdMinutes} minutes.`,
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
          description: 'Read GET /api/public/bookings/{id} until the status is no longer pending.',
        },
      ],
    },
  };
}
