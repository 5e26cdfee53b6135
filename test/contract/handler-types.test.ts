import t from 'tap';
import type { HoldRequest, Studio } from '../../generated/schemas.js';
import type { Handler } from '../../src/http/handler.js';

/** Compiles only when both types are the same. */
function same<One, Other>(
  ..._: (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? [] : [never]
): void {}

declare const studio: Studio;

const createHold: Handler<'createHold'> = async (request, reply) => {
  same<typeof request.body, HoldRequest>();
  same<typeof request.body.time_slot, '9:00 AM' | '1:00 PM' | '5:00 PM'>();
  same<typeof request.body.pronouns, string | null | undefined>();
  same<(typeof request.headers)['idempotency-key'], string | undefined>();
  // @ts-expect-error: a member that the document does not have
  void request.body.surname;
  // @ts-expect-error: a status that the document does not have
  reply.code(204);
  // @ts-expect-error: the envelope's member is missing
  reply.code(201).send({});
  // @ts-expect-error: an error code that the document does not have
  reply.code(409).send({ error: { code: 'sold_out', message: '', request_id: '' } });
  return reply.code(409).send({
    error: { code: 'slot_unavailable', message: '', request_id: '', alternatives: [] },
  });
};

const listAvailability: Handler<'listAvailability'> = async (request, reply) => {
  same<
    typeof request.query,
    { from: string; to: string; time_slot?: '9:00 AM' | '1:00 PM' | '5:00 PM' }
  >();
  return reply.code(200).send({
    data: {
      timezone: 'UTC',
      from: request.query.from,
      to: request.query.to,
      total_open: 0,
      days: [],
    },
  });
};

const getBooking: Handler<'getBooking'> = async (request, reply) => {
  same<typeof request.params, { id: string }>();
  // @ts-expect-error: a status of a booking that the document does not have
  reply.code(200).send({ data: { status: 'lost' } });
  return reply.code(404).send({
    error: { code: 'booking_not_found', message: request.params.id, request_id: '' },
  });
};

const getStudio: Handler<'getStudio'> = async (_request, reply) =>
  reply.code(200).send({ data: studio });

t.test('a handler that departs from the document does not compile', async (t) => {
  for (const handler of [createHold, listAvailability, getBooking, getStudio]) {
    t.type(handler, 'function', 'tsc has checked its body');
  }
});
