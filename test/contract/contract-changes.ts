import { readDocument, type JsonObject } from '../support/document.js';

/** A part of the document, whatever its form. */
type Part = ReturnType<typeof JSON.parse>;

/** Changes the document; `schemas` and `paths` are its own. */
type Change = (document: { schemas: Part; paths: Part; whole: Part }) => void;

/** openapi.yaml with the change. */
export function changed(change: Change): JsonObject {
  const whole = readDocument() as Part;
  change({ schemas: whole.components.schemas, paths: whole.paths, whole });
  return whole as JsonObject;
}

const availability = '/api/public/availability';
const holds = '/api/public/holds';
const booking = '/api/public/bookings/{id}';

/** Changes that break a consumer, and what the check says of each. */
export const breakingChanges: [guarantee: string, change: Change, says: RegExp][] = [
  ['a removed path', ({ paths }) => delete paths[booking], /GET .*\{id\} was removed/],
  ['a renamed operation', ({ paths }) => (paths[booking].get.operationId = 'x'), /operationId was/],
  [
    'a removed member of an answer',
    ({ schemas: { Booking } }) => {
      delete Booking.properties.label;
      Booking.required = Booking.required.filter((name: string) => name !== 'label');
    },
    /200\.data: the member label was removed/,
  ],
  [
    'a member of an answer that may be missing',
    ({ schemas: { Booking } }) => Booking.required.shift(),
    /200\.data: the member id may be left out now/,
  ],
  [
    'a member of an answer that may be null',
    ({ schemas: { Booking } }) => (Booking.properties.timezone.type = ['string', 'null']),
    /data\.timezone: the type null is new/,
  ],
  [
    'an integer that becomes any number',
    ({ schemas: { Availability } }) => (Availability.properties.total_open.type = 'number'),
    /total_open: the type number is new/,
  ],
  [
    'a status that no consumer knows',
    ({ schemas: { BookingStatus } }) => BookingStatus.enum.push('paid'),
    /data\.status: the value "paid" is new/,
  ],
  [
    'a new required member of a request',
    ({ schemas: { HoldRequest } }) => HoldRequest.required.push('idea'),
    /body: the member idea is required now/,
  ],
  [
    'a new required parameter',
    ({ paths }) =>
      paths[availability].get.parameters.push({
        name: 'artist',
        in: 'query',
        required: true,
        schema: { type: 'string' },
      }),
    /query artist is required now/,
  ],
  [
    'a parameter that becomes required',
    ({ paths }) => (paths[availability].get.parameters[2].required = true),
    /query time_slot is required now/,
  ],
  ['a removed parameter', ({ paths }) => paths[holds].post.parameters.pop(), /idempotency-key was/],
  [
    'a member of a request that is refused now',
    ({ schemas: { HoldRequest } }) => delete HoldRequest.properties.pronouns,
    /body: the member pronouns was removed/,
  ],
  [
    'a type that a request may no longer have',
    ({ schemas: { HoldRequest } }) => (HoldRequest.properties.idea.type = 'string'),
    /body\.idea: the type null is refused now/,
  ],
  [
    'a value that a request may no longer have',
    ({ schemas: { TimeSlot } }) => TimeSlot.enum.pop(),
    /query time_slot: the value "5:00 PM" is refused now/,
  ],
  [
    'a shorter text',
    ({ schemas: { HoldRequest } }) => (HoldRequest.properties.name.maxLength = 80),
    /body\.name: maxLength was 120, is 80/,
  ],
  [
    'a new limit',
    ({ schemas: { HoldRequest } }) => (HoldRequest.properties.name.minLength = 2),
    /minLength was 1, is 2/,
  ],
  [
    'another pattern',
    ({ schemas: { HoldRequest } }) => (HoldRequest.properties.phone.pattern = '^x$'),
    /body\.phone: pattern was/,
  ],
  [
    'a longer list in an answer',
    ({ schemas: { Error } }) => (Error.properties.alternatives.maxItems = 50),
    /alternatives: maxItems was 5, is 50/,
  ],
  [
    'a keyword that the check does not know',
    ({ schemas: { HoldRequest } }) => (HoldRequest.properties.name.not = { const: 'x' }),
    /not was absent/,
  ],
  [
    'a removed answer',
    ({ paths }) => delete paths[booking].get.responses['404'],
    /404 was removed/,
  ],
  [
    'a second kind of success',
    ({ paths }) => (paths[holds].post.responses['202'] = { description: 'Later.' }),
    /the answer 202 is new/,
  ],
  [
    'a removed header of an answer',
    ({ paths }) => delete paths[holds].post.responses['201'].headers.Location,
    /201, header Location was removed/,
  ],
  [
    'another media type',
    ({ paths }) => {
      const { content } = paths[holds].post.requestBody;
      content['application/xml'] = content['application/json'];
      delete content['application/json'];
    },
    /application\/json was removed/,
  ],
  [
    'a credential that becomes required',
    ({ paths }) => (paths[booking].get.security = [{ apiKey: [] }]),
    /a credential is required now/,
  ],
  [
    'a credential that is no longer accepted',
    ({ paths }) => (paths[booking].get.security = [{}]),
    /\{"apiKey":\[\]\} is not accepted/,
  ],
  [
    'a removed type of the client',
    ({ schemas }) => {
      schemas.Telephone = schemas.Instant;
      delete schemas.Instant;
      const text = JSON.stringify(schemas).replaceAll('schemas/Instant"', 'schemas/Telephone"');
      Object.assign(schemas, JSON.parse(text));
    },
    /the type Instant was removed/,
  ],
  [
    'a removed member of an event',
    ({ schemas: { WebhookEvent } }) => delete WebhookEvent.properties.timestamp,
    /webhook event, body: the member timestamp was removed/,
  ],
  ['a removed webhook', ({ whole }) => delete whole.webhooks.event, /webhook event was removed/],
];

/** Changes that do not affect a consumer of the contract. */
export const harmlessChanges: [guarantee: string, change: Change][] = [
  ['nothing', () => undefined],
  [
    'a new operation',
    ({ paths }) => {
      paths['/api/public/artists'] = { get: { ...paths[booking].get, operationId: 'listArtists' } };
    },
  ],
  [
    'a new member of an answer',
    ({ schemas: { Booking } }) => {
      Booking.properties.artist = { type: 'string' };
      Booking.required.push('artist');
    },
  ],
  [
    'a new optional member of a request',
    ({ schemas: { HoldRequest } }) => (HoldRequest.properties.artist = { type: 'string' }),
  ],
  [
    'a new optional parameter',
    ({ paths }) =>
      paths[availability].get.parameters.push({
        name: 'artist',
        in: 'query',
        schema: { type: 'string' },
      }),
  ],
  [
    'a required member of a request that becomes optional',
    ({ schemas: { HoldRequest } }) => HoldRequest.required.pop(),
  ],
  [
    'a longer text in a request',
    ({ schemas: { HoldRequest } }) => (HoldRequest.properties.name.maxLength = 200),
  ],
  ['a new error code', ({ schemas: { ErrorCode } }) => ErrorCode.enum.push('artist_away')],
  [
    'a new way to fail',
    ({ paths }) => (paths[booking].get.responses['410'] = paths[booking].get.responses['404']),
  ],
  [
    'other words, and a deprecation',
    ({ schemas: { Booking }, paths }) => {
      Booking.properties.label.description = 'Other words.';
      Booking.properties.label.deprecated = true;
      paths[booking].get.deprecated = true;
    },
  ],
  [
    'a component that is used in place',
    ({ schemas }) => (schemas.Booking.properties.status = { ...schemas.BookingStatus }),
  ],
];
