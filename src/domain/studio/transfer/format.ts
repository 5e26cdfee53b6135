import { type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox';
import {
  CalendarDate,
  Enum,
  HoldRequest,
  Nullable,
  TimeSlot,
} from '../../../../generated/schemas.js';
import { maxLengthOf } from '../../booking/person.js';
import { maxArtists } from '../artists.js';
import { maxCalendarLabelLength } from '../calendar-feeds.js';
import { maxCancellationReasonLength } from '../cancellation.js';
import { maxClosureReasonLength } from '../closures.js';
import { maxNoteLength } from '../correction.js';
import { maxNotices } from '../fields.js';
import { leftOutFile, leftOutSchema } from './left-out.js';
import { readMe } from './read-me.js';

/**
 * The schemas of an export: members are written in their order. `readMe` says what they are for.
 */

const object = <Members extends TProperties>(
  title: string,
  members: Members,
): TObject<Members> & { title: string } =>
  Object.assign(Type.Object(members, { additionalProperties: false }), { title });

const describe = <Schema extends TSchema>(schema: Schema, description: string): Schema => ({
  ...schema,
  description,
});

/** A text whose limit is a rule (`checkStudio`). */
const Text = Type.String();
const textUpTo = (maxLength: number) => Type.String({ maxLength });
const TimeZone = textUpTo(100);
const Id = Type.String({ format: 'uuid' });
/** Instants that PostgreSQL and JavaScript both read: no leap second, and no year 0. */
const instantIn = (zone: string) =>
  Type.String({
    format: 'date-time',
    pattern: `^[1-9][0-9]{3}-[0-9-]{5}T[0-9:]{6}[0-5][0-9](\\.[0-9]+)?${zone}$`,
  });
const Instant = instantIn('Z');
const LocalInstant = instantIn('(Z|[+-](0[0-9]|1[0-5]):[0-5][0-9])');
const NullableInstant = Nullable(Instant);
const NullableTimeSlot = Enum(['string', 'null'], ['9:00 AM', '1:00 PM', '5:00 PM', null]);
const LanguageTag = Type.String({ pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$' });
const ZoneVersion = Type.String({ pattern: '^[0-9]{4}[a-z]{1,2}$' });
const maxInteger = 2_147_483_647;
const Count = Type.Integer({ minimum: 0, maximum: maxInteger });
const SmallCount = Type.Integer({ minimum: 0, maximum: 32_767 });
const { name, email } = HoldRequest.properties;

const place = { street: Text, city: Text, region: Text, postal_code: Text, country: Text };

export const Studio = object('The studio', {
  name: Text,
  description: Text,
  timezone: describe(TimeZone, 'IANA name.'),
  email: Text,
  phone: Text,
  website: Text,
  language: describe(
    Type.Optional(LanguageTag),
    'BCP 47: of people who have chosen none. Exports of 2.9 have none.',
  ),
  notices: Type.Array(object('What a person must know beforehand', { title: Text, text: Text }), {
    maxItems: maxNotices,
  }),
  address: object('The latest address', { from_date: Nullable(CalendarDate), ...place }),
  other_addresses: describe(
    Type.Array(object('An address', { from_date: CalendarDate, ...place })),
    'Those of before and those to come; each counts from its date on.',
  ),
  zone_data: describe(
    Type.Array(
      object('The newest data that were used', { timezone: TimeZone, version: ZoneVersion }),
    ),
    'Which version of the IANA data the instants of each time zone follow.',
  ),
});

const Clock = Nullable(Type.String({ pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$' }));

const Weekday = describe(Type.Integer({ minimum: 1, maximum: 7 }), 'ISO 8601: 1 is Monday.');
const weekDates = {
  from_date: describe(
    Type.Optional(CalendarDate),
    'Of a day that counts only from this date to the other. Exports of 3.0 have none.',
  ),
  to_date: Type.Optional(CalendarDate),
};

const Week = Type.Array(
  object('A day of the week', {
    weekday: Weekday,
    opens: describe(Clock, 'HH:MM; null where it is closed, as `closes`.'),
    closes: describe(Clock, 'HH:MM, up to 24:00.'),
    sessions: Type.Array(TimeSlot, { uniqueItems: true }),
    ...weekDates,
  }),
  { title: 'The week, Monday first, then the days of dates', minItems: 7 },
);

const Slug = Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 100 });

export const Closure = object('Days, one session of each, or hours of one, that are closed', {
  id: Id,
  from_date: CalendarDate,
  to_date: CalendarDate,
  time_slot: describe(NullableTimeSlot, 'Null: the whole days, or a block.'),
  from_time: describe(
    Type.Optional(Clock),
    'HH:MM: a block, only these hours of its one date. Null or missing: none, as `to_time`.',
  ),
  to_time: describe(Type.Optional(Clock), 'HH:MM, up to 24:00.'),
  reason: describe(textUpTo(maxClosureReasonLength), 'Only the studio reads it.'),
  created_at: Instant,
  artist: Nullable(describe(Slug, 'Their slug. Null: of every artist.')),
});

export const Opening = object('A session of one date, besides those of the week', {
  date: CalendarDate,
  time_slot: TimeSlot,
  created_at: Instant,
});

export const Booking = object('A booking and its person', {
  id: describe(Id, 'Also the UID of its entry in calendars.'),
  // The expiry of a hold adds one.
  sequence: describe(
    Type.Integer({ minimum: 0, maximum: maxInteger - 1 }),
    'Grows with each change: SEQUENCE in calendars.',
  ),
  status: Enum('string', ['pending', 'confirmed', 'expired', 'cancelled']),
  date: CalendarDate,
  time_slot: TimeSlot,
  starts_at: describe(LocalInstant, "With the offset of the booking's time zone."),
  ends_at: describe(
    Nullable(LocalInstant),
    'Null only in exports of 2.9, of a booking of a version before.',
  ),
  timezone: describe(TimeZone, "IANA name: the studio's when it was booked."),
  zone_data_version: Nullable(ZoneVersion),
  label: describe(
    textUpTo(200),
    'Date and time as a text, and the artist where several had names.',
  ),
  created_at: describe(Instant, 'When it was held or added.'),
  expires_at: describe(Instant, 'Until when it was held.'),
  confirmed_at: NullableInstant,
  cancelled_at: NullableInstant,
  expired_at: NullableInstant,
  moved_at: describe(NullableInstant, 'The latest move.'),
  no_show_at: NullableInstant,
  changed_at: describe(NullableInstant, 'When its sequence last grew.'),
  channel: Enum(['string', 'null'], ['rest', 'mcp', 'page', 'studio', null]),
  platform: Nullable(Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,39}$' })),
  confirmed_via: Enum(['string', 'null'], ['link', 'code', 'studio', null]),
  moves_while_pending: SmallCount,
  moves_once_confirmed: SmallCount,
  cancellation_reason: Nullable(textUpTo(maxCancellationReasonLength)),
  closed_day_choice: Enum(['string', 'null'], ['kept', 'asked', null]),
  studio_word: describe(
    Nullable(textUpTo(maxCancellationReasonLength)),
    "The studio's words with the latest change.",
  ),
  studio_note: describe(Nullable(textUpTo(maxNoteLength)), 'Only the studio reads it.'),
  client_note: describe(
    Type.Optional(Nullable(textUpTo(maxNoteLength))),
    'About the client; the same on each of their bookings of then. Exports of 2.9 and 3.0 have none.',
  ),
  reminders_stopped_at: NullableInstant,
  code_proven_at: describe(NullableInstant, 'When a person last used a code.'),
  name: describe(Nullable(name), 'Null, as the others, once it is erased.'),
  email: Nullable(email),
  phone: Nullable(Type.String({ pattern: '^[0-9]{10}$' })),
  pronouns: Nullable(textUpTo(maxLengthOf('pronouns'))),
  idea: Nullable(textUpTo(maxLengthOf('idea'))),
  language: describe(
    Type.Optional(Nullable(LanguageTag)),
    'BCP 47: of the page that the person last posted. Exports of 2.9 have none.',
  ),
  link_sha256: describe(
    Type.String({ pattern: '^[0-9a-f]{64}$' }),
    'SHA-256 of the secret part of the link of its page, which opens it still.',
  ),
  artist: describe(Slug, 'The slug of the artist whose session it is.'),
  is_artist_chosen: describe(
    Type.Optional(Type.Boolean()),
    'Whether the person named them. Exports of 2.9 and 3.0 do not say.',
  ),
  artist_name: describe(
    Nullable(textUpTo(maxCalendarLabelLength)),
    'As the person was told; null where the studio had one artist.',
  ),
});

export const Artists = Type.Array(
  object('An artist', {
    slug: describe(Slug, 'Of the link to their open times.'),
    name: describe(Text, 'Empty where the only artist has none.'),
    about: Text,
    email: describe(Nullable(Text), 'Where mails about their sessions go too.'),
    hidden_at: describe(NullableInstant, 'From then on they take no new bookings.'),
    first_day: describe(
      Type.Optional(Nullable(CalendarDate)),
      'Nobody can book them before. Exports before 3.1 have none.',
    ),
    last_day: describe(
      Type.Optional(Nullable(CalendarDate)),
      'Nobody can book them after. Exports before 3.1 have none.',
    ),
    is_new: describe(
      Type.Optional(Type.Boolean()),
      'Hidden since they were added. Exports before 3.1 have none.',
    ),
    week: describe(
      Type.Union([
        Type.Null(),
        Type.Array(
          object('Their sessions on a day of the week', {
            weekday: Weekday,
            opens: describe(
              Type.Optional(Clock),
              "Null where they have the studio's hours, as `closes`. Exports of 3.0 have none.",
            ),
            closes: Type.Optional(Clock),
            sessions: Type.Array(TimeSlot, { uniqueItems: true }),
            ...weekDates,
          }),
        ),
      ]),
      'The days that are their own; the others are those of the studio. Null: all.',
    ),
  }),
  { title: "The artists, in the studio's order", minItems: 1, maxItems: maxArtists },
);

export type ArtistsDocument = Static<typeof Artists>;
export type StudioDocument = Static<typeof Studio>;
export type WeekDocument = Static<typeof Week>;
type OfArtist = 'artist' | 'artist_name';
/** Those of 2.9 may lack the artist. */
type Line<Row> = Omit<Row, OfArtist> & Partial<Pick<Row, OfArtist & keyof Row>>;
export type ClosureLine = Line<Static<typeof Closure>>;
export type OpeningLine = Static<typeof Opening>;
export type BookingLine = Line<Static<typeof Booking>>;

/** The data by the names of their files, in the order in which they are imported. */
const schemas = {
  'studio.json': Studio,
  'hours.json': Week,
  'artists.json': Artists,
  'openings.jsonl': Opening,
  // These precede the closures, which would decide about them.
  'bookings.jsonl': Booking,
  'closures.jsonl': Closure,
};

export type DataFile = keyof typeof schemas;

/** How many rows each file of data has. */
export type RowCounts = Record<Exclude<DataFile, 'artists.json'>, number> & {
  'artists.json'?: number;
};

export interface FormatDocument {
  format: string;
  version: number;
  rows: RowCounts;
}

/** The form of the files of an export. */
export interface Layout {
  schemas: Partial<Record<DataFile, TSchema>>;
  dataFiles: readonly DataFile[];
  /** The schema of the file that is written last: an export without it is incomplete. */
  formatSchema: TSchema;
}

export const formatFile = 'format.json';
export const formatName = 'tattoo-studio-booking export';
/** That of 2.9, 3.0 and 3.1.0, version 1, is read, too. */
export const formatVersion = 2;

export const layout = layoutOf(schemas);
const { 'artists.json': _, ...others } = schemas;
/** Of exports of 2.9 where the studio had one artist; it is only read. */
export const layoutWithoutArtists = layoutOf({
  ...others,
  'bookings.jsonl': Type.Omit(Booking, ['artist', 'artist_name']),
  'closures.jsonl': Type.Omit(Closure, ['artist']),
});

function layoutOf(all: Layout['schemas']): Layout {
  const dataFiles = Object.keys(all) as DataFile[];
  const formatSchema = object('The format, and how many rows each file has', {
    format: Enum('string', [formatName]),
    version: describe(
      Enum('integer', [1, formatVersion]),
      'A new one is not read by versions before.',
    ),
    rows: object(
      'One for a document, one for each line of the others',
      Object.fromEntries(dataFiles.map((file) => [file, Count])) as Record<DataFile, typeof Count>,
    ),
  });
  return { schemas: all, dataFiles, formatSchema };
}

/** The columns of the files for spreadsheets. */
export const csvColumns = {
  'bookings.csv': Object.keys(Booking.properties).filter((member) => member !== 'link_sha256'),
  'closures.csv': Object.keys(Closure.properties),
};

/** The files beside the data, by their names: the same in every export. */
export function companionFiles(): Map<string, string> {
  const all: [string, TSchema][] = [
    ...Object.entries(schemas),
    [leftOutFile, leftOutSchema],
    [formatFile, layout.formatSchema],
  ];
  const files = all.map(([file, schema]): [string, string] => [
    file.replace(/\.jsonl?$/, '.schema.json'),
    documentText({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }),
  ]);
  return new Map([['README.md', readMe], ...files]);
}

export function documentText(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}
