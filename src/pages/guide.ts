import { document } from '../../generated/document.js';
import type { Config, ConfirmationProof } from '../config.js';
import { addDays } from '../calendar/dates.js';
import { deprecationNoticeDays, pagesPerMinute } from '../platform/fixed-limits.js';

/**
 * The guide for agents and their developers, in Markdown: the flow, the rules, and a command for
 * each step. It stands above the reference at `/docs` and behind the links of `/llms.txt`. `today`
 * is a date, `YYYY-MM-DD`, from which the examples are a week away, so that they can be run.
 */
export function agentGuide(config: Config, today: string): string {
  const api = `${config.publicBaseUrl}/api/public`;
  return [
    introduction(config),
    flow(api, addDays(today, 7)),
    rules(config),
    limits(config, api),
    failures(),
    idempotency(),
    waiting(api),
    webhooks(config, api),
    connector(api),
    compatibility(config),
  ].join('\n\n');
}

function introduction(config: Config): string {
  return `Book a session at the studio on behalf of a person. Everything here works without credentials.
Your person's part is one press on a page; yours is all the rest.

- Machine-readable contract: [openapi.json](${config.publicBaseUrl}/api/public/openapi.json)
- What this service offers, with every limit: [capabilities](${config.publicBaseUrl}/api/public/capabilities)
- The calendar, live: [dashboard](${config.publicBaseUrl}/)`;
}

function flow(api: string, date: string): string {
  return `## The flow

**1. Who is the studio?** Address, hours, session times and the steps of a booking.

\`\`\`sh
curl '${api}/studio'
\`\`\`

**2. When does it have room?** \`to\` is at most 31 days after \`from\`; dates are the
studio's.

\`\`\`sh
curl '${api}/availability?from=${date}&to=${addDays(date, 13)}'
\`\`\`

**3. Hold a time** that the person agreed to. Use a new random UUID as the \`Idempotency-Key\` of each
hold that you mean: a key that somebody can guess can be used up before you use it.

\`\`\`sh
curl -X POST '${api}/holds' \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: 8e03978e-40d5-43e8-bc93-6894a57f9324' \\
  -d '{"date": "${date}", "time_slot": "1:00 PM", "name": "Ada Park",
       "email": "ada@example.com", "phone": "5555550142"}'
\`\`\`

**4. Hand over.** Show the person \`handoff.message\` and \`checkout_url\`, and say when the hold ends.
The person opens the link and confirms.

**5. See what became of it**, with the \`id\` from the hold: \`pending\`, \`confirmed\`, \`expired\` or
\`cancelled\`.

\`\`\`sh
curl '${api}/bookings/0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11'
\`\`\``;
}

const proofs: Record<ConfirmationProof, string> = {
  link: 'It takes nothing but the link.',
  code: 'Besides the link, it takes six digits that we mail to the `email` of the hold, so give the address that your person reads.',
};

function rules(config: Config): string {
  const { confirmation, holdLifetimeSeconds } = config;
  const { maxLiveBookingsPerPerson, maxLiveBookingsPerCaller } = config;
  return `## The rules

- **Never complete checkout.** Do not open \`checkout_url\`, do not press its buttons, do not fetch it
  to look. Only the person confirms. ${proofs[confirmation]} Give the link to your person and to
  nobody else, and do not keep it. A request with \`Signature-Agent\` or an API key is refused there.
- A hold lasts ${holdLifetimeSeconds / 60} minutes and nothing extends it. When it has expired, ask the person and place a
  new one.
- Hold only what the person has agreed to. Holds that wait for their people are capped, for you and
  for the studio as a whole.
- One person has at most ${maxLiveBookingsPerPerson} bookings that are held, or confirmed and still to come; one caller places at
  most ${maxLiveBookingsPerCaller} of them within 24 hours. Beyond that a hold is refused with \`rate_limited\`.
- Booking is free. There is no payment step: a request to pay does not come from this service.`;
}

function limits(config: Config, api: string): string {
  return `## Limits

| budget | anonymous, per address | with an API key |
| --- | --- | --- |
| reads | ${config.readsPerMinuteAnonymous} a minute | ${config.readsPerMinuteKeyed} a minute |
| holds | ${config.writesPerHourAnonymous} an hour | ${config.writesPerHourKeyed} an hour |
| webhook subscriptions | ${config.writesPerHourAnonymous} an hour | ${config.writesPerHourKeyed} an hour |
| new API keys | ${config.writesPerHourAnonymous} an hour | ${config.writesPerHourAnonymous} an hour |
| pages and documents, such as this | ${pagesPerMinute} a minute | ${pagesPerMinute} a minute |

Every answer says what is left: \`RateLimit-Policy\` names the budget and its size, \`RateLimit\` what
remains (\`r\`) and in how many seconds it is renewed (\`t\`). On 429 and 503, wait for exactly as many
seconds as \`Retry-After\` says. A request that fails validation, or replays an earlier hold, costs a
read and no hold.

An API key raises the limits. It is shown once:

\`\`\`sh
curl -X POST '${api}/agent-keys' -H 'Content-Type: application/json' \\
  -d '{"email": "you@example.com", "label": "my agent"}'
\`\`\`

Send it as \`Authorization: Bearer <API_KEY>\`. A key that is unknown or revoked is not refused: it is
served as anonymous, which the limits in the answer show.

Hosted assistants call for many people from a few addresses. The studio may list these as a platform's:
limits then count per person, where a tool call says who that is in \`_meta["openai/subject"]\`, and
\`limits.platform\` of \`GET ${api}/capabilities\` for all people of the platform together.`;
}

function failures(): string {
  return `## Errors

Every failure is \`{"error": {"code", "message", "request_id", …}}\`. \`message\` says what was wrong
and what to do next; \`code\` is for programs.

| code | what to do |
| --- | --- |
| \`invalid_request\` | correct what \`details\` names (path and reason), then send it again |
| \`slot_unavailable\` | somebody has the slot, or it cannot be booked: offer one of \`alternatives\` |
| \`idempotency_key_reused\` | use a new key for a new hold |
| \`rate_limited\` | wait for \`retry_after_seconds\` |
| \`too_many_pending_holds\` | too many holds wait for their people: wait for \`retry_after_seconds\` |
| \`service_unavailable\`, \`internal_error\` | try again later; with the same \`Idempotency-Key\` nothing happens twice |`;
}

function idempotency(): string {
  return `## Lost answers

When no answer came, repeat the same request with the same \`Idempotency-Key\`. You get the original
answer, byte for byte, with \`Idempotency-Replayed: true\`, however often you ask and also after the
hold has expired. Keys are yours: they belong to your API key, or to the request's \`email\` when you
are anonymous. A failure is not remembered, so the key may then try again.`;
}

function waiting(api: string): string {
  return `## Waiting for the person

Instead of asking again and again, wait in one request for up to 60 seconds; it answers as soon as
the status changes or the booking moves to another time (\`label\` then names it; ask again):

\`\`\`sh
curl -H 'Prefer: wait=60' '${api}/bookings/0b9b64f5-5d7e-4c0f-9d0c-1f5f6a3f2c11'
\`\`\`

\`GET ${api}/events\` streams the open slots as they change (server-sent events).`;
}

function webhooks(config: Config, api: string): string {
  const schedule = config.webhookRetryScheduleSeconds.join(', ');
  return `## Webhooks

The events are \`hold.created\`, \`booking.confirmed\` and \`hold.expired\`. A hold that the person lets
go, and a booking that is cancelled or moved, send none: read the booking to learn of it.

\`\`\`sh
curl -X POST '${api}/webhooks' -H 'Content-Type: application/json' \\
  -d '{"url": "https://example.com/hooks/studio", "events": ["booking.confirmed", "hold.expired"]}'
\`\`\`

The answer holds \`signing_secret\` and \`manage_token\`, each shown once. Deliveries follow
[Standard Webhooks](https://www.standardwebhooks.com): verify \`webhook-signature\` over the bytes that
you received with any of its libraries, and answer 2xx within 15 seconds. Otherwise the delivery is
repeated after ${schedule} seconds. Each event comes at least once and in no particular order;
\`webhook-id\` tells repetitions. \`GET\` and \`DELETE ${api}/webhooks\` with
\`Authorization: Bearer <MANAGE_TOKEN>\` show and end the subscription.`;
}

function connector(api: string): string {
  const mcp = `${api}/mcp`;
  return `## MCP

The same functions as tools, over Streamable HTTP and without credentials: \`get_studio_info\`,
\`list_open_times\`, \`hold_slot\`, \`get_booking_status\`. The address is \`${mcp}\`.

**Claude Code**

\`\`\`sh
claude mcp add --transport http tattoo-studio ${mcp}
\`\`\`

**Claude and ChatGPT**: add a custom connector with the address above, without authentication.

**Cursor** (\`.cursor/mcp.json\`)

\`\`\`json
{ "mcpServers": { "tattoo-studio": { "url": "${mcp}" } } }
\`\`\`

**VS Code** (\`.vscode/mcp.json\`)

\`\`\`json
{ "servers": { "tattoo-studio": { "type": "http", "url": "${mcp}" } } }
\`\`\`

**Clients that start a command**

\`\`\`json
{ "mcpServers": { "tattoo-studio": { "command": "npx", "args": ["-y", "mcp-remote", "${mcp}"] } } }
\`\`\``;
}

function compatibility({ publicBaseUrl }: Config): string {
  const { version } = document.info;
  const major = version.split('.')[0];
  return `## Compatibility

This is interface version ${version}; the paths carry no version. Within ${major}.x, whatever works now
goes on working: nothing is removed or renamed, nothing new is required of you, and nothing that you
may send or be answered changes its type.

What may be **added** at any time: operations and tools, optional members of requests, members of
answers and events, error codes, ways to fail. So ignore members that you do not know, and treat an
error code that you do not know by its HTTP status and \`Retry-After\`. Limits are settings of the
studio: read them in [capabilities](${publicBaseUrl}/api/public/capabilities). \`message\` is for
reading, not for comparing.

Before an operation ends, its answers say so for at least ${deprecationNoticeDays} days: \`Deprecation\` (RFC 9745, since
when) and \`Sunset\` (RFC 8594, when it stops to work). It ends only with a higher major version.
Have your client log both headers.`;
}
