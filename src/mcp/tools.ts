import type { FastifySchemaValidationError } from 'fastify';
import type { HoldRequest } from '../../generated/schemas.js';
import type { DomainServices } from '../domain/deps.js';
import { availabilityOf, type AvailabilityRequest } from '../calendar/availability.js';
import { readBooking } from '../domain/bookings.js';
import type { Caller } from '../access/caller.js';
import { parseIdempotencyKey } from '../domain/hold-request.js';
import { placeHold } from '../domain/holds.js';
import { createBoardCache } from '../calendar/board-cache.js';
import { createValidatorCompiler } from '../http/validation.js';
import { bookingView } from '../views/booking.js';
import { holdView } from '../views/hold.js';
import { studioView } from '../views/studio.js';
import { toolSuccess, type Outcome } from './outcome.js';
import { componentSchema, objectSchema, parameterSchema, type Schema } from './schemas.js';

/** A tool as `tools/list` describes it. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  outputSchema: Schema;
  annotations: Record<string, boolean>;
}

export interface Tool {
  definition: ToolDefinition;
  /** Whether the tool charges the caller itself, as createHold does. Otherwise it costs a read. */
  chargesItself: boolean;
  /** The errors of arguments that do not match the input schema; null if they match. */
  validate: (args: unknown) => FastifySchemaValidationError[] | null;
  run: (args: never, caller: Caller) => Outcome | Promise<Outcome>;
}

/** Results cached until the board changes: about 3 MB. */
const maxCachedResults = 128;

const read = { readOnlyHint: true, openWorldHint: false };

/**
 * The tools of the connector, in the order in which it lists them. Their schemas come from
 * openapi.yaml, and they call the same functions as the REST operations.
 */
export function createTools(context: DomainServices): Tool[] {
  const { board, config } = context;
  const cached = createBoardCache<Outcome>(board, maxCachedResults);
  const compile = createValidatorCompiler();
  const tool = <Args>(
    definition: ToolDefinition,
    run: (args: Args, caller: Caller) => Outcome | Promise<Outcome>,
    { chargesItself = false } = {},
  ): Tool => {
    const { name, inputSchema } = definition;
    const check = compile({ schema: inputSchema, method: 'tool', url: name, httpPart: 'body' });
    return {
      definition,
      chargesItself,
      validate: (args) => (check(args) ? null : (check.errors ?? [])),
      run,
    };
  };
  const holdRequest = componentSchema('HoldRequest');

  return [
    tool(
      {
        name: 'get_studio_info',
        title: 'Studio details',
        description: `Read who the tattoo studio is: name, description, address, contact, opening hours, time zone, the three session times, and how a booking works step by step.

When to use: to answer questions about the studio, or before you book here for the first time. Opening hours are for show; what is really free is what list_open_times answers.

What to do with the answer: all dates and times of this service are on the studio's wall clock (timezone), not the person's. Booking is free; never ask for a payment.`,
        inputSchema: objectSchema({}),
        outputSchema: componentSchema('Studio'),
        annotations: read,
      },
      () =>
        cached('studio', ({ studio, openingHours }) =>
          toolSuccess(studioView(studio, openingHours, config.holdLifetimeSeconds)),
        ),
    ),

    tool<AvailabilityRequest>(
      {
        name: 'list_open_times',
        title: 'Open session times',
        description: `List the sessions that can be held now, grouped by date, from one date to another (both included, at most 31 days apart), on the studio's wall clock. Only dates with an open session appear; total_open 0 means that nothing is open in the range.

When to use: whenever a person asks when there is room, and right before hold_slot: what was open a minute ago may be taken.

What to do with the answer: offer the person a few times and let them choose. Nothing is reserved yet; pass the chosen date and time_slot, unchanged, to hold_slot. If nothing is open, ask for a later range.`,
        inputSchema: objectSchema(
          {
            from: parameterSchema('listAvailability', 'from'),
            to: parameterSchema('listAvailability', 'to'),
            time_slot: parameterSchema('listAvailability', 'time_slot'),
          },
          ['from', 'to'],
        ),
        outputSchema: componentSchema('Availability'),
        annotations: read,
      },
      (range) =>
        cached(`${range.from} ${range.to} ${range.time_slot ?? 'any'}`, (state) =>
          toolSuccess(availabilityOf(state, range)),
        ),
    ),

    tool<HoldRequest & { idempotency_key?: string }>(
      {
        name: 'hold_slot',
        title: 'Hold a session for a person',
        description: `Hold one open session for a person for a few minutes (until expires_at) and get the link with which the person, and only the person, locks it in. This does not book anything yet.

When to use: once the person has chosen a time and told you their name, e-mail address and US telephone number. Never invent these. Send an idempotency_key, a new random UUID for each hold that you mean: if the answer is lost, repeat the very same call with the same key and you get the same hold again, never a second one.

What to do with the answer: tell the person the sentence in the second text and show them checkout_url as a link. Never open that link yourself and never confirm for them. Then call get_booking_status with the id, not more often than every handoff.poll_interval_seconds, until it is no longer pending. Nothing extends a hold; if it expires, ask the person and hold again.

Refusals (isError, with error.code): slot_unavailable: the session is not open; offer error.alternatives. invalid_request: correct what error.details names, asking the person if need be. idempotency_key_reused: the key belongs to another request; use a new one. rate_limited or too_many_pending_holds: wait error.retry_after_seconds before you call again.`,
        inputSchema: {
          ...holdRequest,
          properties: {
            ...(holdRequest['properties'] as Schema),
            idempotency_key: parameterSchema('createHold', 'Idempotency-Key'),
          },
        },
        outputSchema: componentSchema('Hold'),
        annotations: {
          readOnlyHint: false,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      },
      async ({ idempotency_key: key, ...request }, caller) => {
        const hold = await placeHold(
          context,
          { ...caller, channel: 'mcp' },
          request,
          parseIdempotencyKey(key),
        );
        const data = holdView(hold.booking, hold.checkoutToken, config.publicBaseUrl);
        return toolSuccess(data, `${data.handoff.message} ${data.checkout_url}`);
      },
      { chargesItself: true },
    ),

    tool<{ booking_id: string }>(
      {
        name: 'get_booking_status',
        title: 'Status of a booking',
        description: `Read what became of a hold: pending (the person has not confirmed yet), confirmed (the person locked it in), expired (nobody did in time; final) or cancelled (given up by the person or the studio; final).

When to use: after hold_slot, with the id that it answered, to learn whether the person has confirmed. Wait at least five seconds between calls.

What to do with the answer: while pending, keep waiting until expires_at and remind the person of the link. The person may have moved the booking to another time: label names the present one. Once confirmed, tell the person the session is theirs, with label. Once expired, ask whether to hold it again; once cancelled, whether to look for another time.

Refusals (isError, with error.code): booking_not_found: no booking has this id; use the id from hold_slot. rate_limited: wait error.retry_after_seconds.`,
        inputSchema: objectSchema({ booking_id: parameterSchema('getBooking', 'id') }, [
          'booking_id',
        ]),
        outputSchema: componentSchema('Booking'),
        annotations: read,
      },
      async ({ booking_id: id }) =>
        toolSuccess(bookingView(await readBooking(context, id), context.clock.now())),
    ),
  ];
}
