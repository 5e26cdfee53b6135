import { document } from '../../../generated/document.js';
import type { Config } from '../../config/config.js';
import {
  deprecationNoticeDays,
  keyCap,
  pagesPerMinute,
  unprovenLimits,
  webhookCaps,
} from '../../config/limits.js';

/** The guide for developers beyond a booking, in Markdown. */
export function integrationsGuide(config: Config): string {
  const api = `${config.publicBaseUrl}/api/public`;
  return [
    introduction(config),
    limits(config, api),
    keys(),
    webhooks(config, api),
    connector(config, api),
    compatibility(config),
  ].join('\n\n');
}

function introduction({ publicBaseUrl }: Config): string {
  return `# ${document.info.title}: integrations

What a booking takes is in [the guide](${publicBaseUrl}/guide.md). A success is \`{"data": …}\`, a failure
\`{"error": {"code", "message", "request_id", …}}\`; \`code\` is for programs. \`starts_at\` and \`ends_at\` carry
the studio's UTC offset, every other instant is UTC. A header of one value that is sent twice gets 400.`;
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
remains (\`r\`) and in how many seconds it is renewed (\`t\`). A hold that is refused costs a hold, too; a
request that fails validation, or repeats an earlier hold with its key, costs a read.

An API key raises the limits. An IPv4 address or IPv6 /48 has at most ${keyCap.perNetwork} that were made or used
within ${keyCap.days} days. It is shown once:

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

/** The promises of an `Idempotency-Key`, beyond the guide's. */
function keys(): string {
  return `## Idempotency-Key

1 to 255 printable characters. A repetition gets the original answer, byte for byte, with
\`Idempotency-Replayed: true\`, however often you ask and also after the hold has expired. Keys are
yours: they belong to your API key, or to the request's \`email\` when you are anonymous. A failure is
not remembered, so the key may then try again.`;
}

function webhooks(config: Config, api: string): string {
  const schedule = config.webhookRetryScheduleSeconds.join(', ');
  return `## Webhooks and the live stream

Where a request cannot wait, subscribe. The events are \`hold.created\`, \`booking.confirmed\` and
\`hold.expired\`. A hold that the person lets go, and a booking that is cancelled or moved, send none:
read the booking to learn of it.

\`\`\`sh
curl -X POST '${api}/webhooks' -H 'Content-Type: application/json' \\
  -d '{"url": "https://example.com/hooks/studio", "events": ["booking.confirmed", "hold.expired"]}'
\`\`\`

The answer holds \`signing_secret\` and \`manage_token\`, each shown once. Deliveries follow
[Standard Webhooks](https://www.standardwebhooks.com): verify \`webhook-signature\` over the bytes that
you received with any of its libraries, refuse old timestamps, and answer 2xx within 15 seconds; a
redirect is a failure. Otherwise the delivery is repeated after ${schedule}
seconds, give or take a tenth, or as \`Retry-After\` on 429 and 503 says. Each event comes at least once
and in no particular order; \`webhook-id\` tells repetitions, and \`data\` is the booking as it was then.
${config.webhookAllowPrivateTargets ? anyTarget : publicTargets} A 410, a day without a first
success, or five days of failures disable the subscription (\`disabled_reason\`).

Answer the first delivery soon: until your first 2xx, and again after ${unprovenLimits.afterFailures} failures in a row, you
get one request at a time, and while ${unprovenLimits.waiting} deliveries wait, further events are not sent to you
(\`skipped\` in \`GET ${api}/webhooks\`). An IPv4 address or IPv6 /48 has at most ${webhookCaps.perNetwork} subscriptions,
and the names under one registrable domain are the target of at most ${webhookCaps.perDomain}. Once the service has
${webhookCaps.scarceFrom}, a network or domain that has one gets no other; at ${webhookCaps.total}, the oldest that never succeeded
is disabled for a new one (\`never_succeeded\`).

\`GET\` and \`DELETE ${api}/webhooks\` with \`Authorization: Bearer <MANAGE_TOKEN>\` show and end the
subscription.

\`GET ${api}/events\` streams the open times as they change (server-sent events): states, not a log, so
a slow reader gets the newest. \`EventSource\` reconnects by itself, but gives up on 429 and 503.`;
}

const publicTargets = 'The address must be https, on port 443 or 8443, and on the public internet.';
const anyTarget =
  'The address may be http or https, on any port, and on this machine: other services take only https, on port 443 or 8443, and on the public internet.';

/** The connector's address, and how to add it to the usual clients. */
function connector({ publicBaseUrl }: Config, api: string): string {
  const mcp = `${api}/mcp`;
  const privacy = `${publicBaseUrl}/privacy`;
  return `## MCP

The same functions as tools, over Streamable HTTP and without credentials: \`get_studio_info\`,
\`list_open_times\`, \`hold_slot\`, \`get_booking_status\`. The address is \`${mcp}\`. Each request is
answered by one JSON message: there are no sessions and no streams. Limits count as for requests; a
refused call is a result with \`isError\` and the error as its text. Optional arguments that are null or
empty count as absent. Hosts that show views (MCP Apps) get one for the open times.

**Claude Code**

\`\`\`sh
claude mcp add --transport http tattoo-studio ${mcp}
\`\`\`

**Claude and ChatGPT**: add a custom connector with the address above, without authentication.

**Custom GPTs**: import the actions from \`${api}/openapi.json\`, without authentication. Their privacy
policy, which app directories ask for too, is \`${privacy}\`.

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
keeps working: nothing is removed or renamed, nothing new is required of you, and nothing that you
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
