import { calendarErrorWords } from '../../src/icalendar/calendar-reader.js';

const session = 'Tuesday, December 1, 9:00 AM – 1:00 PM';
export const long = 'Tuesday, December 1, 2026, 9:00\u00a0AM\u00a0– 1:00\u00a0PM';
const former = 'Friday, November 27, 2026, 1:00\u00a0– 5:00\u00a0PM';
export const page = 'https://book.nightheron.example/checkout/example-of-a-secret-link';
export const book = 'https://book.nightheron.example/book';
export const stop = 'https://book.nightheron.example/reminders/example-of-a-secret-link';
const declining = 'Declining the invitation in your calendar cancels nothing.';
const whereAndNotices = ['418 SE Alder Row, Portland, OR 97214', 'You must be 18 or older.'];
const website = 'nightheron.example\n<https://nightheron.example/>';
const notYou = 'If that was not you, reply to this e-mail.';
const kept = [...whereAndNotices, page, declining];
export const consolePages = 'https://book.nightheron.example/console';
const booking = `${consolePages}/bookings/5d2f9c1e-7a64-4c0b-9a43-1f0e8d6b2c75`;
const person = [
  `Open the booking\n<${booking}>`,
  'Ada Example (she/her)',
  'ada@example.com',
  '(555) 555-0142',
  'It stands on one leg',
];

/** For each mail its subject, and what it says, besides the time. */
export const expectedMails: Record<string, [subject: string, ...says: string[]]> = {
  'person-confirmation': [
    `Confirmed: ${session} · Night Heron Tattoo`,
    'Your session is confirmed',
    'Nothing now. Booking is free',
    ...kept,
    'Reply to this e-mail',
    website,
  ],
  'person-confirmation-at-new-address': [
    `Confirmed: ${session} · Night Heron Tattoo`,
    'This is the e-mail address of your booking now, and its link is a new one',
    ...kept,
  ],
  'person-move-by-person': [
    `Moved to ${session} · Night Heron Tattoo`,
    `Before: ${former}`,
    'You moved it',
    notYou,
    ...kept,
  ],
  'person-move-by-studio': [
    `Moved to ${session} · Night Heron Tattoo`,
    `Before: ${former}`,
    'We moved it',
    ...kept,
  ],
  'person-new-address': [
    `New address for ${session} · Night Heron Tattoo`,
    'The address of your session has changed',
    'Where: 418 SE Alder Row, Portland, OR 97214',
    'Only the place changes: the day and the time stay as they are.',
    ...kept,
  ],
  'person-zone-data': [
    `Still on ${session} · Night Heron Tattoo`,
    'Your session is still at 9:00 AM',
    'If your phone or calendar shows another time, the invitation in this e-mail corrects it.',
    ...kept,
  ],
  'person-cancellation-by-person': [
    `Cancelled: ${session} · Night Heron Tattoo`,
    'You cancelled it.',
    notYou,
    book,
    page,
  ],
  'person-cancellation-by-studio': [
    `Cancelled: ${session} · Night Heron Tattoo`,
    'We had to cancel it, and are sorry.',
    'A word from us:\n\n> We owe you one.',
    '> The artist is ill.\n> We are sorry',
    book,
    page,
  ],
  'person-reminder': [
    `Reminder: ${session} · Night Heron Tattoo`,
    'Your session is on',
    ...whereAndNotices,
    page,
    `Stop reminders\n<${stop}>`,
  ],
  'person-asked-for-another-time': [
    `Please choose another time: ${session} · Night Heron Tattoo`,
    'We cannot be there at this time',
    'it does not count as a move of yours',
    '> I am ill, and sorry. Please choose another time.',
    `Choose another time\n<${page}/move>`,
    ...kept,
  ],
  'person-kept': [
    `As booked: ${session} · Night Heron Tattoo`,
    'Your session stays as booked',
    'You need not choose another time after all.',
    ...kept,
  ],
  'person-reminder-of-another-time': [
    `Reminder, please choose another time: ${session} · Night Heron Tattoo`,
    'We cannot be there at this time',
    '> I am ill, and sorry. Please choose another time.',
    `Stop reminders\n<${stop}>`,
  ],
  'person-code-to-confirm': [
    `Your code for ${session} · Night Heron Tattoo`,
    'Your code to confirm your session',
    '048315',
    'Valid: for 10 minutes, until 10:40 AM in Portland',
    `Session: ${long}`,
    'Do nothing: without these digits, nothing is confirmed. Do not share them',
  ],
  'person-code-to-change': [
    `Your code for ${session} · Night Heron Tattoo`,
    'Your code to move or cancel',
    '048315',
    'Do nothing: without these digits, nothing changes.',
  ],
  'studio-confirmation': [
    `Booked: Ada Example, ${session}`,
    ...person,
    'Booked: By an assistant',
    'With the link',
  ],
  'studio-move': [
    `Moved: Ada Example, ${session}`,
    'Moved by the person',
    ...person,
    `Moved from: ${former}`,
    `Moved to: ${long}`,
  ],
  'studio-cancellation': [
    `Cancelled: Ada Example, ${session}`,
    'Cancelled by the person',
    ...person,
  ],
  'studio-conflict': [
    `Conflict: Ada Example, ${session}`,
    'A watched calendar is busy during this session. Nothing was changed.',
    ...person,
    'move or cancel the booking on its page; the person is then told by mail.',
  ],
  'studio-undecided': [
    'Undecided on closed days: a session',
    'You closed days on which people are booked.',
    `${long}: Ada Example`,
    'nobody is reminded of them',
    `Decide\n<${consolePages}/closures/undecided>`,
  ],
  'studio-undecided-reminder': [
    `Undecided: Ada Example, ${session}`,
    'You closed the day of this session, and its reminder is due.',
  ],
  'studio-calendar-failure': [
    'Calendar cannot be read: Ada’s phone',
    'A watched calendar cannot be read',
    'Since: Sunday, November 22 at 8:30\u00a0AM, Pacific Standard Time',
    `Why: ${calendarErrorWords('status', 404)}`,
    'Last read: Sunday, November 22 at 8:20\u00a0AM, Pacific Standard Time',
    'Its last known busy times stay in force',
    'remove it from the watched calendars and add the new one',
    `${consolePages}/calendars`,
  ],
  'studio-calendar-read-in-part': [
    'Part of a calendar cannot be read: Ada’s phone',
    'Part of a watched calendar cannot be read',
    'Cannot be read: line 214 (the name of a time zone).',
    'These events close what can be read of them.',
    `${consolePages}/calendars`,
  ],
};
