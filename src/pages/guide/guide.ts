import { document } from '../../../generated/document.js';
import type { Studio } from '../../../generated/schemas.js';
import { createBoardCache } from '../../board/board.js';
import type { CalendarServices } from '../../board/services.js';
import type { Config, ConfirmationProof } from '../../config/config.js';
import { todayInZone } from '../../schedule/slots.js';
import { studioView } from '../../views/studio.js';
import { booking, rules, studioDetails } from './booking.js';
import { compatibility, failures, keys, limits, webhooks } from './reference.js';

export const guideType = 'text/markdown';

/** Resolves with the guide as the studio is now. */
export type Guide = () => Promise<string>;

/**
 * The guide as the studio is now, which `/guide.md`, the start page and the reference at `/docs` show.
 * Composed once per state of the board. While the database is lost, the last one is returned.
 */
export function createGuide({
  board,
  clock,
  config,
}: Pick<CalendarServices, 'board' | 'clock' | 'config'>): Guide {
  const composed = createBoardCache<{ text: string }>(board, 1);
  let last: string | null = null;

  return async () => {
    try {
      // The board changes at the studio's midnight.
      const guide = await composed('guide', (state) => {
        const { mode, studio } = state;
        const details = studioView(state, config.holdLifetimeSeconds);
        const today = todayInZone(studio.timezone, clock.now());
        return { text: agentGuide(config, mode.confirmation, details, today) };
      });
      last = guide.text;
    } catch (error) {
      if (last === null) throw error;
    }
    return last;
  };
}

/**
 * The guide for agents and their developers, in Markdown: all that a booking takes first, then what
 * few readers need. `today` is the studio's date, `YYYY-MM-DD`, from which the examples are a week away,
 * so that they can be run. @internal
 */
export function agentGuide(
  config: Config,
  proof: ConfirmationProof,
  studio: Studio,
  today: string,
): string {
  const api = `${config.publicBaseUrl}/api/public`;
  return [
    introduction(config),
    studioDetails(studio, today),
    booking(config, today),
    rules(config, proof),
    failures(),
    limits(config, api),
    keys(),
    webhooks(config, api),
    connector(api),
    compatibility(config),
  ].join('\n\n');
}

function introduction({ publicBaseUrl }: Config): string {
  return `# ${document.info.title}

Book a session on behalf of a person, without credentials, in four steps: read this page, list open
times, hold one, wait for the person. You hold a time and hand over a link; only the person opens it
and confirms.

More, if you need it: [openapi.json](${publicBaseUrl}/api/public/openapi.json) (every operation and
schema), [capabilities](${publicBaseUrl}/api/public/capabilities) (every limit, as configured),
the [dashboard](${publicBaseUrl}/) (the calendar for people, live).`;
}

/** The connector's address, and how to add it to the usual clients. */
function connector(api: string): string {
  const mcp = `${api}/mcp`;
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
