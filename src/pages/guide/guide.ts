import { document } from '../../../generated/document.js';
import type { Studio } from '../../../generated/schemas.js';
import { type Board, type CalendarState, createBoardCache } from '../../board/board.js';
import type { CalendarServices } from '../../board/services.js';
import { isLoopback } from '../../config/addresses.js';
import type { Config, ConfirmationProof } from '../../config/config.js';
import { addDays, weekdayOf } from '../../schedule/dates.js';
import { todayInZone } from '../../schedule/slots.js';
import { loopbackAdvice } from '../../views/booking.js';
import { studioView } from '../../views/studio.js';
import { booking, failures, roles, studioDetails } from './booking.js';

export const guideType = 'text/markdown';

export type Guide = () => Promise<string>;

/** The present guide of `/guide.md`, `/guide` and the start page. */
export function createGuide({
  board,
  clock,
  config,
}: Pick<CalendarServices, 'board' | 'clock' | 'config'>): Guide {
  return createStudioText(board, (state) => {
    const { mode, studio } = state;
    const details = studioView(state, config);
    // The board changes at the studio's midnight.
    const today = todayInZone(studio.timezone, clock.now());
    return agentGuide(config, mode.confirmation, details, today);
  });
}

/**
 * A text about the present studio, composed once per state of the board. While the database is lost, the
 * last one is returned.
 */
export function createStudioText(
  board: Board,
  compose: (state: CalendarState) => string,
): () => Promise<string> {
  const composed = createBoardCache<{ text: string }>(board, 1);
  let last: string | null = null;

  return async () => {
    try {
      last = (await composed('text', (state) => ({ text: compose(state) }))).text;
    } catch (error) {
      if (last === null) throw error;
    }
    return last;
  };
}

/**
 * The guide for agents, in Markdown: everything about a booking; the rest is in `integrationsGuide`.
 * `today` is the studio's date, `YYYY-MM-DD`, from which the examples are a week away, so that they can
 * be run. @internal
 */
export function agentGuide(
  config: Config,
  proof: ConfirmationProof,
  studio: Studio,
  today: string,
): string {
  const date = exampleDate(studio, today);
  return [
    introduction(config),
    studioDetails(studio, today),
    booking(config, date),
    roles(config, proof, date),
    failures(),
  ].join('\n\n');
}

/** The first date, a week away or later, that has the session of the examples. */
function exampleDate({ hours }: Studio, today: string): string {
  const dates = Array.from({ length: 7 }, (_, index) => addDays(today, 7 + index));
  const hasSession = (date: string) =>
    hours[weekdayOf(date) - 1]?.sessions?.some(({ time_slot }) => time_slot === '1:00 PM');
  return dates.find(hasSession) ?? addDays(today, 7);
}

function whereItOpens(publicBaseUrl: string): string {
  if (isLoopback(publicBaseUrl)) return loopbackAdvice;
  return new URL(publicBaseUrl).protocol === 'https:'
    ? `The link opens on any device, also on a phone: it begins with ${publicBaseUrl}/.`
    : `The link begins with ${publicBaseUrl}/: it opens where that address can be reached.`;
}

function introduction({ publicBaseUrl }: Config): string {
  return `# ${document.info.title}

Book a session for a person, without credentials: list open times, hold one, hand over its link, wait.
Only the person opens the link and confirms.

**${whereItOpens(publicBaseUrl)}**

More: [integrations](${publicBaseUrl}/guide/integrations.md) (limits, API keys, webhooks, MCP set-up,
compatibility), [openapi.json](${publicBaseUrl}/api/public/openapi.json) (every operation),
[capabilities](${publicBaseUrl}/api/public/capabilities) (every limit as configured).`;
}
