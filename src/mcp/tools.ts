import type { FastifyRequest, FastifySchemaValidationError } from 'fastify';
import type { HoldRequest } from '../../generated/schemas.js';
import {
  availabilityKey,
  availabilityOf,
  type AvailabilityRequest,
} from '../board/availability.js';
import { createBoardCache } from '../board/board.js';
import { maxWaitSeconds } from '../config/limits.js';
import { placeHold } from '../domain/booking/holds.js';
import { parseIdempotencyKey } from '../domain/booking/new-hold.js';
import { awaitBooking, readBooking } from '../domain/booking/public-bookings.js';
import type { DomainServices } from '../domain/deps.js';
import type { ServiceError } from '../errors.js';
import { artistOfLink } from '../schedule/artists.js';
import { bookingView, holdView, pollIntervalSeconds } from '../views/booking.js';
import { studioView } from '../views/studio.js';
import { bookUrlTemplate } from '../web/book-link.js';
import { adviseOnHold } from '../web/hold-advice.js';
import { createValidatorCompiler } from '../web/validation.js';
import { slotsViewUri } from './resources.js';
import {
  componentSchema,
  givenArguments,
  inputForModels,
  objectSchema,
  outputForModels,
  parameterSchema,
  type Schema,
} from './schemas.js';

/** The part of the HTTP request that a tool call needs. */
export interface HttpRequest extends Pick<FastifyRequest, 'caller' | 'id' | 'log'> {
  /** Makes a signal that is aborted once the client has disconnected. Few calls need it. */
  hangUp: () => AbortSignal;
}

/** The result of `tools/call`, the same in every protocol version. */
export interface ToolResult {
  [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
  /** The protocol version sets it. */
  _meta?: never;
}

/** `data` is what the REST operation returns; `message` is a second text item. */
function toolSuccess(data: object, message?: string): ToolResult {
  const texts = [JSON.stringify(data), ...(message === undefined ? [] : [message])];
  return {
    content: texts.map((text) => ({ type: 'text', text })),
    structuredContent: data as Record<string, unknown>,
  };
}

/** The second text item of `list_open_times` for one artist. */
function onlyOnPage(artist: string): string {
  return `These times are with ${artist}, whom hold_slot cannot choose: it holds with whoever is free. For ${artist}, send the person the link of book_url_template with the time that they chose; it holds the time when they press.`;
}

/** The second text item of `get_booking_status` without a place to wait. */
const didNotWait = `This did not wait for a change: too many calls wait at the moment. Ask again in ${pollIntervalSeconds} seconds.`;

/** `body` is the error envelope. */
export function toolError(body: object): ToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(body) }], isError: true };
}

/** A tool as `tools/list` describes it. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: Schema;
  outputSchema: Schema;
  annotations: Record<string, boolean>;
  /** Names the view that hosts show with the result. */
  _meta?: { ui: { resourceUri: string } };
}

export interface Tool {
  definition: ToolDefinition;
  /** Whether the tool charges the caller itself, as createHold does. Otherwise it costs a read. */
  chargesItself: boolean;
  /** The arguments without the optional ones that are left empty. */
  given: (args: Record<string, unknown>) => Record<string, unknown>;
  /** The errors of arguments that do not match the input schema; null if they match. */
  validate: (args: unknown) => FastifySchemaValidationError[] | null;
  /** Adds advice to a refusal. */
  explain?: ((refusal: ServiceError, args: unknown) => Promise<ServiceError>) | undefined;
  run: (args: never, request: ToolRequest) => ToolResult | Promise<ToolResult>;
}

/** The request that carries a call. */
type ToolRequest = Pick<HttpRequest, 'caller' | 'hangUp'>;

/** Results cached until the board changes: about 3 MB. */
const maxCachedResults = 128;

/** The hints of a tool. All three are given: some hosts read a missing one as the worst. */
const read = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
const slotsView = { ui: { resourceUri: slotsViewUri } };

/**
 * The tools of the connector, in the order in which it lists them. Their schemas come from
 * openapi.yaml, and they call the same functions as the REST operations.
 */
export function createTools(context: DomainServices): Tool[] {
  const { board, config } = context;
  const cached = createBoardCache<ToolResult>(board, maxCachedResults);
  const compile = createValidatorCompiler();
  const tool = <Args>(
    definition: ToolDefinition,
    run: (args: Args, request: ToolRequest) => ToolResult | Promise<ToolResult>,
    { chargesItself = false, explain }: Partial<Pick<Tool, 'chargesItself' | 'explain'>> = {},
  ): Tool => {
    const { name, inputSchema, outputSchema } = definition;
    const check = compile({ schema: inputSchema, method: 'tool', url: name, httpPart: 'body' });
    return {
      definition: {
        ...definition,
        inputSchema: inputForModels(inputSchema),
        outputSchema: outputForModels(outputSchema),
      },
      chargesItself,
      given: (args) => givenArguments(inputSchema, args),
      validate: (args) => (check(args) ? null : (check.errors ?? [])),
      explain,
      run,
    };
  };
  const holdRequest = componentSchema('HoldRequest');
  const bookingSchema = componentSchema('Booking');

  return [
    tool(
      {
        name: 'get_studio_info',
        title: 'Studio details',
        description: `The studio: address, contact, opening hours, time zone, session times and length (session_minutes), the steps of a booking, and notices: what a person must know beforehand, such as age.
When to use: before a booking, and for questions about the studio.
Afterwards: tell the person the length and the notices before you hold.`,
        inputSchema: objectSchema({}),
        outputSchema: componentSchema('Studio'),
        annotations: read,
      },
      () => cached('studio', (state) => toolSuccess(studioView(state, config))),
    ),

    tool<AvailabilityRequest>(
      {
        name: 'list_open_times',
        title: 'Open session times',
        description: `The sessions that can be held now, by date.
When to use: when asked what is open, and right before hold_slot.
Afterwards: let the person choose, and pass date and time_slot unchanged to hold_slot. If total_open is 0, try other dates. Person away, or wants a certain artist? Send the link of book_url_template: it holds when they press.`,
        inputSchema: objectSchema(
          {
            from: parameterSchema('listAvailability', 'from'),
            to: parameterSchema('listAvailability', 'to'),
            time_slot: parameterSchema('listAvailability', 'time_slot'),
            artist: parameterSchema('listAvailability', 'artist'),
          },
          ['from', 'to'],
        ),
        outputSchema: componentSchema('Availability'),
        annotations: read,
        _meta: slotsView,
      },
      (request) =>
        cached(availabilityKey(request), (state) => {
          const template = bookUrlTemplate(config.publicBaseUrl, state, request.artist);
          const data = { ...availabilityOf(state, request), book_url_template: template };
          const artist = artistOfLink(state, request.artist);
          return toolSuccess(data, artist === null ? undefined : onlyOnPage(artist.name));
        }),
    ),

    tool<HoldRequest & { idempotency_key?: string }>(
      {
        name: 'hold_slot',
        title: 'Hold a session for a person',
        description: `Hold an open session for a person and get the link that locks it in. This books nothing yet.
When to use: once the person has chosen a time and told you their name, e-mail address and US telephone number; never invent these. Only while they are there, and not for a certain artist of several: see list_open_times.
Afterwards: tell the person the second text: until when it is held, and the link. Never open it yourself. Then use get_booking_status.
Refusals: slot_unavailable (offer error.alternatives, the best first), invalid_request, idempotency_key_reused, rate_limited, too_many_pending_holds.`,
        inputSchema: {
          ...holdRequest,
          properties: {
            ...(holdRequest['properties'] as Schema),
            idempotency_key: {
              ...parameterSchema('createHold', 'Idempotency-Key'),
              description:
                'A random UUID, new for each hold: the same call with the same key gets the same hold.',
            },
          },
        },
        outputSchema: componentSchema('Hold'),
        annotations: { ...read, readOnlyHint: false, idempotentHint: true },
        _meta: slotsView,
      },
      async ({ idempotency_key: key, ...request }, { caller }) => {
        const hold = await placeHold(
          context,
          { ...caller, channel: 'mcp' },
          request,
          parseIdempotencyKey(key),
        );
        const data = holdView(hold, request.email, config.publicBaseUrl);
        return toolSuccess(data, `${data.handoff.message} ${data.checkout_url}`);
      },
      {
        chargesItself: true,
        explain: (refusal, args) => adviseOnHold(context, refusal, args),
      },
    ),

    tool<{ booking_id: string; wait_seconds?: number }>(
      {
        name: 'get_booking_status',
        title: 'Status of a booking',
        description: `Whether the person has confirmed a hold.
When to use: after hold_slot, until status is not pending. With wait_seconds, it answers as soon as they act.
Afterwards: confirmed: tell the person label, the time that is theirs; they may have moved it. expired: their link holds it again with one press while it is open. cancelled: offer other times.
Refusals: booking_not_found, rate_limited.`,
        inputSchema: objectSchema(
          {
            booking_id: {
              ...parameterSchema('getBooking', 'id'),
              description: 'The id that hold_slot answered.',
            },
            wait_seconds: {
              type: 'integer',
              minimum: 0,
              maximum: maxWaitSeconds,
              description: 'Waits for a change. Else ask every 5 seconds at most.',
            },
          },
          ['booking_id'],
        ),
        outputSchema: {
          ...bookingSchema,
          properties: {
            ...(bookingSchema['properties'] as Schema),
            poll_interval_seconds: { type: 'integer' },
          },
        },
        annotations: read,
      },
      async ({ booking_id: id, wait_seconds: seconds = 0 }, { caller, hangUp }) => {
        const { booking, waited } =
          seconds === 0
            ? { booking: await readBooking(context, id), waited: true }
            : await awaitBooking(context, caller, id, seconds, hangUp());
        const view = bookingView(booking, context.clock.now());
        if (waited) return toolSuccess(view);
        // The model has to pause by itself.
        const data = { ...view, poll_interval_seconds: pollIntervalSeconds };
        return toolSuccess(data, view.status === 'pending' ? didNotWait : undefined);
      },
    ),
  ];
}
