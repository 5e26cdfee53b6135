import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { type TProperties, Type } from '@sinclair/typebox';
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import type { TimeSlot } from '../../generated/schemas.js';
import { ServiceError } from '../errors.js';
import { isCalendarDate } from '../schedule/dates.js';
import { parseSlotKey, timeSlots, type Slot } from '../schedule/slots.js';

/** The scope of the pages. Each of its routes has schemas, which type what its handler receives. */
export type PageScope = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** A request, with what the schemas of its route have typed. */
export type RequestWith<Typed extends { params?: unknown; body?: unknown }> = FastifyRequest &
  Typed;

/** A text that PostgreSQL can store: browsers let people type no other. */
export const text = Type.String();

/** A text of any characters: a mistake is shown beside the field. */
export const anyText = Type.String({ pattern: '' });

/** A number that the page showed, such as the sequence of a booking. */
export const count = Type.Integer({ minimum: 0, maximum: 999_999_999 });

export const uuid = Type.String({ format: 'uuid' });

export const calendarDate = Type.String({ format: 'date' });

/** One of a few texts. */
export function choice<const Choice extends string>(...choices: Choice[]) {
  return Type.Unsafe<Choice>({ type: 'string', enum: choices });
}

/** Any number of a few texts, as checkboxes of one name send them. */
export function choices<const Choice extends string>(...each: Choice[]) {
  const one = choice(...each);
  return Type.Union([one, Type.Array(one)]);
}

/** The schema of a posted form. One that breaks it is not the page's, and is refused whole. */
export function form<Fields extends TProperties>(fields: Fields) {
  return { body: Type.Object(fields) };
}

/** The schema of an address's fields. None is required, and a wrong one counts as missing. */
export function query<Fields extends TProperties>(fields: Fields) {
  return { querystring: Type.Partial(Type.Object(fields)) };
}

/** The schema of a form that is one button. */
export const button = form({});

/** The schema of an address with a token. */
export const tokenInPath = { params: Type.Object({ token: anyText }) };

/** The refusal of a form that is not the page's. */
export function formRefused(): ServiceError {
  return new ServiceError('invalid_request', {
    message: 'This form is incomplete or out of date. Open the page again.',
  });
}

/** Makes the line breaks of a posted form LF: browsers send CR LF. */
export function normalizeFields(request: FastifyRequest): void {
  const fields = (request.body ?? {}) as Record<string, unknown>;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string') fields[name] = value.replaceAll('\r\n', '\n');
  }
  request.body = fields;
}

/** The fields of an address for `readSlot`: the page explains a wrong one. */
export const slotFields = { date: Type.Unknown(), time_slot: Type.Unknown() };

/** Null unless the fields `date` and `time_slot` name a slot of an existing date. */
export function readSlot({
  date,
  time_slot,
}: {
  date?: unknown;
  time_slot?: unknown;
}): Slot | null {
  if (typeof date !== 'string' || !isCalendarDate(date)) return null;
  if (!timeSlots.includes(time_slot as TimeSlot)) return null;
  return { date, timeSlot: time_slot as TimeSlot };
}

/** Null unless the text is the `slotKey` of a slot of an existing date. */
export function readSlotKey(typed: string): Slot | null {
  const { date, timeSlot } = parseSlotKey(typed);
  return readSlot({ date, time_slot: timeSlot });
}
